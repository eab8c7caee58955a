"""Reading after an edit: only the lines around it are read, all else is taken over and moved.

This gives the same `Dump` as reading the whole text, or gives up (None) where that is not sure: edits at heads, inputs
and return lines, in tables, in logs and quotes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from fxgraph.graph import OUTPUT, PLACEHOLDER, Dump, Graph, Node, Page
from fxgraph.reading.edits import Edit
from fxgraph.reading.graph_str import read_graph_str
from fxgraph.reading.graph_str_parts import reads_of_record
from fxgraph.reading.heads import find_heads
from fxgraph.reading.logs import has_sign_of_prefix
from fxgraph.reading.moved import MovedNodes, moved, moved_node, names_of, replaced
from fxgraph.reading.names import keep_reads
from fxgraph.reading.python_form import inputs_in_front, read_statements

#: What `clean_page` would take out of the text or turn into line ends and blanks, signs of a diff, and the quotes of a
#: block of metadata.
_NOISE = ("\r", "\x1b", "\ufeff", "\xa0", "fxgraph:", "@@ -", "\n+", "\n-", '"""')
_RETURN = re.compile(r"^[ \t]*return\b", re.MULTILINE)


class Reread(NamedTuple):
    """A dump after edits, and the indices of the graphs whose names and reads are those of the older dump."""

    dump: Dump
    same: frozenset[int]


def reread(dump: Dump, text: str, edits: Sequence[Edit]) -> Reread | None:
    """The dump of `text`, which is `dump.text` with these edits, ascending and apart; None where that is not sure."""
    if not dump.graphs or any(not graph.page.is_document for graph in dump.graphs):
        return None
    page = Page(text)
    graphs = list(dump.graphs)
    other: set[int] = set()  # graphs with other names or reads
    unsettled: set[int] = set()
    # Left of the edit that is looked at everything has its place in the new text already. Behind it the old text goes
    # on, `by` characters further right.
    by = done = behind = 0  # `done` graphs have moved; `behind` is where the last region ended in the old text
    pending = deque(edits)
    while pending:
        edit = pending.popleft()
        at = bisect_right(dump.graphs, edit.start, key=lambda graph: graph.begin) - 1
        if at < 0:
            return None
        for index in range(done, at + 1):
            graphs[index] = _moved(graphs[index], page, by)
        done = max(done, at + 1)
        graph = graphs[at]
        region = _region(graph, text, dump.text, edit, by)
        if region is None or (at + 1 < len(graphs) and dump.graphs[at + 1].begin < region.end - by):
            return None
        if pending and pending[0].start < region.end - by:
            pending[0] = edit.joined(pending[0])
            continue
        before = (max(region.start - by, behind), region.end - by)
        behind = region.end - by
        if not _is_plain(dump.text, *before) or not _is_plain(text, region.start, region.end + edit.by):
            return None
        part = _read_part(
            graph, page, region.start, region.end + edit.by, _indent(dump.text, graph.nodes[-1].begin - by)
        )
        if part is None or not part.nodes:
            return None
        old = graph.nodes[region.first : region.last]
        if part.doubtful or {node.name for node in old} != {node.name for node in part.nodes}:
            unsettled.add(at)
        graphs[at] = _joined(graph, part, region, edit.by)
        if _names(old) != _names(part.nodes):
            other.add(at)
        by += edit.by
    for index in range(done, len(graphs)):
        graphs[index] = _moved(graphs[index], page, by)
    other.update([index for index in unsettled if _settle_again(graphs[index])])
    return Reread(Dump(text, graphs, dump.header, dump.path), frozenset(range(len(graphs))) - other)


def _names(nodes: Sequence[Node]) -> list[tuple[str, tuple[str, ...]]]:
    return [(node.name, tuple(node.reads)) for node in nodes]


class _Region:
    """Whole lines of the text, [start, end), which hold the nodes [first, last) and nothing of other nodes."""

    __slots__ = ("end", "first", "last", "start")

    def __init__(self, start: int, end: int, first: int, last: int) -> None:
        self.start, self.end, self.first, self.last = start, end, first, last


