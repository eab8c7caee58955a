"""The `# File: path:line in function, code: ...` comments (torch/fx/graph.py `_gen_python_code`, verbose)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from fxgraph.graph import OUTPUT, PLACEHOLDER, Dump, Graph, Node


class SourceLine(NamedTuple):
    """A place in the user's program.

    `start` and `end` are page offsets of the comment, `path_start` and `path_end` of `path:line` in it.
    """

    path: str
    line: int
    function: str | None
    code: str | None
    start: int
    end: int
    path_start: int
    path_end: int


_FILE = re.compile(r"File: ((.{1,1000}?):(\d{1,9}))(?: in ([^,\n]{1,1000}))?(?:, code: ([^\n]*))?\s*\Z")
#: How often `File: ` is tried in one comment: something else may be called so in front of the place.
_MOST_WORDS = 4
#: Comments without a place that may stand between a node and the comment with its place.
_FARTHEST = 32


def source_in(text: str, start: int, end: int) -> SourceLine | None:
    """The place that the comment [start, end) of a page names, or None."""
    at = text.find("File: ", start, end)
    match = _FILE.match(text, at, end) if at >= 0 else None
    for _ in range(_MOST_WORDS - 1):
        if match is not None or at < 0:
            break
        at = text.find("File: ", at + 1, end)
        match = _FILE.match(text, at, end) if at >= 0 else None
    if match is None:
        return None
    code = match[5].strip() if match[5] else None
    path_start, path_end = match.span(1)
    return SourceLine(match[2], int(match[3]), match[4], code or None, start, end, path_start, path_end)


def source_of(graph: Graph, node: Node) -> SourceLine | None:
    """The place that the comment above a node names, or None.

    A comment is printed where it differs from the one before, so it speaks of all nodes down to the next one. Inputs
    and the output have none.
    """
    if node.opcode in (PLACEHOLDER, OUTPUT) or not graph.comments:
        return None
    return _source_above(graph, bisect_right(graph.comments, (node.begin, node.begin)) - 1)


def _source_above(graph: Graph, nearest: int) -> SourceLine | None:
    """The place that this comment, or the next one above it that names one, speaks of; None where it has an odd line
    number.
    """
    text = graph.page.text
    for place in range(nearest, max(nearest - _FARTHEST, -1), -1):
        start, end = graph.comments[place]
        if text.find("No stacktrace found", start, end) >= 0:
            return None
        source = source_in(text, start, end)
        if source is not None or text.find("File: ", start, end) >= 0:
            return source  # or the place cannot be told: the comment above it speaks of other nodes
    return None


def nodes_by_comment(graph: Graph) -> Iterator[tuple[SourceLine, list[Node]]]:
    """What `source_of` says of all nodes, those below one comment together, in the order of the text."""
    if not graph.comments:
        return
    comments = graph.comments
    above, below = -1, comments[0][0]  # where the comments around the nodes at hand begin
    source: SourceLine | None = None
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.opcode in (PLACEHOLDER, OUTPUT):
            continue
        begin = node.begin
        if not above < begin < below:
            if source is not None and nodes:
                yield source, nodes
            following = bisect_right(comments, (begin, begin))
            above = comments[following - 1][0] if following else -1
            below = comments[following][0] if following < len(comments) else len(graph.page.text) + 1
            source, nodes = _source_above(graph, following - 1), []
        if source is not None:
            nodes.append(node)
    if source is not None and nodes:
        yield source, nodes


def nodes_by_source(dump: Dump) -> dict[tuple[str, int], list[tuple[Graph, Node]]]:
    """From (path, line) of the user's program to the nodes that come from there, in the order of the text.

    Worked out when first asked for and kept with the dump.
    """
    if dump.by_source is None:
        dump.by_source = {}
        for graph in dump.graphs:
            for source, nodes in nodes_by_comment(graph):
                known = dump.by_source.setdefault((source.path, source.line), [])
                known += [(graph, node) for node in nodes]
    return dump.by_source
