"""Every place where a name is read."""

from __future__ import annotations

from collections.abc import Iterable

from fxgraph.features.definition import name_span
from fxgraph.features.locate import Place, What, locate
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Node, Span
from fxgraph.reading import uses

NAMES = frozenset({What.DEFINITION, What.USE, What.FREE, What.PARAMETER})


def references(snapshot: Snapshot, offset: int, include_definition: bool = False) -> list[Span]:
    """Spans of the reads of the name at a document offset, in the order of the text, its definition first if asked for.

    Lists that set names to None are no reads. Empty where no name is.
    """
    place = locate(snapshot, offset)
    if place is None or place.name is None or place.what not in NAMES:
        return []
    node = defining_node(snapshot, place)
    spans = [name_span(place.graph, node)] if node is not None and include_definition else []
    return spans + read_spans(snapshot, place)


def defining_node(snapshot: Snapshot, place: Place) -> Node | None:
    """The node that defines the name at a place; a second definition of a name stands for itself."""
    if place.what is What.DEFINITION:
        return place.node
    return snapshot.facts[place.graph.index].definitions.get(place.name or "")


def read_spans(snapshot: Snapshot, place: Place) -> list[Span]:
    """Spans of all reads of a place's name in its graph."""
    graph, name = place.graph, place.name
    links = snapshot.facts[graph.index].links
    node = links.definitions.get(name or "")
    readers: Iterable[Node]
    if node is not None:
        readers = links.users[node.index]
    else:
        readers = [reader for reader in graph.nodes if name in reader.reads]
    return [
        graph.page.span(use.start, use.start + len(use.name))
        for reader in readers
        for use in uses(graph, reader)
        if use.name == name
    ]
