"""The nodes and comments of a stretch of the document, in the order of the text: found by bisection."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import PLACEHOLDER, Graph, Node


def graphs_between(snapshot: Snapshot, start: int, end: int) -> Iterator[Graph]:
    """The graphs that have a part in [start, end), in the order of their first lines."""
    for graph in snapshot.dump.graphs:
        span = graph.span()
        if span.start < end and span.end > start:
            yield graph


def nodes_between(graph: Graph, start: int, end: int) -> list[Node]:
    """The nodes whose records have a part in [start, end) of the document, in the order of the text.

    `Graph.nodes` is in the order of the text but for inputs: Python's are in the order of their parameters.
    """
    nodes, to_document = graph.nodes, graph.page.to_document
    inputs = 0
    if graph.form in ("code", "readable"):
        while inputs < len(nodes) and nodes[inputs].opcode == PLACEHOLDER:
            inputs += 1
    first = bisect_right(nodes, start, inputs, key=lambda node: to_document(node.end))
    stop = bisect_left(nodes, end, first, key=lambda node: to_document(node.begin))
    found = list(nodes[first:stop])
    if inputs:
        front = [node for node in nodes[:inputs] if to_document(node.begin) < end and to_document(node.end) > start]
        front.sort(key=lambda node: node.begin)
        return front + found
    return found


def comments_between(graph: Graph, start: int, end: int) -> list[tuple[int, int]]:
    """The comment lines, as page offsets, that have a part in [start, end) of the document."""
    to_document = graph.page.to_document
    first = bisect_right(graph.comments, start, key=lambda comment: to_document(comment[1]))
    stop = bisect_left(graph.comments, end, first, key=lambda comment: to_document(comment[0]))
    return graph.comments[first:stop]
