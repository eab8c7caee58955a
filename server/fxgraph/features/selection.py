"""What a selection grows to: name, argument, call, node, source line, graph, compilation, document."""

from __future__ import annotations

from fxgraph.features.compiles import compiles_of
from fxgraph.features.folding import source_span_at
from fxgraph.features.locate import What, graphs_at, locate, node_at
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node, Span
from fxgraph.reading import arguments, parts
from fxgraph.reading.scan import closing, elements

#: Brackets in brackets are followed so deep.
_DEEPEST = 32


def selections(snapshot: Snapshot, offset: int) -> list[Span]:
    """The stretches around a document offset, each inside the next, no two equal. The last is the whole document."""
    whole = Span(0, len(snapshot.text))
    found: list[Span] = []
    graphs = list(graphs_at(snapshot, offset))
    if graphs:
        graph = graphs[0]
        page_offset = graph.page.to_page(offset)
        node = node_at(graph, page_offset) if page_offset is not None else None
        if node is not None and page_offset is not None:
            place = locate(snapshot, offset)
            if place is not None and place.what is not What.RECORD:
                found.append(place.span)
            found += [graph.page.span(*stretch) for stretch in _in_node(graph, node, page_offset)]
        source = None if page_offset is None else source_span_at(graph, page_offset)
        if source is not None:
            found.append(source)
        found += [graph.span() for graph in graphs]
        found += [group.span for group in compiles_of(snapshot.dump.graphs) if graph in group.graphs]
    return _growing([*found, whole], offset)


def _in_node(graph: Graph, node: Node, offset: int) -> list[tuple[int, int]]:
    """Page offsets of argument, element and brackets around an offset, of the operands, the call, the record."""
    found = parts(graph, node)
    given = arguments(graph, node)
    stretches = [(node.begin, node.end)]
    if found.args is not None:
        if found.target is not None:
            stretches.append((min(found.target[0], found.args[0]), max(found.args[1], found.target[1])))
        stretches.append(found.args)
    for argument in [*given.positional, *[argument for _, argument in given.keyword]]:
        if argument.start <= offset <= argument.end:
            stretches += _nested(graph.page.text, argument.start, argument.end, offset)
            break
    return stretches[::-1]


def _nested(text: str, start: int, end: int, offset: int) -> list[tuple[int, int]]:
    """An argument and, where it is a list, the elements in it that hold an offset, outer ones first."""
    found = [(start, end)]
    while len(found) < _DEEPEST and text[start : start + 1] in ("(", "[", "{"):
        if closing(text, start, end) != end - 1 or not start < offset < end:
            break
        inside = [(a, b) for a, b in elements(text, start + 1, end - 1) if a <= offset <= b]
        if not inside:
            break
        start, end = inside[0]
        found.append((start, end))
    return found


def _growing(spans: list[Span], offset: int) -> list[Span]:
    """The spans that hold the offset, smallest first, without those that do not hold the one before."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: span.end - span.start):
        if not span.start <= offset <= span.end:
            continue
        if not found or (span != found[-1] and span.start <= found[-1].start and found[-1].end <= span.end):
            found.append(span)
    return found
