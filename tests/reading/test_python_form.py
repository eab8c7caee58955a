"""Generated code, by its grammar and by what releases and options of torch print differently."""

from __future__ import annotations

from reading.checks import check_graphs, check_nothing, check_uses


def test_code():
    check_graphs(
        """
        def forward(self, x : torch.Tensor, input = None, *rest, **extra) -> typing_Tuple[torch.Tensor]:
            input_1 = input
            layers_0 = getattr(self.layers, "0")(x);  x = None
            weight = getattr(getattr(self.seq, "2"), "0").weight
            fc = self.fc(layers_0, weight);  layers_0 = weight = None
            add = fc + input_1;  input_1 = None
            getitem = add[(slice(None, fc, None), None)]
            shape = getitem.shape
            abs_1 = _operator_abs(shape)
            neg = -abs_1
            helper = models_helper_fn(neg, mode = 'a;  b = None', n = inf);  neg = None
            return {'a': (helper,), 'b': fc}
        """,
        """
        [code]
        x : torch.Tensor = placeholder x
        input_1 = placeholder input
        rest = placeholder *rest
        extra = placeholder **extra
        layers_0 = call_module layers.0(x) - x
        weight = get_attr seq.2.0.weight
        fc = call_module fc(layers_0, weight) - layers_0, weight
        add = call_function operator.add(fc, input_1) - input_1
        getitem = call_function operator.getitem(add, fc)
        shape = call_function builtins.getattr(getitem)
        abs_1 = call_function operator.abs(shape)
        neg = call_function operator.neg(abs_1)
        helper = call_function models_helper_fn(neg) - neg
        output = output (helper, fc)
        """,
    )


