"""A graph as a table: opcode, name, target, shape, dtype, users, as `fxgraph inspect` prints it."""

from __future__ import annotations

from fxgraph.features.lens import cell_text
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.table import COLUMNS, rows
from fxgraph.features.views.written import Pause, Written, nothing
from fxgraph.graph import Graph


def as_sheet(snapshot: Snapshot, graph: Graph, pause: Pause = nothing) -> Written:
    """The table, one line a node below a head of two lines."""
    written = Written(snapshot.lines, graph, pause)
    cells = [tuple(cell_text(cell) for cell in row.cells) for row in rows(snapshot.facts[graph.index], graph.nodes)]
    widths = [max(map(len, column)) for column in zip(COLUMNS, *cells, strict=True)]

    def line(words: tuple[str, ...]) -> str:
        return "  ".join([word.ljust(width) for word, width in zip(words, widths, strict=True)]).rstrip()

    written.add(line(COLUMNS), graph.begin)
    written.add(line(tuple("-" * width for width in widths)))
    for node, words in zip(graph.nodes, cells, strict=True):
        written.add_node(node, line(words), widths[0] + 2)
    return written
