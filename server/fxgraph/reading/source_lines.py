"""The `# File: path:line in function, code: ...` comments (torch/fx/graph.py `_gen_python_code`, verbose)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph, Node


class SourceLine(NamedTuple):
    """A place in the user's program. `start` and `end` are page offsets of the comment."""

    path: str
    line: int
    function: str | None
    code: str | None
    start: int
    end: int


_FILE = re.compile(r"File: (.+?):(\d+)(?: in ([^,\n]+))?(?:, code: ([^\n]*))?$")


def source_of(graph: Graph, node: Node) -> SourceLine | None:
    """The place that the comment above a node names, or None.

    A comment is printed where it differs from the one before, so it speaks of all nodes down to the next one. Inputs
    and the output have none.
    """
    if node.opcode in (PLACEHOLDER, OUTPUT) or not graph.comments:
        return None
    place = bisect_right(graph.comments, (node.begin, node.begin)) - 1
    while place >= 0:
        start, end = graph.comments[place]
        text = graph.page.text[start:end]
        if "No stacktrace found" in text:
            return None
        match = _FILE.search(text.rstrip())
        if match:
            code = match[4].strip() if match[4] else None
            return SourceLine(match[1], int(match[2]), match[3], code or None, start, end)
        place -= 1
    return None
