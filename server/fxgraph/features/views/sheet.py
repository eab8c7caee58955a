"""A graph as a table: opcode, name, target, shape, dtype, users, as `fxgraph inspect` prints it."""

from __future__ import annotations

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.table import COLUMNS, rows
from fxgraph.features.views.written import Written
from fxgraph.graph import Graph

#: One target of ten thousand characters must not widen every line.
_WIDEST = 100


def as_sheet(snapshot: Snapshot, graph: Graph) -> Written:
    """The table, one line a node below a head of two lines."""
    written = Written(snapshot.lines, graph)
    cells = [
        tuple(" ".join(cell.split()) for cell in row.cells) for row in rows(snapshot.facts[graph.index], graph.nodes)
    ]
    widths = [min(max(map(len, column)), _WIDEST) for column in zip(COLUMNS, *cells, strict=True)]

    def line(words: tuple[str, ...]) -> str:
        return "  ".join([word.ljust(width) for word, width in zip(words, widths, strict=True)]).rstrip()

    written.add(line(COLUMNS), graph.begin)
    written.add(line(tuple("-" * width for width in widths)))
    for node, words in zip(graph.nodes, cells, strict=True):
        written.add_node(node, line(words), widths[0] + 2)
    return written
