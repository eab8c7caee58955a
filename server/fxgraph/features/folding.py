"""What can be folded: the graphs of one compilation, each graph, its submodules, the nodes under one source line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from fxgraph.features.compiles import compiles_of
from fxgraph.features.grouping import Run, modules_of, stretch_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, Graph, Span
from fxgraph.reading import source_in


class Fold(NamedTuple):
    """A stretch that folds to its first line. `kind` is `compile`, `graph`, `module` or `source`."""

    span: Span
    kind: str


def folds(snapshot: Snapshot) -> list[Fold]:
    """All folds of a document, outer ones first where they begin together; none crosses another one."""
    found = [Fold(group.span, "compile") for group in compiles_of(snapshot.dump.graphs)]
    for graph in snapshot.dump.graphs:
        found.append(Fold(graph.span(), "graph"))
        sources = _source_folds(graph)
        found += [*sources, *_module_folds(graph, sources)]
    found.sort(key=lambda fold: (fold.span.start, -fold.span.end))
    return _that_nest(found)


def _that_nest(found: list[Fold]) -> list[Fold]:
    """Folds without those that cross one in front of them: graphs of several ranks whose lines alternate."""
    kept: list[Fold] = []
    around: list[int] = []  # where the folds end that are open here
    for fold in found:
        while around and around[-1] <= fold.span.start:
            around.pop()
        if not around or fold.span.end <= around[-1]:
            kept.append(fold)
            around.append(fold.span.end)
    return kept


def source_span_at(graph: Graph, offset: int) -> Span | None:
    """The source comment and its nodes around a page offset, or None."""
    place = bisect_right(graph.comments, offset, key=lambda comment: comment[0]) - 1
    if place < 0:
        return None
    stretch = _source_stretch(graph, place, partial(bisect_left, graph.nodes, key=lambda node: node.begin))
    return graph.page.span(*stretch) if stretch is not None and offset <= stretch[1] else None


def _module_folds(graph: Graph, sources: list[Fold]) -> list[Fold]:
    """The groups of submodules, and runs of them. One that would cross the nodes of a source line begins with that
    line; where it would end inside of one, it is left out: editors take no folds that cross.
    """
    grouping = modules_of(graph)
    if grouping is None:
        return []
    starts = [fold.span.start for fold in sources]
    found = []
    for part in grouping.parts:
        for group in (part, *(part.groups if isinstance(part, Run) else ())):
            span = graph.page.span(*stretch_of(graph, group))
            first, last = _fold_at(sources, starts, span.start), _fold_at(sources, starts, span.end - 1)
            if last is not None and last.span.end > span.end and last is not first:
                continue
            if first is not None and first.span.end < span.end:
                span = Span(first.span.start, span.end)
            found.append(Fold(span, "module"))
    return found


def _fold_at(folds: list[Fold], starts: list[int], offset: int) -> Fold | None:
    place = bisect_right(starts, offset) - 1
    return folds[place] if place >= 0 and folds[place].span.end > offset else None


def _source_folds(graph: Graph) -> list[Fold]:
    first_node = partial(bisect_left, [node.begin for node in graph.nodes] if graph.comments else [])
    stretches = [_source_stretch(graph, place, first_node) for place in range(len(graph.comments))]
    return [Fold(graph.page.span(*stretch), "source") for stretch in stretches if stretch is not None]


def _source_stretch(graph: Graph, place: int, first_node: Callable[[int], int]) -> tuple[int, int] | None:
    """From a source comment to the last node before the next comment, as page offsets; the return belongs to none.

    `first_node` gives the index of the first node that begins at a page offset or behind it.
    """
    nodes = graph.nodes
    start, end = graph.comments[place]
    if source_in(graph.page.text, start, end) is None:
        return None
    last = len(nodes) - (1 if nodes and nodes[-1].opcode == OUTPUT else 0)
    behind = graph.comments[place + 1][0] if place + 1 < len(graph.comments) else graph.end
    first = first_node(end)
    stop = min(first_node(behind), last)
    return (start, nodes[stop - 1].end) if first < stop else None
