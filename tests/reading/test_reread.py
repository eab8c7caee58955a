"""Reading after an edit gives what reading the new text afresh gives, or gives up."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fxgraph.features.snapshot import Snapshot
from fxgraph.reading import read, reread
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
        again, fresh = reread(dump, text, start, end, len(inserted)), read(text)
        if again is not None:
            assert state(again) == state(fresh)
        dump = again or fresh


def test_most_edits_inside_a_body_are_not_read_afresh():
    text = (FIXTURES / "block.aot_joint.graph.fxgraph").read_text()
    dump = read(text)
    low, high = text.index("call_function"), text.rindex("    return")
    chosen = random.Random(1)
    places = [chosen.randrange(low + 400, high - 400) for _ in range(50)]
    assert sum(reread(dump, f"{text[:at]} {text[at:]}", at, at, 1) is not None for at in places) >= 45


@pytest.mark.parametrize("form", ["graph.fxgraph", "readable.py"])
def test_snapshots_pile_edits_up_until_somebody_asks(form):
    snapshot = Snapshot((FIXTURES / f"block.aot_joint.{form}").read_text())
    assert snapshot.dump.graphs
    chosen = random.Random(2)
    for number in range(120):
        text = snapshot.text
        start, end, inserted = edit_at(text, chosen.randrange(len(text)), chosen.randrange(30), chosen.choice(BITS))
        changed = text[:start] + inserted + text[end:]
        if number % 3:
            snapshot = snapshot.edited(changed, start, end, len(inserted), number)
        else:
            snapshot = snapshot.replaced(changed, number)
        if number % 4 == 0:
            assert state(snapshot.dump) == state(read(changed))


def test_the_older_dump_is_let_go():
    snapshot = Snapshot((FIXTURES / "block.aot_joint.graph.fxgraph").read_text())
    assert snapshot.dump
    middle = len(snapshot.text) // 2
    after = snapshot.edited(f"{snapshot.text[:middle]} {snapshot.text[middle:]}", middle, middle, 1, 2)
    assert after.dump
    assert after._edit is None


def test_a_line_that_says_what_the_inputs_are_is_read_afresh():
    text = (FIXTURES / "block.aot_joint.readable.py").read_text()
    at = text.index("        # File:", len(text) // 2)
    line = "        x, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)\n"
    changed = text[:at] + line + text[at:]
    again = reread(read(text), changed, at, at, len(line))
    assert again is None or state(again) == state(read(changed))
