"""Comments quote lines of the user's program: whatever stands in them begins no graph."""

import pytest

from markers import marked


@pytest.mark.parametrize("code", ["def forward(self, x): return x.relu()", "class Net(torch.nn.Module):", "graph():"])
def test_quoted_code_begins_no_graph(code):
    text = marked("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # File: net.py:3 in forward, code: CODE
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                return (relu,)
    """)
    text.text = text.text.replace("CODE", code)
    (graph,) = text.snapshot.dump.graphs
    assert [node.name for node in graph.nodes] == ["x", "relu", "output"]
    assert graph.is_whole
