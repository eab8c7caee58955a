"""Types that torch computes for a dump: every form, symbols, nested graphs, devices, and where it stops."""

import pytest

from with_torch.propagation import check_types, propagated


def test_print_graph_with_a_header_line(torch_host):
    found = check_types(
        torch_host,
        """
        # fxgraph: inputs=x:f32[2,3],y:f32[3,4]
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %y : [num_users=1] = placeholder[target=y]
            %mm : [num_users=2] = call_function[target=torch.ops.aten.mm.default](args = (%x, %y), kwargs = {})  #: f32[2, 4]
            %t : [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%mm,), kwargs = {})  #: f32[4, 2]
            %max_1 : [num_users=1] = call_function[target=torch.ops.aten.max.dim](args = (%mm, 1), kwargs = {})  #: (f32[2], i64[2])
            %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%max_1, 1), kwargs = {})  #: i64[2]
            %to : [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%t,), kwargs = {dtype: torch.float16})  #: f16[4, 2]
            return (to, getitem)
        """,
    )
    assert found["t"] == {"type": "f32[4, 2]", "stride": [1, 4], "device": "cpu", "bytes": 32}
    assert found["x"]["from"] == "printed"


def test_strings_without_quotes_are_told_by_the_schema(torch_host):
    check_types(
        torch_host,
        """
        graph():
            %x : [num_users=4] = placeholder[target=x]
            %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, (1+2j)), kwargs = {})  #: c64[2, 3]
            %gelu : [num_users=1] = call_function[target=torch.ops.aten.gelu.default](args = (%x,), kwargs = {approximate: tanh})  #: f32[2, 3]
            %div : [num_users=1] = call_function[target=torch.ops.aten.div.Tensor_mode](args = (%x, 2), kwargs = {rounding_mode: floor})  #: f32[2, 3]
            %einsum : [num_users=1] = call_function[target=torch.ops.aten.einsum.default](args = (ij, jk -> ik, [%x, %y]), kwargs = {})  #: f32[2, 5]
            %empty : [num_users=1] = call_function[target=torch.ops.aten.empty.memory_format](args = ([2, 3],), kwargs = {dtype: torch.bool, layout: torch.strided, device: cpu, pin_memory: False})  #: b8[2, 3]
            return (mul, gelu, div, einsum, empty)
        """.replace(
            "%x : [num_users=4] = placeholder[target=x]",
            "%x : [num_users=4] = placeholder[target=x]\n            %y : [num_users=1] = placeholder[target=y]",
        ),
        {"x": "f32[2, 3]", "y": "f32[3, 5]"},
    )


def test_symbols(torch_host):
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, s77: "Sym(s77)", x: "f32[s77, 3]", u: "i64[u0]"):
                sym_size: "Sym(s77)" = torch.ops.aten.sym_size.int(x, 0)                   #: Sym(s77)
                mul: "Sym(2*s77)" = sym_size * 2                                           #: Sym(2*s77)
                cat: "f32[2*s77, 3]" = torch.ops.aten.cat.default([x, x])                  #: f32[2*s77, 3]
                view: "f32[s77, 2, 3]" = torch.ops.aten.view.default(cat, [sym_size, 2, 3])  #: f32[s77, 2, 3]
                nonzero: "i64[u7, 2]" = torch.ops.aten.nonzero.default(x)                  #: i64[u7, 2]
                size: "Sym(u7)" = torch.ops.aten.sym_size.int(nonzero, 0)                  #: Sym(u7)
                add: "i64[u0]" = torch.ops.aten.add.Tensor(u, 1)                           #: i64[u0]
                wrong: "f32[s77, 4]" = torch.ops.aten.relu.default(x)                      #: f32[s77, 3] DIFFERS
                return (view, nonzero, add)
        """,
    )


def test_terms_in_another_order_are_the_same_size(torch_host):
    found = propagated(
        torch_host,
        """\
class GraphModule(torch.nn.Module):
    def forward(self, s27: "Sym(s27)", s94: "Sym(s94)", x: "f32[s27]", y: "f32[s94]"):
        cat: "f32[s94 + s27]" = torch.ops.aten.cat.default([x, y]);  x = y = None
        return (cat,)
