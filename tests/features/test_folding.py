from fxgraph.features.folding import folds
from fxgraph.features.snapshot import Snapshot
from markers import marked


def check_folds(source: str, expected: list[tuple[str, int, int]]) -> None:
    """`expected`: kind, first and last line from 1."""
    text = marked(source)
    line = text.snapshot.lines.line_of
    found = [(fold.kind, line(fold.span.start) + 1, line(fold.span.end - 1) + 1) for fold in folds(text.snapshot)]
    assert found == expected


def test_graphs_nested_graphs_and_source_lines():
    check_folds(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # File: model.py:3 in forward, code: y = x.relu().sin()
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                sin: "f32[2]" = torch.ops.aten.sin.default(relu);  relu = None

                # File: model.py:4 in forward, code: return wrap(y)
                body_0 = self.body_0
                wrap = torch.ops.higher_order.wrap(body_0, sin);  body_0 = sin = None
                return (wrap,)

            class body_0(torch.nn.Module):
                def forward(self, x: "f32[2]"):
                    # No stacktrace found for following nodes
                    neg: "f32[2]" = torch.ops.aten.neg.default(x);  x = None
                    return (neg,)
        """,
        [("graph", 1, 10), ("source", 3, 5), ("source", 7, 9), ("graph", 12, 16)],
    )


LOG = """
V1129 16:54:08.202000 29603 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code] TRACED GRAPH
V1129 16:54:08.202000 29603 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code]  ===== __compiled_fn_1 =====
V1129 16:54:08.202000 29603 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code]  m.py class G(torch.nn.Module):
V1129 16:54:08.202000 29603 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code]     def forward(self, x: "f32[2]"):
V1129 16:54:08.202000 29603 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code]         return (x,)
W1129 16:54:08.202000 29603 torch/_dynamo/convert_frame.py:1016] hit the limit
V1129 16:54:09.202000 29603 torch/fx.py:1833] [0/0] [__aot_graphs]  ===== Forward graph 0 =====
V1129 16:54:09.202000 29603 torch/fx.py:1833] [0/0] [__aot_graphs]  m.py class G(torch.nn.Module):
V1129 16:54:09.202000 29603 torch/fx.py:1833] [0/0] [__aot_graphs]     def forward(self, primals_1: "f32[2]"):
V1129 16:54:09.202000 29603 torch/fx.py:1833] [0/0] [__aot_graphs]         return (primals_1,)
"""


def test_the_graphs_of_one_compilation():
    check_folds(LOG, [("compile", 3, 10), ("graph", 3, 5), ("graph", 8, 10)])


def test_graphs_whose_lines_alternate_do_not_cross():
    graph = ["graph():", *(f"    %n{i} : [num_users=1] = placeholder[target=n{i}]" for i in range(4)), "    return n0"]
    lines = []
    for place, line in enumerate(graph):
        lines.append(f"[rank0]: {line}")
        if place:
            lines.append(f"[rank1]: {graph[place - 1]}")
    found = folds(Snapshot("\n".join([*lines, f"[rank1]: {graph[-1]}", ""])))
    spans = sorted(fold.span for fold in found)
    assert spans
    assert not any(one.start < other.start < one.end < other.end for one in spans for other in spans)
