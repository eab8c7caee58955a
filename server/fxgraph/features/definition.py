"""Where a name comes from: its node, the class of a nested graph, or the forward graph that saved a value."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph.features.kernels import pointed_at
from fxgraph.features.locate import Place, What, locate
from fxgraph.features.nested import graph_named_by
from fxgraph.features.saved import saved_by
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node, Span

_NAMES = frozenset({What.DEFINITION, What.USE, What.FREE, What.PARAMETER})


class Definition(NamedTuple):
    """A place to go to.

    origin  the span that was pointed at
    target  the span to select there: the bare name, or the head of a graph
    around  what stands around the target: the node's record, or the graph
    """

    origin: Span
    target: Span
    around: Span


def definition(snapshot: Snapshot, offset: int) -> list[Definition]:
    """Where the thing at a document offset is defined; empty where nothing is, or its definition is not in the text.

    * a read, a freed name, a parameter: the node of that name in the same graph (the first, where two have it);
    * a definition or a target that names a nested graph: that graph's head;
    * an input of a backward graph that its forward graph has saved: the node there;
    * any other definition: itself;
    * a kernel that inductor wrote: its definition, and from there the fragment that it computes;
    * a name in the comment above such a fragment: its nodes.
    """
    place = locate(snapshot, offset)
    if place is None:
        return _of_kernel(snapshot, offset)
    if place.node is None:
        return []
    if place.what in (What.TARGET, What.DEFINITION):
        nested = graph_named_by(snapshot, place.graph, place.node)
        if nested is not None:
            return [Definition(place.span, nested.page.span(*_head_line(nested)), nested.span())]
    if place.what not in _NAMES:
        return []
    return _of_name(snapshot, place)


def _of_name(snapshot: Snapshot, place: Place) -> list[Definition]:
    name = place.name
    if name is None:
        return []
    node = snapshot.facts[place.graph.index].definitions.get(name)
    if place.what is What.DEFINITION and place.node is not None:
        node = place.node
        saved = saved_by(snapshot, place.graph, node)
        if saved is not None:
            return [_to_node(place.span, *saved)]
    return [] if node is None else [_to_node(place.span, place.graph, node)]


def _of_kernel(snapshot: Snapshot, offset: int) -> list[Definition]:
    pointed = pointed_at(snapshot, offset)
    if pointed is None:
        return []
    span, kernel, nodes = pointed
    if snapshot.text[span.start : span.end] != kernel.name or kernel.span is None:
        return [_to_node(span, kernel.graph, node) for node in nodes]
    if span != kernel.span:
        return [Definition(span, kernel.span, kernel.span)]
    return [Definition(span, name_span(kernel.graph, kernel.graph.nodes[0]), kernel.graph.span())]


def _to_node(origin: Span, graph: Graph, node: Node) -> Definition:
    return Definition(origin, name_span(graph, node), graph.page.span(node.begin, node.end))


def name_span(graph: Graph, node: Node) -> Span:
    """The document span of a node's bare name where it is defined."""
    return graph.page.span(node.start, node.start + len(node.name))


def _head_line(graph: Graph) -> tuple[int, int]:
    """Page offsets of the first line of a graph."""
    end = graph.page.text.find("\n", graph.begin, graph.end)
    return graph.begin, (graph.end if end < 0 else end)