def test_readable():
    dump = check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2, 3]", s77: "Sym(s17)"):
                l_x_ = L_x_

                # File: /home/user/net.py:46 in forward, code: y = x.view(b, -1)  # comment
                y: "f32[2, s17]" = l_x_.view(s77, -1);  l_x_ = None
                max_1 = torch.max(y, dim = 1);  y = None
                getitem: "f32[2]" = max_1[0];  max_1 = None
                return (getitem,)
        """,
        """
        [GraphModule, readable]
        l_x_ : f32[2, 3] = placeholder L_x_
        s77 : Sym(s17) = placeholder s77
        y : f32[2, s17] = call_method view(l_x_, s77) - l_x_
        max_1 = call_function torch.max(y) - y
        getitem : f32[2] = call_function operator.getitem(max_1) - max_1
        output = output (getitem)
        """,
    )
    assert len(dump.graphs[0].comments) == 1


def test_uses():
    check_uses("""
        def forward(self, x, y):
            add = x + y;  x = None
                  ^   ^
            f = torch.cat([add, y], dim = -1, x = 'add')
                           ^^^  ^
            g = f.masked_fill(add == 'f', add)
                ^             ^^^         ^^^
            h = self.layers.f(g)
                              ^
            return [g, (h, None), {'g': f}]
                    ^   ^               ^
    """)


def test_nested_classes():
    check_graphs(
        """
        class <lambda>(torch.nn.Module):
            def forward(self, arg0_1: "f32[3]"):
                # No stacktrace found for following nodes
                true_graph_0 = self.true_graph_0
                cond = torch.ops.higher_order.cond(arg0_1, true_graph_0, true_graph_0, (arg0_1,));  arg0_1 = true_graph_0 = None
                return cond

            class a b-c(torch.nn.Module):
                def forward(self, arg0_1: "f32[3]"):
                    return (arg0_1,)

                class 0(torch.nn.Module):
                    def forward(self):
                        pass

            class class(torch.nn.Module):
                def forward(self, arg0_1: "f32[3]"):
                    return (arg0_1,)
        """,
        """
        [<lambda>, readable]
        arg0_1 : f32[3] = placeholder arg0_1
        true_graph_0 = get_attr true_graph_0
        cond = call_function torch.ops.higher_order.cond(arg0_1, true_graph_0, true_graph_0, arg0_1) - arg0_1, true_graph_0
        output = output (cond)
        [a b-c, readable, in 0]
        arg0_1 : f32[3] = placeholder arg0_1
        output = output (arg0_1)
        [0, readable, in 1]
        [class, readable, in 0]
        arg0_1 : f32[3] = placeholder arg0_1
        output = output (arg0_1)
        """,
    )


def test_bodies_of_torch_2_2_are_all_called_lambda():
    check_graphs(
        """
        class <lambda>(torch.nn.Module):
            def forward(self, arg0_1: "f32[3]"):
                true_graph_0 = self.true_graph_0
                false_graph_0 = self.false_graph_0
                conditional = torch.ops.higher_order.cond(arg0_1, true_graph_0, false_graph_0, [arg0_1]);  arg0_1 = true_graph_0 = false_graph_0 = None
                return conditional

            class <lambda>(torch.nn.Module):
                def forward(self, arg0_1: "f32[3]"):
                    return (arg0_1,)

            class <lambda>(torch.nn.Module):
                def forward(self, arg0_1: "f32[3]"):
                    return (arg0_1,)
        """,
        """
        [<lambda>, readable]
        arg0_1 : f32[3] = placeholder arg0_1
        true_graph_0 = get_attr true_graph_0
        false_graph_0 = get_attr false_graph_0
        conditional = call_function torch.ops.higher_order.cond(arg0_1, true_graph_0, false_graph_0, arg0_1) - arg0_1, true_graph_0, false_graph_0
        output = output (conditional)
        [<lambda>, readable, in 0]
        arg0_1 : f32[3] = placeholder arg0_1
        output = output (arg0_1)
        [<lambda>, readable, in 0]
        arg0_1 : f32[3] = placeholder arg0_1
        output = output (arg0_1)
        """,
    )


def test_a_submodule_called_class():
    check_graphs(
        """
        def forward(self, x):
            layers_class = self.layers.class(x);  x = None
            lambda_1 = self.lambda.weight
            return (layers_class, lambda_1)
        """,
        """
        [code]
        x = placeholder x
        layers_class = call_module layers.class(x) - x
        lambda_1 = get_attr lambda.weight
        output = output (layers_class, lambda_1)
        """,
    )


def test_print_of_a_module():
    check_graphs(
        """
        GraphModule(
          (fc): Linear(in_features=3, out_features=4, bias=True)
        )



        def forward(self, x):
            fc = self.fc(x);  x = None
            return fc

        # To see more debug info, please use `graph_module.print_readable()`
        """,
        """
        [code]
        x = placeholder x
        fc = call_module fc(x) - x
        output = output (fc)
        """,
    )


def test_comments_of_torch_2_6_stand_one_column_deeper():
    dump = check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                 # File: net.py:46 in forward, code: return x.relu()
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None

                 #
                sin: "f32[2]" = torch.ops.aten.sin.default(relu);  relu = None
                return (sin,)
        """.replace(" #\n", " # \n"),
        """
        [GraphModule, readable]
        x : f32[2] = placeholder x
        relu : f32[2] = call_function torch.ops.aten.relu.default(x) - x
        sin : f32[2] = call_function torch.ops.aten.sin.default(relu) - relu
        output = output (sin)
        """,
    )
    assert len(dump.graphs[0].comments) == 2


def test_blank_lines_of_torch_1_13_hold_blanks():
    check_graphs(
        "class M(torch.nn.Module):\n    def forward(self, x):\n        # No stacktrace found for following nodes \n"
        "        fc = self.fc(x);  x = None\n        \n        relu = torch.relu(fc);  fc = None\n        return relu\n        ",
        """
        [M, readable]
        x = placeholder x
        fc = call_module fc(x) - x
        relu = call_function torch.relu(fc) - fc
        output = output (relu)
        """,
    )


