from features.test_hints import DYNAMO, FORWARD
from features.test_saved import logged
from fxgraph.features.lens import lenses, table_text
from fxgraph.features.snapshot import Snapshot


def test_a_lens_above_each_graph_of_a_compilation():
    text = logged(("0/0", DYNAMO.format(weight="f32[3, 2]")), ("0/0", FORWARD), ("0/1", FORWARD))
    found = lenses(Snapshot(text))
    assert [(text[lens.span.start : lens.span.end].strip(), lens.graph) for lens in found] == [
        ("class GraphModule(torch.nn.Module):", 0),
        ("class GraphModule(torch.nn.Module):", 1),
        ("class GraphModule(torch.nn.Module):", 2),
    ]
    assert [lens.summary for lens in found] == [
        "torch, dynamo, 4 nodes, 2 inputs (32 B), returns 12 B",
        "aten, aot_forward, 4 nodes, 2 inputs (32 B), returns 20 B",
        "aten, aot_forward, 4 nodes, 2 inputs (32 B), returns 20 B",
    ]
    following = [lens.following and (lens.following[0], lens.following[1]) for lens in found]
    assert following == [("Forward graph 0 [0/0]", found[1].span), None, None]


def test_dynamos_graph_below_others_is_that_of_a_later_compilation():
    dynamo = DYNAMO.format(weight="f32[3, 2]")
    found = lenses(Snapshot(logged(("0/0", FORWARD), ("0/0", dynamo), ("0/0", FORWARD))))
    assert [lens.following is not None for lens in found] == [False, True, False]


def test_sizes_that_are_not_known_and_dead_nodes():
    text = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %lost : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    return x
"""
    assert [lens.summary for lens in lenses(Snapshot(text))] == ["aten, 3 nodes, 1 input, 1 dead"]


def test_a_node_that_other_text_quotes_has_no_lens():
    quoted = "While executing %relu : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {})\n"
    assert lenses(Snapshot(quoted)) == []


def test_the_table_of_a_graph_as_text():
    text = logged(("0/0", FORWARD))
    assert (
        table_text(Snapshot(text), 0)
        == """\
Forward graph 0 [0/0]: aten, aot_forward, 4 nodes, 2 inputs (32 B), returns 20 B

opcode         name       target                     shape   dtype  users
placeholder    primals_1  primals_1                  (2,)    f32    2
placeholder    primals_2  primals_2                  (3, 2)  f32    1
call_function  mv         torch.ops.aten.mv.default  (3,)    f32    1
output         output     output
"""
    )
    assert table_text(Snapshot(text), 1) is None
    assert table_text(Snapshot(text), -1) is None
