"""print(graph), by its grammar and by what releases of torch print differently."""

from __future__ import annotations

from fxgraph.reading import read
from reading.checks import check_graphs, check_nothing, check_uses


def test_all_opcodes():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %weight : [num_users=1] = get_attr[target=layers.0.weight]
            %linear : [num_users=1] = call_function[target=torch.nn.functional.linear](args = (%x, %weight), kwargs = {bias: None})
            %relu : [num_users=1] = call_method[target=relu](args = (%linear,), kwargs = {})
            %fc : [num_users=1] = call_module[target=layers.a b-c](args = (%relu,), kwargs = {})
            return fc
        """,
        """
        [graph_str]
        x = placeholder x
        weight = get_attr layers.0.weight
        linear = call_function torch.nn.functional.linear(x, weight)
        relu = call_method relu(linear)
        fc = call_module layers.a b-c(relu)
        output = output (fc)
        """,
    )


def test_users_of_torch_1_13():
    dump = check_graphs(
        """
        graph():
            %x : torch.Tensor [#users=2] = placeholder[target=x]
            %add : [#users=0] = call_function[target=operator.add](args = (%x, %x), kwargs = {})
            return None
        """,
        """
        [graph_str]
        x : torch.Tensor = placeholder x
        add = call_function operator.add(x, x)
        output = output ()
        """,
    )
    assert [node.printed_users for node in dump.graphs[0].nodes] == [2, 0, None]


def test_tensor_metadata_has_no_blank_before_the_users():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %t : Tensor "f32[3, 4][1, 3]cpu"[num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%x,), kwargs = {})
            return t
        """,
        """
        [graph_str]
        x = placeholder x
        t : f32[3, 4][1, 3]cpu = call_function torch.ops.aten.t.default(x)
        output = output (t)
        """,
    )


def test_fragment_above_a_kernel():
    dump = check_graphs(
        """
        cpp_fused_add_0 = async_compile.cpp_pybinding([], r'''
        # Topologically Sorted Source Nodes: [x, layer_norm], Original ATen: [aten.add]
        # Source node to ATen node mapping:
        #   layer_norm => add, var_mean
        #   x => add
        # Graph fragment:
        #   %primals_1 : Tensor "i64[2, 16][16, 1]cpu" = PlaceHolder[target=primals_1]
        #   %add : Tensor "f32[2, 16]cpu"[num_users=3] = call_function[target=torch.ops.aten.add.Tensor](args = (%primals_1, %iota), kwargs = {})
        #   return %add,%buf1
        ''')
        """,
        """
        [graph_str, output_code, no head, part]
        primals_1 : i64[2, 16][16, 1]cpu = placeholder primals_1
        add : f32[2, 16]cpu = call_function torch.ops.aten.add.Tensor(primals_1, iota)
        output = output (add, buf1)
        """,
    )
    assert dump.graphs[0].signature["source_nodes"] == {"layer_norm": ["add", "var_mean"], "x": ["add"]}
    assert dump.graphs[0].is_fragment


def test_strings_have_no_quotes():
    check_uses(r"""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %a : [num_users=1] = call_function[target=torch.einsum](args = (bij,bjk->bik, %x, %x), kwargs = {})
                                                                                           ^   ^
            %b : [num_users=1] = call_function[target=f](args = (bad shape: (%s), expected [4], %a), kwargs = {})
                                                                                                 ^
            %c : [num_users=1] = call_function[target=f](args = (%b, {mode: a, b=%c, flag: True}, [%b]), kwargs = {w: %b})
                                                                  ^                                 ^                  ^
            %d : [num_users=1] = call_function[target=f](args = (%c, 100%, 50%x, sum, 0), kwargs = {})
                                                                  ^
            return (d, '%d of', {'key': d})
                    ^                   ^
    """)


def test_strings_with_line_ends():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x](default=one
        two)
            %f : [num_users=1] = call_function[target=f](args = (%x, one
        two, three), kwargs = {a: %x})
            %g : [num_users=1] = call_function[target=f](args = (%f, ), kwargs = {})
            return g
        """,
        """
        [graph_str]
        x = placeholder x
        f = call_function f(x, x)
        g = call_function f(f)
        output = output (g)
        """,
    )


def test_brackets_in_targets():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %f : [num_users=1] = call_module[target=layers[0]](args = (%x,), kwargs = {})
            %w : [num_users=0] = get_attr[target=a[b].c]
            return f
        """,
        """
        [graph_str]
        x = placeholder x
        f = call_module layers[0](x)
        w = get_attr a[b].c
        output = output (f)
        """,
    )


