import pytest

from fxgraph.features.highlights import highlights
from fxgraph.features.hover import hover
from fxgraph.features.references import has_many_reads, references
from fxgraph.features.snapshot import Snapshot
from fxgraph.reading import uses
from markers import marked


def check_references(source: str) -> None:
    """All marks are found: those called `definition` only when it is asked for, those called `freed` as highlights."""
    text = marked(source)
    reads = text.spans("")
    assert references(text.snapshot, text.cursor) == reads
    both = sorted(reads + text.spans("definition"))
    assert sorted(references(text.snapshot, text.cursor, include_definition=True)) == both
    marks = {(span, label != "") for span, label in text.marks}
    assert {(one.span, one.writes) for one in highlights(text.snapshot, text.cursor)} == marks


def test_references_of_an_input():
    check_references("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
             ^ definition
            %add : [num_users=1] = call_function[target=operator.add](args = (%x, %|x), kwargs = {})
                                                                               ^    ^
            %pad : [num_users=1] = call_function[target=torch.pad](args = ([%add], x), kwargs = {value: %x})
                                                                                                         ^
            return (pad,)
    """)


def test_lists_that_free_names_are_no_references():
    check_references("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                              ^ definition
                relu: "f32[2]" = torch.relu(x)
                                            ^
                neg: "f32[2]" = torch.neg(x);  |x = None
                                          ^
                                                ^ freed
                return (relu, neg)
    """)


def test_a_name_that_is_set_to_none_with_others_and_at_once():
    check_references("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                relu: "f32[2]" = torch.relu(x)
                neg: "f32[2]" = torch.neg(relu);  x = relu = neg| = None
                ^^^ definition
                                                             ^^^ freed
                return (relu,)
    """)


def test_references_from_the_return_line():
    check_references("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
             ^ definition
            return {'x': |x}
                          ^
    """)


def test_reads_of_a_name_that_is_nowhere_defined():
    check_references("""
        graph():
            %relu : [num_users=2] = call_function[target=torch.relu](args = (%gone,), kwargs = {})
                                                                              ^^^^
            %neg : [num_users=1] = call_function[target=torch.neg](args = (%|gone,), kwargs = {})
                                                                             ^^^^
            return (neg, relu)
    """)


def test_nothing_refers_to_an_opcode():
    text = marked("""
        graph():
            %x : [num_users=1] = place|holder[target=x]
            return x
    """)
    assert references(text.snapshot, text.cursor, include_definition=True) == []
    assert highlights(text.snapshot, text.cursor) == []


def wide(nodes: int) -> str:
    """Every node reads the one input."""
    call = "call_function[target=torch.ops.aten.add.Tensor]"
    lines = [f"    %n{i} : [num_users=0] = {call}(args = (%x, %x1), kwargs = {{}})" for i in range(nodes)]
    inputs = [f"    %{name} : [num_users={nodes}] = placeholder[target={name}]" for name in ("x", "x1")]
    return "\n".join(["graph():", *inputs, *lines, "    return (x,)", ""])


def test_reads_beside_strings_and_remarks():
    text = marked("""
        graph():
            %|x : [num_users=4] = placeholder[target=x]
            %a : [num_users=1] = call_function[target=torch.f](args = (%x, '%x', slice(x, None, None)), kwargs = {})
            %b : [num_users=1] = call_function[target=torch.f](args = (slice(x, None, None), '%x'), kwargs = {})
            %c : [num_users=1] = call_function[target=torch.f](args = ([%x, %x1], %x), kwargs = {other: %x})
            %d : [num_users=1] = call_function[target=torch.f](args = (slice(x, None, None), %x), kwargs = {})
            return (x,)
    """)
    graph = text.snapshot.dump.graphs[0]
    found = references(text.snapshot, text.cursor)
    wanted = [
        graph.page.span(use.start, use.start + 1)
        for node in graph.nodes
        for use in uses(graph, node)
        if use.name == "x"
    ]
    assert found == wanted
    assert len(found) == 9


def test_many_reads_can_be_broken_off():
    def pause():
        raise TimeoutError

    text = wide(3000)
    snapshot = Snapshot(text)
    at = text.index("%x") + 1
    assert has_many_reads(snapshot, at)
    assert not has_many_reads(snapshot, text.index("%n7 ") + 1)
    assert len(references(snapshot, at)) == 3001
    with pytest.raises(TimeoutError):
        references(snapshot, at, pause=pause)
    with pytest.raises(TimeoutError):
        highlights(snapshot, at, pause)


def test_a_hover_of_many_users_names_only_the_first(monkeypatch):
    named = []
    monkeypatch.setattr("fxgraph.features.hovers.life.named", lambda *about: named.append(about) or "one")
    text = wide(3000)
    assert "3,001 users: one" in hover(Snapshot(text), text.index("%x") + 1).markdown
    assert len(named) < 20
