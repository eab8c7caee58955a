"""Random edits, and what a dump says as plain data, to compare two readings of one text."""

from __future__ import annotations

from fxgraph.graph import Dump

BITS = [
    "%add_3",
    "\n",
    "    ",
    ", %x",
    " = None",
    ";  ",
    "# ",
    "  # fxgraph: ignore[FX104]",
    "graph():",
    "return x",
    '"',
    "'",
    "(",
    ")",
    "[",
    "]",
    "0",
    "a",
]


def state(dump: Dump) -> list[tuple]:
    """All that a dump says, as plain data."""
    found = []
    for graph in dump.graphs:
        nodes = [
            (
                *(node.name, node.opcode, node.target, node.index, node.begin, node.start, node.end),
                *(node.printed_users, node.type, tuple(node.reads), tuple(node.frees)),
            )
            for node in graph.nodes
        ]
        assert graph.page.text == dump.text or not graph.page.is_document
        found.append(
            (
                *(graph.name, graph.form, graph.begin, graph.end, graph.head_end, graph.index, graph.container),
                *(graph.has_head, graph.has_end, graph.is_part, graph.broken, graph.comments, graph.parent),
                graph.doubtful,
                nodes,
            )
        )
    return found


def edit_at(text: str, place: int, kind: int, bit: str) -> tuple[int, int, str]:
    """Of several kinds of edit one at this place: (start, end, text to put there)."""
    line = text.rfind("\n", 0, place) + 1
    line_end = text.find("\n", place) + 1 or len(text)
    return [
        (place, place, bit),
        (place, min(place + 1 + kind % 5, len(text)), ""),
        (line, line_end, ""),
        (line, line, text[line:line_end]),
        (line_end, line_end, f"    {bit}{text[line:line_end].lstrip()}"),
        (place, min(place + 200, len(text)), text[line : line + 120]),
    ][kind % 6]