def test_nodes_in_slices_have_no_sign():
    check_uses("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %sub : [num_users=1] = placeholder[target=sub]
            %a : [num_users=1] = call_function[target=operator.getitem](args = (%x, (slice(None, sub, None), None, other)), kwargs = {})
                                                                                 ^               ^^^
            return (x, a)
                    ^  ^
    """)


def test_defaults_and_variable_arguments():
    check_graphs(
        """
        graph():
            %x : torch.Tensor [num_users=1] = placeholder[target=x](default=None)
            %y : typing.Optional[torch.Tensor] [num_users=1] = placeholder[target=y](default=['a', (1, 2)])
            %_rest : [num_users=1] = placeholder[target=*rest]
            %_extra : [num_users=1] = placeholder[target=**extra]
            return (x, y)
        """,
        """
        [graph_str]
        x : torch.Tensor = placeholder x
        y : typing.Optional[torch.Tensor] = placeholder y
        _rest = placeholder *rest
        _extra = placeholder **extra
        output = output (x, y)
        """,
    )


def test_sizes_on_the_return_line():
    check_graphs(
        """
        graph():
            %s77 : [num_users=1] = placeholder[target=s77]
            %x : [num_users=1] = placeholder[target=x]
            return (s77, s27 + s94, x, inf)
        """,
        """
        [graph_str]
        s77 = placeholder s77
        x = placeholder x
        output = output (s77, x)
        """,
    )


def test_no_nodes():
    check_nothing("graph():\n")


def test_only_a_return_line():
    check_graphs("graph():\n    return None\n", "[graph_str]\noutput = output ()")


def test_cut_in_a_record():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %sin : [num_users=1] = call_function[target=torch.sin](args = (%x,), kwargs = {})
            %cos : [num_users=1] = call_function[target=torch.c
        """,
        """
        [graph_str, no end, 1 broken]
        x = placeholder x
        sin = call_function torch.sin(x)
        """,
    )


