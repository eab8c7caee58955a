from fxgraph.features.filters import parse_filters
from fxgraph.features.find import named_like, nodes_where
from markers import marked

TEXT = marked("""
graph():
    %x : [num_users=2] = placeholder[target=x]
    %relu_1 : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%relu_1,), kwargs = {})
    %my_relu : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    return relu
""")


def names(found):
    return [(one.name, TEXT.text[one.span.start : one.span.end]) for one in found]


def test_the_best_name_comes_first():
    assert names(named_like(TEXT.snapshot, "ReLU", 9)) == [(name, name) for name in ("relu", "relu_1", "my_relu")]
    assert names(named_like(TEXT.snapshot, "relu", 2)) == [("relu", "relu"), ("relu_1", "relu_1")]


def test_graphs_by_name_and_without_one():
    assert names(named_like(TEXT.snapshot, "", 9)) == [("graph", "graph():")]
    assert named_like(TEXT.snapshot, "grap", 9)[0].detail == "5 nodes"
    assert named_like(TEXT.snapshot, "lost", 9) == []


def test_nodes_by_filter():
    found = nodes_where(TEXT.snapshot, parse_filters(["target=relu"]))
    assert names(found) == [("relu_1", "relu_1"), ("relu", "relu")]
    assert [(one.kind, one.detail, one.graph) for one in found[:1]] == [("call_function", "aten.relu.default", "graph")]
    assert names(nodes_where(TEXT.snapshot, parse_filters(["dead"]))) == [("my_relu", "my_relu")]
