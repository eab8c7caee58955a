"""Many random edits of one large dump end in the same state as a fresh reading of the last text."""

from __future__ import annotations

import random
import time
from pathlib import Path

from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.documents import Change, changed
from reading.edits import BITS, edit_at, state

COUNT = 1_000
COMPARED_EVERY = 50
SEED = 5


def check_edits(path: Path, count: int = COUNT) -> float:
    """Edit a file's text as an editor does; half of the edits take back an earlier one, so that most of it stays whole.

    Returns the median milliseconds from an edit to the new graphs. Raises AssertionError with the number of edits
    after which something differs: graphs, nodes, places, line index or findings.
    """
    chosen = random.Random(SEED)
    snapshot = Snapshot(path.read_text(encoding="utf-8"), str(path))
    assert snapshot.dump.graphs
    undo: list[tuple[int, int, str]] = []
    spent = []
    for number in range(1, count + 1):
        text = snapshot.text
        if undo and chosen.random() < 0.5:
            start, end, inserted = undo.pop()
        else:
            start, end, inserted = edit_at(text, chosen.randrange(len(text)), chosen.randrange(30), chosen.choice(BITS))
            undo.append((start, start + len(inserted), text[start:end]))
        places = [snapshot.lines.position(offset, "utf-16") for offset in (start, end)]
        began = time.perf_counter()
        snapshot = changed(snapshot, [Change(inserted, *places)], number, "utf-16")
        assert snapshot.dump is not None
        spent.append(time.perf_counter() - began)
        if number % COMPARED_EVERY == 0:
            _compare(snapshot, number)
    return sorted(spent)[len(spent) // 2] * 1e3


def _compare(snapshot: Snapshot, number: int) -> None:
    fresh = Snapshot(snapshot.text, snapshot.path)
    after = f"differ after {number} edits (seed {SEED})"
    assert snapshot.lines.starts == fresh.lines.starts, f"the lines {after}"
    assert state(snapshot.dump) == state(fresh.dump), f"the graphs {after}"
    assert _findings(snapshot) == _findings(fresh), f"the findings {after}"


def _findings(snapshot: Snapshot) -> list[tuple[object, ...]]:
    return [(found.code, found.graph, found.span, found.name, found.message) for found in snapshot.findings()]
