from features.test_saved import BACKWARD, FORWARD, logged
from fxgraph.features.hierarchy import Flow, flow_item, operands, users
from fxgraph.features.snapshot import Snapshot
from markers import Marked, marked


def check_flow(source: str) -> None:
    """The cursor's node reads what is marked `operand`, and is read where `read` is marked."""
    text = marked(source)
    assert text.cursor is not None
    assert selected(operands(text.snapshot, text.cursor)) == text.spans("operand")
    assert selected(users(text.snapshot, text.cursor)) == text.spans("read")


def selected(flows: list[Flow]) -> list:
    return [span for flow in flows for span in flow.spans]


def test_operands_and_users():
    check_flow("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
             ^ operand
            %y : [num_users=2] = placeholder[target=y]
             ^ operand
            %a|dd : [num_users=2] = call_function[target=operator.add](args = (%x, %y), kwargs = {})
            %mul : [num_users=1] = call_function[target=operator.mul](args = (%add, %add), kwargs = {})
                                                                               ^^^ read
                                                                                     ^^^ read
            return (add, mul)
                    ^^^ read
    """)


def test_a_read_stands_for_its_node():
    check_flow("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                              ^ operand
                relu: "f32[2]" = torch.relu(x);  x = None
                neg: "f32[2]" = torch.neg(re|lu);  relu = None
                                          ^^^^^ read
                return (neg,)
    """)


def item_at(text: Marked) -> tuple[str, str, str]:
    item = flow_item(text.snapshot, text.cursor)
    assert text.text[slice(*item.name_span)] == item.name
    assert item.span.start <= item.name_span.start <= item.name_span.end <= item.span.end
    return item.name, item.detail, item.opcode


def test_anywhere_in_a_record_stands_for_its_node():
    text = marked("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                relu: "f32[2]" = torch.ops.aten.re|lu.default(x);  x = None
                return (relu,)
    """)
    assert item_at(text) == ("relu", "aten.relu.default  f32[2]", "call_function")


def test_nothing_flows_through_a_head_or_beside_graphs():
    text = marked("""
        Some words.

        graph():
            %x : [num_users=1] = placeholder[target=x]
            return x
    """)
    assert flow_item(text.snapshot, text.at("words")) is None
    assert flow_item(text.snapshot, text.at("graph()")) is None
    assert operands(text.snapshot, text.at("words")) == users(text.snapshot, text.at("words")) == []


def test_across_the_values_that_a_forward_graph_saves():
    log = logged(("0/0", FORWARD.format(number=0)), ("0/0", BACKWARD.format(number=0)))
    snapshot = Snapshot(log)
    saved = log.index("cos: ")
    told = [(flow.item.name, flow.item.opcode, flow.item.detail) for flow in users(snapshot, saved)]
    assert told == [
        ("output", "output", "output"),
        ("cos", "placeholder", "cos  f32[2]  in Backward graph 0 [0/0]"),
    ]
    [source] = operands(snapshot, log.index('cos: "f32[2]", tangents_1'))
    assert (source.item.name, source.item.opcode) == ("cos", "call_function")
    assert source.spans[0].start == saved
    assert operands(snapshot, log.index("tangents_1: ")) == []
