"""Every place where a name is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from fxgraph.features.definition import name_span
from fxgraph.features.kernels import mentions, pointed_at
from fxgraph.features.locate import Place, What, locate
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node, Span
from fxgraph.reading import uses

#: So many readers are looked at between two pauses.
MANY = 1000
NAMES = frozenset({What.DEFINITION, What.USE, What.FREE, What.PARAMETER})


def references(
    snapshot: Snapshot, offset: int, include_definition: bool = False, pause: Callable[[], None] = lambda: None
) -> list[Span]:
    """Spans of the reads of the name at a document offset, in the order of the text, its definition first if asked for.

    Lists that set names to None are no reads. Empty where no name is. `pause` is called now and then; what it raises
    ends the work. A name in the comment above a kernel's fragment has the places in that comment, too.
    """
    place = locate(snapshot, offset)
    if place is None:
        return _of_kernel(snapshot, offset, include_definition)
    if place.name is None or place.what not in NAMES:
        return []
    node = defining_node(snapshot, place)
    spans = [name_span(place.graph, node)] if node is not None and include_definition else []
    return spans + read_spans(snapshot, place, pause)


def _of_kernel(snapshot: Snapshot, offset: int, include_definition: bool) -> list[Span]:
    """Of a node in the comment: its places there and its reads. Of a name of the program: its places, and the nodes
    that it became as its definitions.
    """
    pointed = pointed_at(snapshot, offset)
    if pointed is None or not pointed[2]:
        return []
    span, kernel, nodes = pointed
    name, graph = snapshot.text[span.start : span.end], kernel.graph
    definitions = [name_span(graph, node) for node in nodes] if include_definition else []
    if [node.name for node in nodes] != [name]:
        return definitions + mentions(kernel, name, None)
    reads = read_spans(snapshot, Place(What.USE, graph, nodes[0], name, span))
    return definitions + mentions(kernel, name, nodes[0]) + reads


def has_many_reads(snapshot: Snapshot, offset: int) -> bool:
    """Whether the name at a document offset is read so often that to list its reads takes a while."""
    place = locate(snapshot, offset)
    if place is None or place.name is None or place.what not in NAMES:
        return False
    links = snapshot.facts[place.graph.index].links
    node = links.definitions.get(place.name)
    return len(place.graph.nodes if node is None else links.users[node.index]) > MANY


def defining_node(snapshot: Snapshot, place: Place) -> Node | None:
    """The node that defines the name at a place; a second definition of a name stands for itself."""
    if place.what is What.DEFINITION:
        return place.node
    return snapshot.facts[place.graph.index].definitions.get(place.name or "")


def read_spans(snapshot: Snapshot, place: Place, pause: Callable[[], None] = lambda: None) -> list[Span]:
    """Spans of all reads of a place's name in its graph."""
    graph, name = place.graph, place.name or ""
    links = snapshot.facts[graph.index].links
    node = links.definitions.get(name)
    readers: Iterable[Node]
    if node is not None:
        readers = links.users[node.index]
    else:
        readers = [reader for reader in graph.nodes if name in reader.reads]
    spans: list[Span] = []
    reads = re.compile(rf"%{re.escape(name)}(?!\w)")
    for number, reader in enumerate(readers):
        if number % MANY == MANY - 1:
            pause()
        spans += [graph.page.span(start, start + len(name)) for start in _starts(graph, reader, name, reads)]
    return spans


def _starts(graph: Graph, reader: Node, name: str, reads: re.Pattern[str]) -> list[int]:
    """Page offsets at which a node reads a name; `reads` finds it behind a `%`."""
    if graph.form == "graph_str" and reader.name != name:
        # In a record without strings and remarks a `%` is a read: found without taking the record apart.
        record = graph.page.text[reader.begin : reader.end]
        if "'" not in record and '"' not in record and "#" not in record:
            starts = [reader.begin + found.start() + 1 for found in reads.finditer(record)]
            if len(starts) == reader.reads.count(name):
                return starts
    return [use.start for use in uses(graph, reader) if use.name == name]
