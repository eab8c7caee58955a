"""What can be folded: the graphs of one compilation, each graph, and the nodes under one source line."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from fxgraph.features.compiles import compiles_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, Graph, Span
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


def _source_folds(graph: Graph) -> list[Fold]:
    """From each source comment to the last node before the next comment; the return line belongs to none."""
    page, nodes = graph.page, graph.nodes
    begins = [node.begin for node in nodes]
    last = len(nodes) - (1 if nodes and nodes[-1].opcode == OUTPUT else 0)
    found = []
    for place, (start, end) in enumerate(graph.comments):
        if source_in(page.text, start, end) is None:
            continue
        behind = graph.comments[place + 1][0] if place + 1 < len(graph.comments) else graph.end
        first, stop = bisect_left(begins, end), min(bisect_left(begins, behind), last)
        if first < stop:
            found.append(Fold(page.span(start, nodes[stop - 1].end), "source"))
    return found