def _region(graph: Graph, text: str, old: str, edit: Edit, by: int) -> _Region | None:
    """The lines to read again: from the node before the edit to the node behind it.

    Both are whole and begin at their own lines, so that nothing outside of them can take part of what stands between.
    What stands in front of the edit is looked up in `text`, what stands behind it in `old`, `by` characters before.
    """
    nodes = graph.nodes
    if graph.form == "tabular" or not graph.has_head or len(nodes) < 4 or nodes[-1].opcode != OUTPUT:
        return None
    # inputs of Python forms stand in the head; in print(graph) they are lines like the others
    low = 0
    if graph.form != "graph_str":
        if not text.startswith("class ", graph.begin):
            return None  # without a class line, what stands in the body tells whether it is code or readable
        low = inputs_in_front(nodes)
        if not isinstance(nodes, MovedNodes) and any(node.opcode == PLACEHOLDER for node in nodes[low:]):
            return None
    begins = _Begins(nodes)
    start = edit.start + by
    line = text.rfind("\n", 0, start) + 1
    first = bisect_left(begins, line, low) - 1
    line_end = old.find("\n", edit.end)
    last = bisect_left(begins, (line_end + 1 if line_end >= 0 else len(old)) + by, low)
    if first < low or last >= len(nodes) - 1:
        return None
    region_start = text.rfind("\n", 0, nodes[first].begin) + 1
    region_end = old.rfind("\n", 0, nodes[last].begin - by) + 1 + by
    if region_start <= graph.head_end or region_start > start or region_end <= edit.end + by:
        return None
    if any(nodes[place].start >= region_start for place in range(low)):
        return None  # an unlifted export reads its attributes above the line of its inputs
    return _Region(region_start, region_end, first, last)


class _Begins(Sequence[int]):
    """The begins of nodes, for bisection, without a list of them."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        return self._nodes[place].begin


def _is_plain(text: str, start: int, end: int) -> bool:
    """Whether these lines can neither begin a graph nor change how the text around them is read."""
    part = text[start:end]
    odd = any(sign in part for sign in _NOISE) or _RETURN.search(part) is not None
    return not (odd or find_heads(part) or has_sign_of_prefix(part))


def _indent(text: str, return_line: int) -> int:
    """What the body of Python forms is indented by, or less: one column less than its return line."""
    return max(return_line - text.rfind("\n", 0, return_line) - 2, 0)


def _read_part(graph: Graph, page: Page, start: int, end: int, indent: int) -> Graph | None:
    if graph.form == "graph_str":
        part = read_graph_str(page, start, start, end)
        return None if part.has_end or part.is_part else part
    part_of_body = read_statements(page, graph, start, end, indent)
    if part_of_body is None or any(node.opcode == PLACEHOLDER for node in part_of_body.nodes):
        return None
    return part_of_body


def _joined(graph: Graph, part: Graph, region: _Region, by: int) -> Graph:
    """The graph with the nodes of `part` in place of those of the region."""
    more = len(part.nodes) - (region.last - region.first)
    doubtful = [index for index in graph.doubtful if index < region.first]
    doubtful += [region.first + index for index in part.doubtful]
    doubtful += [index + more for index in graph.doubtful if index >= region.last]
    for index, node in enumerate(part.nodes, region.first):
        node.index = index
    return replace(
        graph,
        end=graph.end + by,
        nodes=replaced(graph.nodes, region.first, region.last, part.nodes, by),
        broken=_joined_stretches(graph.broken, part.broken, region, by),
        comments=_joined_stretches(graph.comments, part.comments, region, by),
        doubtful=doubtful,
    )


def _settle_again(graph: Graph) -> bool:
    """Looks again which words of doubtful nodes are reads: other names stand in the graph now. Whether some changed."""
    defined = names_of(graph.nodes)
    fresh: dict[int, Node] = {}
    for index in graph.doubtful:
        node = graph.nodes[index]
        reads = tuple([name for name, _ in keep_reads(reads_of_record(graph, node), defined)])
        if reads != tuple(node.reads):
            fresh[index] = moved_node(node, 0, index, reads)  # the old one may belong to the old dump, too
    if fresh:
        graph.nodes = [fresh.get(node.index, node) for node in graph.nodes]
    return bool(fresh)


def _joined_stretches(
    old: list[tuple[int, int]], new: list[tuple[int, int]], region: _Region, by: int
) -> list[tuple[int, int]]:
    before = bisect_left(old, (region.start, 0))
    behind = bisect_left(old, (region.end, 0))
    return [*old[:before], *new, *_moved_stretches(old[behind:], by)]


def _moved_stretches(stretches: list[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(start + by, end + by) for start, end in stretches] if by else stretches


def _moved(graph: Graph, page: Page, by: int) -> Graph:
    """A graph of the old text on the new page; one behind an edit has moved."""
    return replace(
        graph,
        page=page,
        begin=graph.begin + by,
        end=graph.end + by,
        head_end=graph.head_end + by,
        nodes=moved(graph.nodes, by),
        broken=_moved_stretches(graph.broken, by),
        comments=_moved_stretches(graph.comments, by),
    )
