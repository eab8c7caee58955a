"""What can be folded: the graphs of one compilation, each graph, and the nodes under one source line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from fxgraph.features.compiles import compiles_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, Graph, Node, Span
from fxgraph.reading import source_in


class Fold(NamedTuple):
    """A stretch that folds to its first line. `kind` is `compile`, `graph` or `source`."""

    span: Span
    kind: str


def folds(snapshot: Snapshot) -> list[Fold]:
    """All folds of a document, outer ones first where they begin together."""
    found = [Fold(group.span, "compile") for group in compiles_of(snapshot.dump.graphs)]
    for graph in snapshot.dump.graphs:
        found.append(Fold(graph.span(), "graph"))
        found += _source_folds(graph)
    found.sort(key=lambda fold: (fold.span.start, -fold.span.end))
    return found


def source_span_at(graph: Graph, offset: int) -> Span | None:
    """The source comment and its nodes around a page offset, or None."""
    place = bisect_right(graph.comments, offset, key=lambda comment: comment[0]) - 1
    stretch = _source_stretch(graph, place) if place >= 0 else None
    return graph.page.span(*stretch) if stretch is not None and offset <= stretch[1] else None


def _source_folds(graph: Graph) -> list[Fold]:
    stretches = [_source_stretch(graph, place) for place in range(len(graph.comments))]
    return [Fold(graph.page.span(*stretch), "source") for stretch in stretches if stretch is not None]


def _source_stretch(graph: Graph, place: int) -> tuple[int, int] | None:
    """From a source comment to the last node before the next comment, as page offsets; the return belongs to none."""
    nodes = graph.nodes
    start, end = graph.comments[place]
    if source_in(graph.page.text, start, end) is None:
        return None
    last = len(nodes) - (1 if nodes and nodes[-1].opcode == OUTPUT else 0)
    behind = graph.comments[place + 1][0] if place + 1 < len(graph.comments) else graph.end
    first = bisect_left(nodes, end, key=_begin)
    stop = min(bisect_left(nodes, behind, key=_begin), last)
    return (start, nodes[stop - 1].end) if first < stop else None


def _begin(node: Node) -> int:
    return node.begin
