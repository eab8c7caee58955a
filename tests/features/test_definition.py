from fxgraph.features.definition import definition
from markers import marked


def check_definition(source: str) -> None:
    """The cursor goes to the one mark, or nowhere if there is none."""
    text = marked(source)
    found = definition(text.snapshot, text.cursor)
    assert text.show([one.target for one in found]) == text.show(text.spans())
    for one in found:
        assert one.around.start <= one.target.start <= one.target.end <= one.around.end


def test_definition_of_argument():
    check_definition("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
             ^ definition
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%|x,), kwargs = {})
            return relu
    """)


def test_definition_from_the_return_line():
    check_definition("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
             ^^^^ definition
            return (rel|u,)
    """)


def test_definition_below_its_read():
    check_definition("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %neg : [num_users=1] = call_function[target=torch.neg](args = (%r|elu,), kwargs = {})
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
             ^^^^ definition
            return neg
    """)


def test_the_first_of_two_definitions():
    check_definition("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
             ^ definition
            %x : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            return |x
    """)


def test_an_undefined_name_has_no_definition():
    check_definition("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            return (x, go|ne)
    """)


def test_a_name_in_a_slice():
    check_definition("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %n : [num_users=1] = placeholder[target=n]
             ^ definition
            %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%x, slice(None, |n, None)), kwargs = {})
            return getitem
    """)


def test_a_definition_is_its_own_definition():
    check_definition("""
        graph():
            %x| : [num_users=1] = placeholder[target=x]
             ^ definition
            return x
    """)


def test_a_freed_name_and_a_parameter():
    code = """
        def forward(self, L_x_):
            l_x_ = L_x_
            ^^^^ definition
            relu = l_x_.relu();  l_x_ = None
            return (relu,)
    """
    check_definition(code.replace(";  l_x_", ";  l_|x_"))
    check_definition(code.replace("self, L_x_", "self, L_|x_"))


def test_the_right_side_of_a_line_that_joins_a_parameter_of_a_nested_graph():
    check_definition("""
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2]"):
                l_x_ = L_x_
                body_0 = self.body_0
                wrap = torch.ops.higher_order.wrap(body_0, l_x_);  body_0 = l_x_ = None
                return (wrap,)

            class body_0(torch.nn.Module):
                def forward(self, l_x_: "f32[2]"):
                    l_x__1 = l_|x_
                    ^^^^^^ definition

                    sin: "f32[2]" = l_x__1.sin();  l_x__1 = None
                    return (sin,)
    """)


NESTED = """
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[2]"):
            true_graph_0 = self.true_graph_0
            false_graph_0 = self.false_graph_0
            cond = torch.ops.higher_order.cond(x, true_graph_0, false_graph_0, [x]);  x = None
            return (cond,)

        class true_graph_0(torch.nn.Module):
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            def forward(self, x: "f32[2]"):
                return (x,)

        class false_graph_0(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                return (x,)
"""


def test_a_nested_graph_from_the_name_and_from_the_target():
    check_definition(NESTED.replace("        true_graph_0 =", "        true_|graph_0 ="))
    check_definition(NESTED.replace("self.true_graph_0", "self.true_|graph_0"))


def test_a_nested_graph_in_the_call_is_first_the_node_that_fetches_it():
    source = NESTED.replace("cond(x, true_graph_0", "cond(x, true_|graph_0")
    source = source.replace("        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n", "")
    fetched = "            true_graph_0 = self.true_graph_0\n"
    source = source.replace(fetched, f"{fetched}            ^^^^^^^^^^^^\n")
    check_definition(source)


def test_nameless_classes_are_bound_in_order():
    """torch 2.2 prints the body of every higher-order operator as `class <lambda>`."""
    source = NESTED.replace("class true_graph_0", "class <lambda>").replace("class false_graph_0", "class <lambda>")
    source = source.replace(
        "^" * len("class true_graph_0(torch.nn.Module):"), "^" * len("class <lambda>(torch.nn.Module):")
    )
    check_definition(source.replace("self.true_graph_0", "self.true_|graph_0"))


def test_nameless_classes_are_not_guessed_where_their_number_differs():
    source = NESTED.replace("class true_graph_0", "class <lambda>").replace("class false_graph_0", "class <lambda>")
    source = source.replace("        false_graph_0 = self.false_graph_0\n", "").replace("false_graph_0, [x]", "x, [x]")
    text = marked(source.replace("self.true_graph_0", "self.true_|graph_0"))
    assert definition(text.snapshot, text.cursor) == []
