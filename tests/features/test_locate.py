import pytest

from fxgraph.features.locate import What, locate
from markers import marked

PRINTED = """
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})
        return (mm,)
"""
READABLE = """
    class GraphModule(torch.nn.Module):
        def forward(self, L_x_: "f32[2, 3]"):
            l_x_ = L_x_

            # File: model.py:4 in forward, code: return x.relu()
            relu: "f32[2, 3]" = l_x_.relu();  l_x_ = None
            return (relu,)
"""


@pytest.mark.parametrize(
    ("around", "inside", "what", "name", "found"),
    [
        ("%x : ", 1, What.DEFINITION, "x", "x"),
        ("%x : ", 0, What.DEFINITION, "x", "x"),
        ("%x : ", 2, What.DEFINITION, "x", "x"),
        ("%x, ", 1, What.USE, "x", "x"),
        ("%x), ", 2, What.USE, "x", "x"),
        ("return", 2, What.DEFINITION, "output", "return"),
        ("mm,)", 0, What.USE, "mm", "mm"),
        ("call_function", 3, What.OPCODE, None, "call_function"),
        ("num_users=1] = call_f", 4, What.USERS, None, "num_users=1"),
        ("torch.ops.aten", 8, What.TARGET, None, "torch.ops.aten.mm.default"),
        ("graph():", 0, What.HEAD, None, "graph():"),
        ("kwargs = {}", 2, What.RECORD, None, None),
    ],
)
def test_in_a_printed_graph(around, inside, what, name, found):
    check(PRINTED, around, inside, what, name, found)


@pytest.mark.parametrize(
    ("around", "inside", "what", "name", "found"),
    [
        ("class Graph", 2, What.HEAD, None, None),
        ("forward(self", 2, What.HEAD, None, None),
        ("L_x_: ", 1, What.PARAMETER, "l_x_", "L_x_"),
        ("l_x_ = L_", 1, What.DEFINITION, "l_x_", "l_x_"),
        ("L_x_\n", 1, What.PARAMETER, "l_x_", "L_x_"),
        ("l_x_.relu()", 0, What.USE, "l_x_", "l_x_"),
        ("l_x_ = None", 2, What.FREE, "l_x_", "l_x_"),
        ("File: model", 1, What.SOURCE, None, None),
        ('f32[2, 3]" = ', 1, What.TYPE, None, "f32[2, 3]"),
        ("relu();", 2, What.TARGET, None, "relu"),
    ],
)
def test_in_readable_code(around, inside, what, name, found):
    check(READABLE, around, inside, what, name, found)


def check(source, around, inside, what, name, found):
    text = marked(source)
    offset = text.at(around) + inside
    place = locate(text.snapshot, offset)
    assert place is not None
    assert (place.what, place.name) == (what, name)
    assert place.span.start <= offset <= place.span.end or text.text[offset] == "%"
    if found is not None:
        assert text.text[place.span.start : place.span.end] == found


def test_a_use_is_preferred_to_what_ends_there():
    text = marked("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %neg : [num_users=1] = call_function[target=torch.neg](args = (%x,), kwargs = {})
            return neg
    """)
    offset = text.at("x,)") + 1
    assert locate(text.snapshot, offset).what is What.USE


def test_nothing_stands_between_graphs():
    text = marked("""
        Some words.

        graph():
            %x : [num_users=1] = placeholder[target=x]
            return x

        More words, with x in them.
    """)
    assert locate(text.snapshot, text.at("words.")) is None
    assert locate(text.snapshot, text.at("with x") + 5) is None
    assert locate(text.snapshot, 10**9) is None


def test_the_same_name_in_nested_graphs():
    text = marked("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                body_0 = self.body_0
                wrap = torch.ops.higher_order.wrap(body_0, x);  body_0 = x = None
                return (wrap,)

            class body_0(torch.nn.Module):
                def forward(self, x: "f32[2]"):
                    relu = torch.relu(x);  x = None
                    return (relu,)
    """)
    assert locate(text.snapshot, text.at("x);  body")).graph.name == "GraphModule"
    assert locate(text.snapshot, text.at("x);  x")).graph.name == "body_0"


def test_inputs_whose_order_is_not_that_of_the_text():
    text = marked("""
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2]", s77: "Sym(s77)", L_y_: "f32[2]", s8: "Sym(s8)"):
                l_x_ = L_x_
                l_y_ = L_y_
                y: "f32[3]" = my.linear(l_x_, l_y_, s77, s8)
                return (y,)
    """)
    for words, name in (
        ("s77: ", "s77"),
        ("l_x_ = ", "l_x_"),
        ("l_y_ = ", "l_y_"),
        ("s8: ", "s8"),
        ('y: "f32[3]"', "y"),
    ):
        place = locate(text.snapshot, text.at(words))
        assert place is not None
        assert (place.what, place.name) == (What.DEFINITION, name)
