"""Every feature at many places of real dumps: it answers, and what it points at lies where it says."""

from pathlib import Path

import pytest

from fxgraph.features.definition import definition
from fxgraph.features.highlights import highlights
from fxgraph.features.hover import hover
from fxgraph.features.locate import What, locate
from fxgraph.features.references import references
from fxgraph.features.snapshot import Snapshot

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMPS = sorted(path for path in FIXTURES.glob("*/*") if path.suffix in (".fxgraph", ".log", ".py", ".txt"))[::11]
PLACES = 150


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_at_many_places(path):
    text = path.read_bytes().decode()
    snapshot = Snapshot(text, str(path))
    for offset in range(0, len(text) + 1, max(len(text) // PLACES, 1)):
        place = locate(snapshot, offset)
        shown = hover(snapshot, offset)
        assert shown is None or shown.span.start <= offset <= shown.span.end
        reads = references(snapshot, offset)
        if place is not None and place.what is What.USE:
            assert text[place.span.start : place.span.end] == place.name
            assert place.span in reads
            assert [one.span for one in highlights(snapshot, offset) if not one.writes] == reads
        for found in definition(snapshot, offset):
            assert 0 <= found.around.start <= found.target.start <= found.target.end <= found.around.end <= len(text)


@pytest.mark.parametrize("path", DUMPS[::5], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_text_that_is_cut_anywhere_is_answered(path):
    text = path.read_bytes().decode()
    for end in range(0, len(text), max(len(text) // 12, 1)):
        snapshot = Snapshot(text[:end], str(path))
        snapshot.findings()
        for offset in (0, end // 2, end):
            hover(snapshot, offset)
            definition(snapshot, offset)
