"""The text that a graph was read from, without what stands in front of it: the prefixes of a log, comment signs."""

from __future__ import annotations

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views.written import Pause, Written, nothing
from fxgraph.graph import OUTPUT, Graph


def bare_text(snapshot: Snapshot, graph: Graph, pause: Pause = nothing) -> Written:
    """All of the page that the graph stands in: in a log the messages of one rank and compilation."""
    written = Written(snapshot.lines, graph, pause)
    text = graph.page.text
    starts = [0]
    for line in text.removesuffix("\n").split("\n"):
        written.add(line, starts[-1])
        starts.append(starts[-1] + len(line) + 1)
    at = 0
    for node in sorted(graph.nodes, key=lambda node: node.start):
        while starts[at + 1] <= node.start:
            at += 1
        if node.opcode != OUTPUT or text.startswith("return", node.start):
            written.places[node.index] = (at, node.start - starts[at])
    return written