def test_generated_code_quoted_in_a_comment():
    check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # Annotation: {'a': True} File: <eval_with_key>.1072:5 in forward, code: sin = torch.sin(x);  x = None
                sin: "f32[2]" = torch.ops.aten.sin.default(x);  x = None
                # File: net.py:3 in forward, code: def forward(self, x): return x.relu()
                cos: "f32[2]" = torch.ops.aten.cos.default(sin);  sin = None
                return (cos,)
        """,
        """
        [GraphModule, readable]
        x : f32[2] = placeholder x
        sin : f32[2] = call_function torch.ops.aten.sin.default(x) - x
        cos : f32[2] = call_function torch.ops.aten.cos.default(sin) - sin
        output = output (cos)
        """,
    )


def test_wrapped_functions_and_imports():
    check_graphs(
        """
        import torch
        from math import inf
        device = torch.device
        torch.fx._symbolic_trace.wrap("models_helper_fn")
        class M(torch.nn.Module):
            torch.fx._symbolic_trace.wrap("models_helper_fn")

            def forward(self, x):
                helper_fn = models_helper_fn(x);  x = None
                return helper_fn
        """,
        """
        [M, readable]
        x = placeholder x
        helper_fn = call_function models_helper_fn(x) - x
        output = output (helper_fn)
        """,
    )


def test_expanded_def():
    check_graphs(
        """
        class inner_f(torch.nn.Module):
            def forward(
                self,
                primals_1: "f32[2, 3]",  # PlainAOTInput(idx=0)
                tangents_1: "f32[2, 3]",  # TangentAOTInput(output=PlainAOTOutput(idx=0))
            ):
                relu: "f32[2, 3]" = torch.ops.aten.relu.default(primals_1);  primals_1 = None
                return (
                    relu,  # PlainAOTOutput(idx=0)
                    None,  # None
                    tangents_1,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))
                )
        """,
        """
        [inner_f, readable]
        primals_1 : f32[2, 3] = placeholder primals_1
        tangents_1 : f32[2, 3] = placeholder tangents_1
        relu : f32[2, 3] = call_function torch.ops.aten.relu.default(primals_1) - primals_1
        output = output (relu, tangents_1)
        """,
    )


def test_record_func():
    check_graphs(
        """
        def forward(self, x):
            _rf = torch._C._profiler._RecordFunctionFast('## ENTER_GRAPH_PLACEHOLDER_KEY ##'); _rf.__enter__()
            _rf_relu = torch._C._profiler._RecordFunctionFast('## 5 ##'); _rf_relu.__enter__()
            relu = torch.relu(x);  x = None
            _rf_relu.__exit__(None, None, None)
            _rf.__exit__(None, None, None)
            return relu
        """,
        """
        [code]
        x = placeholder x
        relu = call_function torch.relu(x) - x
        output = output (relu)
        """,
    )


def test_show_meta():
    check_graphs(
        '''
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                """
                val: 'FakeTensor(..., size=(2,))'
                from_node: "[NodeSource(name='relu', y = None)]"
                x = foo(y)
                """
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                """
                seq_nr: '3'
                """
                return (relu,)
        ''',
        """
        [GraphModule, readable]
        x : f32[2] = placeholder x
        relu : f32[2] = call_function torch.ops.aten.relu.default(x) - x
        output = output (relu)
        """,
    )


def test_colours():
    dump = check_graphs(
        "class GraphModule(torch.nn.Module):\n"
        '    def forward(self, x: "\x1b[31mf32\x1b[0m\x1b[34m[2]\x1b[0m"):\n'
        '        relu: "\x1b[31mf32\x1b[0m\x1b[34m[2]\x1b[0m" = \x1b[2mtorch.relu\x1b[0m(x);  x = None\n'
        "        return (relu,)\n",
        """
        [GraphModule, readable]
        x : f32[2] = placeholder x
        relu : f32[2] = call_function torch.relu(x) - x
        output = output (relu)
        """,
    )
    node = dump.graphs[0].nodes[1]
    assert dump.text[dump.graphs[0].page.to_document(node.start) :].startswith("relu: ")


def test_flattened_inputs():
    check_graphs(
        """
        class inner_f(torch.nn.Module):
            def forward(self, primals, tangents):
                primals_1: "f32[2, 3]"; primals_2: "Sym(s17)"; tangents_1: "f32[2]";

                primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
                # File: net.py:4 in forward, code: x
                mul: "f32[2, 3]" = torch.ops.aten.mul.Tensor(primals_1, primals_2);  primals_1 = primals_2 = None
                return pytree.tree_unflatten([mul, tangents_1, None], self._out_spec)
        """,
        """
        [inner_f, readable]
        primals_1 : f32[2, 3] = placeholder primals_1
        primals_2 : Sym(s17) = placeholder primals_2
        tangents_1 : f32[2] = placeholder tangents_1
        mul : f32[2, 3] = call_function torch.ops.aten.mul.Tensor(primals_1, primals_2) - primals_1, primals_2
        output = output (mul, tangents_1)
        """,
    )


def test_flattened_inputs_with_joining_lines():
    check_graphs(
        """
        def forward(self, arg_0, arg_1):
            input, l_flat_args_0_, = fx_pytree.tree_flatten_spec(([arg_0, arg_1], {}), self._in_spec)
            input_1 = input
            add = torch.ops.aten.add.Tensor(input_1, l_flat_args_0_);  input_1 = l_flat_args_0_ = None
            return pytree.tree_unflatten((add,), self._out_spec)
        """,
        """
        [code]
        input_1 = placeholder input
        l_flat_args_0_ = placeholder l_flat_args_0_
        add = call_function torch.ops.aten.add.Tensor(input_1, l_flat_args_0_) - input_1, l_flat_args_0_
        output = output (add)
        """,
    )


def test_bytecode_flatten_of_functional_export():
    check_graphs(
        """
        def forward(self, args_0, args_1):
            _fn_args = (args_0, args_1)
            L_w_ , L_x_ , = self._dynamo_bytecode_flatten(*_fn_args)
            l_w_ = L_w_
            l_x_ = L_x_
            add = l_w_ + l_x_;  l_w_ = l_x_ = None
            return self._dynamo_bytecode_unflatten((add,), _fn_args)
        """,
        """
        [code]
        l_w_ = placeholder L_w_
        l_x_ = placeholder L_x_
        add = call_function operator.add(l_w_, l_x_) - l_w_, l_x_
        output = output (add)
        """,
    )


def test_shuffle_graph_of_functional_export():
    check_graphs(
        """
        def forward(self, args_0):
            _tree_leaf_0, _tree_leaf_1, = pytree.tree_leaves((self, args_0,))
            L_x_, = self._in_shuffle_graph(_tree_leaf_0, _tree_leaf_1)
            l_x_ = L_x_
            relu = torch.relu(l_x_);  l_x_ = None
            return pytree.tree_unflatten(self._out_shuffle_graph(_tree_leaf_0, _tree_leaf_1, relu), self._out_spec)
        """,
        """
        [code]
        l_x_ = placeholder L_x_
        relu = call_function torch.relu(l_x_) - l_x_
        output = output (relu)
        """,
    )


def test_boxed_arguments():
    check_graphs(
        """
        def forward(self, args_list):
            args_iter = iter(args_list)
            x = next(args_iter)
            y = next(args_iter)
            args_list.clear()
            call_boxed_arg_0 = [x, y]
            add = x + y;  x = y = None
            return (add,)
        """,
        """
        [code]
        x = placeholder x
        y = placeholder y
        add = call_function operator.add(x, y) - x, y
        output = output (add)
        """,
    )


def test_in_place_operators_and_item_assignment():
    check_graphs(
        """
        def forward(self, x, y):
            x += y;  iadd = x;  x = None
            iadd[0] = y;  setitem = iadd;  setitem = None
            iadd //= 2;  ifloordiv = iadd;  iadd = None
            return (ifloordiv, y)
        """,
        """
        [code]
        x = placeholder x
        y = placeholder y
        iadd = call_function operator.iadd(x, y) - x
        setitem = call_function operator.setitem(iadd, y) - setitem
        ifloordiv = call_function operator.ifloordiv(iadd) - iadd
        output = output (ifloordiv, y)
        """,
    )


def test_graph_without_nodes():
    check_graphs(
        """
        class Interpreter(torch.nn.Module):
            def forward(self):
                pass
        """,
        "[Interpreter, readable]",
    )


def test_graph_that_a_failing_export_prints():
    check_graphs(
        """
        Traceback (most recent call last):
          File "a.py", line 3, in <module>
            return self._call_impl(*args, **kwargs)
        torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on u0 > 2

        The following call raised this error:

        def forward(self, arg0_1: "f32[3]", arg1_1: "f32[]"):
            # File: net.py:9 in forward, code: n = x.item()
            item: "Sym(u0)" = torch.ops.aten.item.default(arg1_1);  arg1_1 = None
            ge: "Sym(u0 >= 0)" = item >= 0

        For more information, run with TORCH_LOGS="dynamic"
        """,
        """
        [readable, no end]
        arg0_1 : f32[3] = placeholder arg0_1
        arg1_1 : f32[] = placeholder arg1_1
        item : Sym(u0) = call_function torch.ops.aten.item.default(arg1_1) - arg1_1
        ge : Sym(u0 >= 0) = call_function operator.ge(item)
        """,
    )


def test_unlifted_attributes_before_the_inputs():
    check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x):
                x: "f32[2]";

                x, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)
                weight: "f32[2]" = self.fc.weight
                _guards_fn = self._guards_fn(x);  _guards_fn = None
                mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, weight);  x = weight = None
                return pytree.tree_unflatten((mul,), self._out_spec)
        """,
        """
        [GraphModule, readable]
        x : f32[2] = placeholder x
        weight : f32[2] = get_attr fc.weight
        _guards_fn = call_module _guards_fn(x) - _guards_fn
        mul : f32[2] = call_function torch.ops.aten.mul.Tensor(x, weight) - x, weight
        output = output (mul)
        """,
    )