""",
    )
    assert found["cat"]["agrees"] is True


def test_two_symbols_of_one_size(torch_host):
    found = check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, s1: "Sym(s1)", s2: "Sym(s2)", x: "f32[3, s1]", y: "f32[3, s2]"):
                cat: "f32[3, s1 + s2]" = torch.ops.aten.cat.default([x, y], 1)  #: f32[3, s1 + s2]
                view: "f32[6, s1]" = torch.ops.aten.view.default(cat, [6, s1])  #: f32[6, s1]
                return (view,)
        """,
    )
    assert "stop" not in found["view"]


def test_messages_of_torch_call_symbols_as_the_dump_does(torch_host):
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, s77: "Sym(s77)", x: "f32[s77, 3]"):
                view = torch.ops.aten.view.default(x, [s77, 5])  #: stop: RuntimeError: shape '[s77, 5]' is invalid for input of size 3*s77
                return (view,)
        """,
    )


def test_bodies_of_a_condition(torch_host):
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, p: "b8[]", x: "f32[2, 3]"):
                true_graph_0 = self.true_graph_0
                false_graph_0 = self.false_graph_0
                cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  p = true_graph_0 = false_graph_0 = x = None  #: (f32[3, 2])
                getitem: "f32[3, 2]" = cond[0];  cond = None  #: f32[3, 2]
                return (getitem,)

            class true_graph_0(torch.nn.Module):
                def forward(self, x: "f32[2, 3]"):
                    t: "f32[3, 2]" = torch.ops.aten.t.default(x);  x = None  #: f32[3, 2]
                    clone: "f32[3, 2]" = torch.ops.aten.clone.default(t, memory_format = torch.contiguous_format);  t = None  #: f32[3, 2]
                    return (clone,)

            class false_graph_0(torch.nn.Module):
                def forward(self, x: "f32[2, 3]"):
                    view: "f32[3, 2]" = torch.ops.aten.view.default(x, [3, 2]);  x = None  #: f32[3, 2]
                    clone_1: "f32[3, 2]" = torch.ops.aten.clone.default(view);  view = None  #: f32[3, 2]
                    return (clone_1,)
        """,
    )


def test_dynamo_level(torch_host):
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2, 8]", L_w_: "f32[4, 8]"):
                l_x_ = L_x_
                l_w_ = L_w_
                h = torch._C._nn.linear(l_x_, l_w_, None);  l_w_ = None  #: f32[2, 4]
                size = h.shape  #: (2, 4)
                view = h.view(1, -1)  #: f32[1, 8]
                add = view + l_x_;  view = None  #: f32[2, 8]
                add += 1;  add_1 = add;  add = None  #: f32[2, 8]
                half = add_1.to(torch.float16)  #: f16[2, 8]
                drop = torch.nn.functional.dropout(half, p = 0.5, training = True)  #: f16[2, 8]
                item = drop[(slice(None, None, None), slice(0, 3, None))]  #: f16[2, 3]
                chunk = torch.chunk(item, 3, dim = 1)  #: (f16[2, 1], f16[2, 1], f16[2, 1])
                return (chunk, size)
        """,
    )


def test_autocast(torch_host):
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2, 2]"):
                l_x_ = L_x_
                _enter_autocast = torch.amp.autocast_mode._enter_autocast('cpu', torch.bfloat16, True, None)
                mm = torch.mm(l_x_, l_x_)  #: bf16[2, 2]
                _exit_autocast = torch.amp.autocast_mode._exit_autocast(_enter_autocast)
                mm_1 = torch.mm(l_x_, l_x_)  #: f32[2, 2]
                return (mm, mm_1)
        """,
    )


