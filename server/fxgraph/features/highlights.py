"""The same name in its graph, marked: where it is written, read, and set to None."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fxgraph.features.definition import name_span
from fxgraph.features.frees import frees_of
from fxgraph.features.locate import Place, What, locate
from fxgraph.features.references import NAMES, defining_node, read_spans
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span


class Highlight(NamedTuple):
    """`writes` is True for the definition and where the name is set to None, False for a read."""

    span: Span
    writes: bool


def highlights(snapshot: Snapshot, offset: int, pause: Callable[[], None] = lambda: None) -> list[Highlight]:
    """The definition, the reads and the end of the name at a document offset; empty where no name is.

    `pause` is called now and then; what it raises ends the work.
    """
    place = locate(snapshot, offset)
    if place is None or place.name is None or place.what not in NAMES:
        return []
    node = defining_node(snapshot, place)
    written = [Highlight(name_span(place.graph, node), writes=True)] if node is not None else []
    read = [Highlight(span, writes=False) for span in read_spans(snapshot, place, pause)]
    return written + read + [Highlight(span, writes=True) for span in _freed(snapshot, place)]


def _freed(snapshot: Snapshot, place: Place) -> list[Span]:
    """Where the name is set to None: behind a node that reads it, or behind its own."""
    graph = place.graph
    node = defining_node(snapshot, place)
    links = snapshot.facts[graph.index].links
    nodes = [] if node is None else [node, *links.users[node.index]]
    if place.what is What.FREE and place.node is not None and place.node not in nodes:
        nodes.append(place.node)
    found = {use.start: use for node in nodes for use in frees_of(graph, node) if use.name == place.name}
    return [graph.page.span(start, start + len(use.name)) for start, use in sorted(found.items())]