def test_values_that_are_no_nodes():
    check_uses("""
        def forward(self, x):
            full = torch.ops.aten.full.default([2, 3], inf, dtype = torch.float32, device = device(type='cpu'))
            a = torch.f(x, nan, "it's x", torch.Tensor(size=[2], dtype=x), complex(0.0, 2.0), -1.0, 1e-05, b'x')
                        ^                                              ^
            c = torch.f(full, Reduction.SUM, None, True, Ellipsis, {'x': a}, (1+2j));  full = a = None
                        ^^^^                                             ^
            return (c,)
                    ^
    """)


def test_what_people_write_is_no_graph():
    check_nothing("""
        import torch
        from torch import nn
        import torch.nn.functional as F


        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 4)

            def forward(self, x):
                # File: the model
                x = self.fc(x)
                x = F.relu(x)
                if x.sum() > 0:
                    x = x + 1
                y = torch.relu(self.fc(x)) + torch.sin(x)
                return self.fc(y), x


        def forward(self, x):
            return x + 1


        class Wrapper(torch.nn.Module):
            def forward(self, *args, **kwargs):
                with torch.no_grad():
                    return self.module(*args, **kwargs)


        class Loss(torch.nn.Module):
            def __init__(self, module, loss):
                super().__init__()
                self.module, self.loss = module, loss

            def forward(self, x: "torch.Tensor", target):
                out = self.module(x)
                loss = self.loss(out, target)
                return loss


        class Scale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                y = torch.mul(x, factor)
                z = torch.relu(y)
                return z


        class Decorated(torch.nn.Module):
            @some_decorator
            def forward(self, x):
                y = torch.relu(x)
                y_1 = torch.sin(y)
                return y_1
    """)


