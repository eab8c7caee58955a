"""Reading after an edit gives what reading the new text afresh gives, or gives up."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fxgraph.analysis import link
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.documents import Change, changed
from fxgraph.reading import Edit, followed_by, in_any_place, read, stretches
from fxgraph.reading.reread import reread
from reading.edits import BITS, edit_at, state

FIXTURES = Path(__file__).parents[2] / "fixtures" / "2.13.0"
DUMPS = sorted(path for path in FIXTURES.glob("*.*") if path.suffix in (".fxgraph", ".py", ".txt"))


@settings(max_examples=150, deadline=None)
@given(
    path=st.sampled_from(DUMPS),
    edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 29), st.sampled_from(BITS)), min_size=1, max_size=6),
)
def test_any_edits(path, edits):
    text = path.read_text(encoding="utf-8")
    dump = read(text)
    for where, kind, bit in edits:
        start, end, inserted = edit_at(text, int(where * len(text)), kind, bit)
        text = text[:start] + inserted + text[end:]
        again, fresh = reread(dump, text, [Edit(start, end, len(inserted))]), read(text)
        if again is not None:
            assert state(again.dump) == state(fresh)
        dump = again.dump if again is not None else fresh


@settings(max_examples=150, deadline=None)
@given(
    path=st.sampled_from(DUMPS),
    messages=st.lists(
        st.lists(st.tuples(st.floats(0, 1), st.integers(0, 29), st.sampled_from(BITS)), min_size=1, max_size=8),
        min_size=1,
        max_size=4,
    ),
)
def test_any_edits_in_messages(path, messages):
    snapshot = Snapshot(path.read_text(encoding="utf-8"))
    assert snapshot.dump is not None
    for number, edits in enumerate(messages):
        expected, changes = snapshot.text, []
        for where, kind, bit in edits:
            start, end, inserted = edit_at(expected, int(where * len(expected)), kind, bit)
            position = Snapshot(expected).lines.position
            changes.append(Change(inserted, position(start, "utf-16"), position(end, "utf-16")))
            expected = expected[:start] + inserted + expected[end:]
        if number % 2 == 0:  # else all edits since the last reading pile up
            _ = [facts.links for facts in snapshot.facts]
        snapshot = changed(snapshot, changes, number, "utf-16")
        fresh = Snapshot(expected)
        assert snapshot.text == expected
        assert snapshot.lines.starts == fresh.lines.starts
        if number % 2:
            assert state(snapshot.dump) == state(fresh.dump)
            assert [known_names(facts.links) for facts in snapshot.facts] == [
                known_names(link(graph)) for graph in fresh.dump.graphs
            ]


def known_names(links):
    return (
        links.places,
        list(links.readers),
        links.odd,
        links.later,
        links.ambiguous,
        [node.name for node in links.nodes],
    )


@given(
    text=st.text("ab\n", max_size=12),
    edits=st.lists(st.tuples(st.integers(0, 14), st.integers(0, 5), st.text("xy\n", max_size=4)), max_size=6),
)
def test_edits_become_edits_of_the_first_text(text, edits):
    combined, after = [], text
    for start, length, inserted in edits:
        start = min(start, len(after))
        end = min(start + length, len(after))
        after = after[:start] + inserted + after[end:]
        combined = followed_by(combined, Edit(start, end, len(inserted)))
    assert all(one.end < other.start for one, other in pairwise(combined))
    made, at, by = "", 0, 0
    for edit in combined:
        made += text[at : edit.start] + after[edit.start + by :][: edit.inserted]
        at = edit.end
        by += edit.by
    assert made + text[at:] == after


def test_each_place_has_one_node_and_older_versions_keep_theirs():
    before = read((FIXTURES / "block.aot_joint.graph.fxgraph").read_text())
    nodes = before.graphs[0].nodes
    starts = [node.start for node in nodes]
    at = before.text.rindex("\n", 0, nodes[len(nodes) // 2].begin)
    found = reread(before, f"{before.text[:at]}  {before.text[at:]}", [Edit(at, at, 2)])
    moved = found.dump.graphs[0].nodes
    last = moved[-2]
    assert last.start == starts[-2] + 2
    assert [moved[place] for place in range(len(moved))] == list(moved)
    assert moved[-2] is last is list(moved)[-2]
    assert [node.start for node in nodes] == starts
    assert found.same == {0}


def test_names_are_taken_over_where_no_name_changed():
    snapshot = Snapshot((FIXTURES / "block.aot_joint.graph.fxgraph").read_text())
    links = snapshot.facts[0].links
    at = snapshot.text.rindex("\n", 0, len(snapshot.text) // 2)
    spaced = snapshot.edited(f"{snapshot.text[:at]} {snapshot.text[at:]}", [Edit(at, at, 1)], 2)
    assert spaced.facts[0].links.readers is links.readers
    assert spaced.facts[0].links.definitions["add"] is spaced.dump.graphs[0].nodes[links.places["add"]]
    name = spaced.text.index("%", at) + 1
    renamed = spaced.edited(f"{spaced.text[:name]}x{spaced.text[name:]}", [Edit(name, name, 1)], 3)
    assert renamed.facts[0].links.readers is not links.readers
    assert list(renamed.facts[0].links.readers) == list(link(read(renamed.text).graphs[0]).readers)


def test_most_edits_inside_a_body_are_not_read_afresh():
    text = (FIXTURES / "block.aot_joint.graph.fxgraph").read_text()
    dump = read(text)
    low, high = text.index("call_function"), text.rindex("    return")
    chosen = random.Random(1)
    places = [chosen.randrange(low + 400, high - 400) for _ in range(50)]
    assert sum(reread(dump, f"{text[:at]} {text[at:]}", [Edit(at, at, 1)]) is not None for at in places) >= 45


@pytest.mark.parametrize("form", ["graph.fxgraph", "readable.py"])
def test_snapshots_pile_edits_up_until_somebody_asks(form):
    snapshot = Snapshot((FIXTURES / f"block.aot_joint.{form}").read_text())
    assert snapshot.dump.graphs
    chosen = random.Random(2)
    for number in range(120):
        text = snapshot.text
        start, end, inserted = edit_at(text, chosen.randrange(len(text)), chosen.randrange(30), chosen.choice(BITS))
        changed_text = text[:start] + inserted + text[end:]
        if number % 3:
            snapshot = snapshot.edited(changed_text, [Edit(start, end, len(inserted))], number)
        else:
            snapshot = snapshot.replaced(changed_text, number)
        if number % 4 == 0:
            assert state(snapshot.dump) == state(read(changed_text))


def test_the_older_dump_is_let_go():
    snapshot = Snapshot((FIXTURES / "block.aot_joint.graph.fxgraph").read_text())
    assert snapshot.dump
    middle = len(snapshot.text) // 2
    after = snapshot.edited(f"{snapshot.text[:middle]} {snapshot.text[middle:]}", [Edit(middle, middle, 1)], 2)
    assert after.dump
    assert after._older is None


def test_a_line_that_says_what_the_inputs_are_is_read_afresh():
    text = (FIXTURES / "block.aot_joint.readable.py").read_text()
    at = text.index("        # File:", len(text) // 2)
    line = "        x, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)\n"
    changed = text[:at] + line + text[at:]
    again = reread(read(text), changed, [Edit(at, at, len(line))])
    assert again is None or state(again.dump) == state(read(changed))


def test_nodes_are_looked_over_without_moving_one():
    text = (FIXTURES / "block.aot_joint.graph.fxgraph").read_text()
    snapshot = Snapshot(text)
    snapshot.dump  # noqa: B018 - read: the edit moves its nodes
    lines = text.split("\n")
    at = len("\n".join(lines[:8]))
    for line in (f"\n{lines[8].replace('%', '%x', 1)}", "  "):  # a node more, then blanks
        snapshot = snapshot.edited(f"{snapshot.text[:at]}{line}{snapshot.text[at:]}", [Edit(at, at, len(line))], 2)
        nodes = snapshot.dump.graphs[0].nodes
        fresh = read(snapshot.text).graphs[0].nodes
        assert [(node.name, node.target, node.reads) for node in in_any_place(nodes)] == [
            (node.name, node.target, node.reads) for node in fresh
        ]
        assert list(stretches(nodes)) == list(stretches(fresh)) == [(node.begin, node.end) for node in nodes]
