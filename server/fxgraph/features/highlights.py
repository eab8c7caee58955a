"""The same name in its graph, marked: where it is written and where it is read."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph.features.definition import name_span
from fxgraph.features.locate import locate
from fxgraph.features.references import NAMES, defining_node, read_spans
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span


class Highlight(NamedTuple):
    """`writes` is True for the definition and False for a read."""

    span: Span
    writes: bool


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    """The definition and the reads of the name at a document offset; empty where no name is."""
    place = locate(snapshot, offset)
    if place is None or place.name is None or place.what not in NAMES:
        return []
    node = defining_node(snapshot, place)
    written = [Highlight(name_span(place.graph, node), writes=True)] if node is not None else []
    return written + [Highlight(span, writes=False) for span in read_spans(snapshot, place)]