def test_a_broken_line_spoils_one_line():
    check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                relu: "f32[2]" = torch.relu(x;  x = None
                sin: "f32[2]" = torch.sin(relu);  relu = None
                return (sin,)
        """,
        """
        [GraphModule, readable, 1 broken]
        x : f32[2] = placeholder x
        sin : f32[2] = call_function torch.sin(relu) - relu
        output = output (sin)
        """,
    )


def test_cut_in_the_inputs():
    check_graphs(
        'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[2]", y: "f32[2]", z: "f3',
        """
        [GraphModule, readable, no end]
        x : f32[2] = placeholder x
        y : f32[2] = placeholder y
        z = placeholder z
        """,
    )


def test_a_foreign_line_with_an_open_bracket_takes_nothing_of_the_next():
    check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
               ( see below
                relu: "f32[2]" = torch.relu(x);  x = None
                sin: "f32[2]" = torch.sin(relu);  relu = None  # )
                return (sin,)
        """,
        """
        [GraphModule, readable]
        x : f32[2] = placeholder x
        relu : f32[2] = call_function torch.relu(x) - x
        sin : f32[2] = call_function torch.sin(relu) - relu
        output = output (sin)
        """,
    )


def test_a_bracket_too_many_and_one_too_few_spoil_their_own_lines():
    check_graphs(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
              relu: "f32[2]" = torch.relu(x], [;  x = None
                sin: "f32[2]" = torch.sin(relu);  relu = None
                cos: "f32[2]" = torch.cos(sin]);  sin = None
                tan: "f32[2]" = torch.tan(cos);  cos = None
                return (tan,)
        """,
        """
        [GraphModule, readable, 2 broken]
        x : f32[2] = placeholder x
        sin : f32[2] = call_function torch.sin(relu) - relu
        tan : f32[2] = call_function torch.tan(cos) - cos
        output = output (tan)
        """,
    )