def test_autocast_that_this_build_lacks_makes_no_claims(torch_host):
    import torch

    if torch.cuda.is_available():
        pytest.skip("here autocast for cuda works")
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2, 2][2, 1]cuda:0"):
                l_x_ = L_x_
                enter = torch.amp.autocast_mode._enter_autocast('cuda', torch.bfloat16, True, None)  #: stop: autocast for cuda needs such a device
                mm = torch.mm(l_x_, l_x_)  #: stop: what autocast does from `enter` on is not known here
                leave = torch.amp.autocast_mode._exit_autocast(enter)  #: stop: what autocast does from `enter` on is not known here
                mm_1 = torch.mm(l_x_, l_x_)  #: f32[2, 2] cuda:0
                return (mm, mm_1)
        """,
    )


@pytest.mark.parametrize("device", ["cuda:0", "cuda:1", "xpu:0", "mps:0", "meta"])
def test_devices_need_no_hardware(torch_host, device):
    check_types(
        torch_host,
        f"""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {{}})  #: f32[2] {device}
            %ones : [num_users=1] = call_function[target=torch.ops.aten.ones.default](args = ([2],), kwargs = {{device: {device}}})  #: f32[2] {device}
            %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%neg, %ones), kwargs = {{}})  #: f32[2] {device}
            %cpu : [num_users=1] = call_function[target=torch.ops.aten._to_copy.default](args = (%add,), kwargs = {{device: cpu}})  #: f32[2]
            return cpu
        """,
        {"x": f"f32[2][1]{device}"},
    )


def test_a_device_that_this_build_does_not_know(torch_host):
    found = propagated(
        torch_host,
        """\
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2][1]npu:0", y: "f32[2][1]cpu"):
        relu: "f32[2][1]npu:0" = torch.ops.aten.relu.default(x);  x = None
        relu_1: "f32[2][1]cpu" = torch.ops.aten.relu.default(y);  y = None
        return (relu, relu_1)
""",
    )
    assert "npu" in found["x"]["stop"]
    assert found["relu"]["waits"] == "x"
    assert found["relu_1"]["agrees"] is True


def test_it_stops_at_one_node_only(torch_host):
    check_types(
        torch_host,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2, 3]"):
                foo: "f32[2, 7]" = torch.ops.demo.foo.default(x)  #: stop: demo.foo.default is not registered in this torch; then f32[2, 7]
                relu: "f32[2, 7]" = torch.ops.aten.relu.default(foo);  foo = None  #: f32[2, 7]
                pair = torch.ops.demo.pair.default(x)  #: stop: demo.pair.default is not registered in this torch
                getitem = pair[0];  pair = None  #: waits for pair
                neg = torch.ops.aten.neg.default(getitem)  #: waits for pair
                mm = torch.ops.aten.mm.default(x, x)  #: stop: RuntimeError: a and b must have same reduction dim, but got [2, 3] X [2, 3].
                sin = torch.ops.aten.sin.default(x)  #: f32[2, 3]
                return (relu, neg, sin, mm)
        """,
    )


def test_what_is_missing_is_said(torch_host):
    found = propagated(
        torch_host,
        """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %w : [num_users=1] = get_attr[target=layer.w]
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %w), kwargs = {})
    %fc : [num_users=1] = call_module[target=fc](args = (%add,), kwargs = {})
    return fc
""",
    )
    assert found["x"] == {
        "stop": "no type of this input is in the text: a line `# fxgraph: inputs=NAME:f32[2,3]` at the top tells one"
    }
    assert found["w"] == {"stop": "what this attribute holds is not in the text"}
    assert found["add"] == {"waits": "x"}
    assert found["fc"] == {"waits": "x"}


def test_modules_are_not_known(torch_host):
    found = propagated(
        torch_host,
        """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %fc : [num_users=1] = call_module[target=fc](args = (%x,), kwargs = {})
    return fc
""",
        {"x": "f32[2]"},
    )
    words = "the module fc and its parameters, which print(gm) prints, are not in the text"
    assert found["fc"] == {"stop": words}


def test_parts_come_while_it_runs_and_what_is_left_at_the_end(torch_host):
    from fxgraph.reading import read
    from fxgraph.torchhost.plain import plain

    lines = [
        f"    %r{n} : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%{f'r{n - 1}' if n else 'x'},), kwargs = {{}})"
        for n in range(3000)
    ]
    text = "\n".join(["graph():", "    %x : [num_users=1] = placeholder[target=x]", *lines, "    return r2999\n"])
    dump = read(text)
    told, _ = plain(dump, dump.graphs[0], {"x": "f32[2]"})
    parts = []
    answer = torch_host.ask("propagate", told, progress=parts.append)
    assert len(answer["nodes"]) == 3001
    assert [node for part in parts for node in part["nodes"]] == answer["nodes"]
    assert parts[-1]["done"] == 3001