def test_a_broken_line_spoils_one_line():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %sin : [num_users=1] = call_function[target=torch.sin](args = (%x,
            %cos : [num_users=1] = call_function[target=torch.cos](args = (%sin,), kwargs = {})
            return cos
        """,
        """
        [graph_str, 1 broken]
        x = placeholder x
        cos = call_function torch.cos(sin)
        output = output (cos)
        """,
    )


def test_blanks_behind_records():
    check_uses(
        "graph(): \n"
        "    %x : [num_users=1] = placeholder[target=x]  \n"
        "    %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {}) \t\n"
        "                                                                   ^\n"
        "    return a  \n"
        "           ^\n"
    )


def test_words_behind_a_record():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x] with meta={'a': 1}
            %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {}) with meta={'val': ({%y})}
            return a
        """,
        """
        [graph_str]
        x = placeholder x
        a = call_function torch.relu(x)
        output = output (a)
        """,
    )


def test_several_graphs_and_prose():
    check_graphs(
        """
        before:
        graph():
            %x : [num_users=1] = placeholder[target=x]
            return x

        and after the pass, 100% of %x: [target=y]

        graph() -> torch.Tensor:
            %y : [num_users=1] = placeholder[target=y]
            return y
        """,
        """
        [graph_str]
        x = placeholder x
        output = output (x)
        [graph_str]
        y = placeholder y
        output = output (y)
        """,
    )


def test_a_pasted_middle():
    dump = check_graphs(
        """
        I see this:

            %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})
            %relu : [num_users=2] = call_function[target=torch.relu](args = (%mm,), kwargs = {})
        """,
        """
        [graph_str, no head, no end]
        mm = call_function torch.ops.aten.mm.default(x, w)
        relu = call_function torch.relu(mm)
        """,
    )
    assert dump.graphs[0].is_fragment


def test_records_that_errors_quote():
    check_graphs(
        """
        While executing %fc : [num_users=1] = call_module[target=fc](args = (%x,), kwargs = {})
        Original traceback:
        ShapeProp error for: node=%ln_1 : [num_users=1] = call_module[target=ln](args = (%a,), kwargs = {}) with meta={'nn_module_stack': ()}
        from %a : [num_users=1] = get_attr[target=a] to %b : [num_users=1] = call_method[target=b](args = (%a,), kwargs = {}).
        """,
        """
        [graph_str, text, no head, no end]
        fc = call_module fc(x)
        [graph_str, text, no head, no end]
        ln_1 = call_module ln(a)
        [graph_str, text, no head, no end]
        a = get_attr a
        [graph_str, text, no head, no end]
        b = call_method b(a)
        """,
    )


def test_a_bracket_ends_a_name():
    check_uses("""
        graph():
            %sym_size_int : [num_users=1] = placeholder[target=sym_size_int]
            %a : [num_users=1] = call_function[target=f](args = ((%sym_size_]int,), [%sym_size_int]), kwargs = {})
                                                                   ^^^^^^^^^          ^^^^^^^^^^^^
            return a
                   ^
    """)


def test_two_records_quoted_on_one_line():
    check_graphs(
        """
        fusing %a : [num_users=1] = call_function[target=f](args = (%x,), kwargs = {k: (1, {a: 2})}) with %b : [num_users=1] = call_function[target=g](args = (%a,), kwargs = {})
        50% of %c : of it
        """,
        """
        [graph_str, text, no head, no end]
        a = call_function f(x)
        [graph_str, text, no head, no end]
        b = call_function g(a)
        """,
    )


def test_numbers_of_users_with_very_many_digits():
    dump = check_graphs(
        f"graph():\n    %x : [num_users={'9' * 5000}] = placeholder[target=x]\n    return x\n",
        """
        [graph_str, 1 broken]
        output = output (x)
        """,
    )
    assert dump.graphs[0].broken


def test_heads_of_other_graphs_in_strings():
    check_graphs(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %a : [num_users=1] = call_function[target=print](args = (%x, def forward(self, x):), kwargs = {})
            %b : [num_users=1] = call_function[target=print](args = (%a, [2026-11-29 17:00:00,000] Z:, graph()), kwargs = {})
            return b
        """,
        """
        [graph_str]
        x = placeholder x
        a = call_function print(x)
        b = call_function print(a)
        output = output (b)
        """,
    )


def test_very_many_kinds_of_calls():
    """More than are remembered at a time."""
    records = [
        f'    %a_{n} : "f32[{n}]" [num_users=1] = call_function[target=torch.f{n}](args = (%x, {n}, [{n}]), kwargs = {{dim: {n}}})'
        for n in range(5000)
    ]
    (graph,) = read("\n".join(["graph():", "    %x : [num_users=5000] = placeholder[target=x]", *records, ""])).graphs
    assert [(node.type, node.target, node.reads) for node in graph.nodes[1:]] == [
        (f"f32[{n}]", f"torch.f{n}", ("x",)) for n in range(5000)
    ]


def test_the_prefix_of_a_log_behind_a_record_is_none_wherever_it_stands():
    prefix = "V0102 12:00:00.000000 4242 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code] TRACED GRAPH"
    dump = f"""\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {{}}){prefix}
    %b : [num_users=1] = call_function[target=torch.relu](args = (%a,), kwargs = {{}})
    return b
"""
    for lines in (0, 1, 20_000):
        (graph,) = read("some words\n" * lines + dump).graphs
        assert [node.name for node in graph.nodes] == ["x", "a", "b", "output"]


def test_a_type_of_blanks_is_none():
    check_graphs(
        "graph():\n"
        "    %x : [num_users=1] = placeholder[target=x]\n"
        "    %a : \t [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n"
        "    %b : \t [num_users=1] = call_function[target=torch.relu](args = (%a,), kwargs = {}) \n"
        "    return b\n",
        """
        [graph_str]
        x = placeholder x
        a = call_function torch.relu(x)
        b = call_function torch.relu(a)
        output = output (b)
        """,
    )
