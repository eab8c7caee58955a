from textwrap import dedent

from fxgraph.features.symbols import symbols
from markers import marked

NESTED = """
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[2]"):
            body_0 = self.body_0
            wrap = torch.ops.higher_order.wrap(body_0, x);  body_0 = x = None
            return (wrap,)

        class body_0(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                return (relu,)
    graph():
        %x : [num_users=1] = placeholder[target=x]
        return x
"""


def outline(source: str) -> tuple[str, list]:
    text = marked(source)

    def shown(symbol):
        children = [shown(child) for child in symbol.children]
        around, name = symbol.span, symbol.name_span
        assert around.start <= name.start <= name.end <= around.end
        assert all(around.start <= child.span.start <= child.span.end <= around.end for child in symbol.children)
        line = (symbol.kind, symbol.name, symbol.detail)
        return (*line, children) if children else line

    return [shown(symbol) for symbol in symbols(text.snapshot)]


def test_graphs_nodes_and_nested_graphs():
    assert outline(NESTED) == [
        (
            "graph",
            "GraphModule",
            "4 nodes",
            [
                ("placeholder", "x", "x f32[2]"),
                ("get_attr", "body_0", "body_0"),
                ("call_function", "wrap", "higher_order.wrap"),
                ("output", "output", "output"),
                (
                    "graph",
                    "body_0",
                    "3 nodes, aten",
                    [
                        ("placeholder", "x", "x f32[2]"),
                        ("call_function", "relu", "aten.relu.default f32[2]"),
                        ("output", "output", "output"),
                    ],
                ),
            ],
        ),
        ("graph", "graph", "2 nodes", [("placeholder", "x", "x"), ("output", "output", "output")]),
    ]


def test_a_logged_graph_is_called_by_its_title_without_the_part_that_changes():
    prefix = "V1129 17:00:19.472000 99 torch/_dynamo/x.py:1] [0/1] [__graph_code] "
    message = """
    TRACED GRAPH
     ===== __compiled_fn_3_c9f87e78_039d_4442_8c87_3379cd694c3f =====
     <eval_with_key>.0 class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[2]"):
            return (x,)

        class body_0(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                return (x,)
    """
    (graph,) = outline("\n".join(prefix + line for line in dedent(message).strip().split("\n")))
    assert graph[:2] == ("graph", "__compiled_fn_3 [0/1]")
    assert graph[3][-1][:2] == ("graph", "body_0")


def test_no_graphs():
    assert outline("words") == []
