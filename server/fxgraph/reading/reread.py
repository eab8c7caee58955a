"""Reading after an edit: only the lines around it are read, all else is taken over and moved.

This gives the same `Dump` as reading the whole text, or gives up (None) where that is not sure: edits at heads, inputs
and return lines, in tables, in logs and quotes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from fxgraph.graph import OUTPUT, PLACEHOLDER, Dump, Graph, Node, Page
from fxgraph.reading.graph_str import read_graph_str
from fxgraph.reading.graph_str_parts import reads_of_record
from fxgraph.reading.heads import find_heads
from fxgraph.reading.logs import has_sign_of_prefix
from fxgraph.reading.names import keep_reads
from fxgraph.reading.python_form import read_statements

#: What `clean_page` would take out of the text or turn into line ends and blanks, signs of a diff, and the quotes of a
#: block of metadata.
_NOISE = ("\r", "\x1b", "\ufeff", "\xa0", "fxgraph:", "@@ -", "\n+", "\n-", '"""')
_RETURN = re.compile(r"^[ \t]*return\b", re.MULTILINE)


def reread(dump: Dump, text: str, start: int, end: int, inserted: int) -> Dump | None:
    """The dump of `text`, which is `dump.text` with `inserted` characters in place of [start, end), or None."""
    graphs = dump.graphs
    if not graphs or any(not graph.page.is_document for graph in graphs):
        return None
    at = bisect_right(graphs, start, key=lambda graph: graph.begin) - 1
    if at < 0:
        return None
    graph = graphs[at]
    by = inserted - (end - start)
    region = _region(graph, dump.text, start, end)
    if region is None or (at + 1 < len(graphs) and graphs[at + 1].begin < region.end):
        return None
    page = Page(text)
    if not _is_plain(dump.text, region.start, region.end) or not _is_plain(text, region.start, region.end + by):
        return None
    part = _read_part(graph, page, region.start, region.end + by)
    if part is None:
        return None
    changed = _joined(graph, part, region, by, page)
    if changed is None:
        return None
    moved = [*(replace(other, page=page) for other in graphs[:at]), changed]
    moved += [_moved(other, page, by) for other in graphs[at + 1 :]]
    return Dump(text, moved, dump.header, dump.path)


class _Region:
    """Whole lines of the old text, [start, end), which hold the nodes [first, last) and nothing of other nodes."""

    __slots__ = ("end", "first", "last", "start")

    def __init__(self, start: int, end: int, first: int, last: int) -> None:
        self.start, self.end, self.first, self.last = start, end, first, last


def _region(graph: Graph, text: str, start: int, end: int) -> _Region | None:
    """The lines to read again: from the node before the edit to the node behind it.

    Both are whole and begin at their own lines, so that nothing outside of them can take part of what stands between.
    """
    nodes = graph.nodes
    if graph.form == "tabular" or not graph.has_head or len(nodes) < 4 or nodes[-1].opcode != OUTPUT:
        return None
    # inputs of Python forms stand in the head; in print(graph) they are lines like the others
    low = 0
    if graph.form != "graph_str":
        if not text.startswith("class ", graph.begin):
            return None  # without a class line, what stands in the body tells whether it is code or readable
        low = next((node.index for node in nodes if node.opcode != PLACEHOLDER), len(nodes))
        if any(node.opcode == PLACEHOLDER for node in nodes[low:]):
            return None
    begins = _Begins(nodes)
    line = text.rfind("\n", 0, start) + 1
    first = bisect_left(begins, line, low) - 1
    line_end = text.find("\n", end)
    last = bisect_left(begins, line_end + 1 if line_end >= 0 else len(text), low)
    if first < low or last >= len(nodes) - 1:
        return None
    region_start = text.rfind("\n", 0, nodes[first].begin) + 1
    region_end = text.rfind("\n", 0, nodes[last].begin) + 1
    if region_start <= graph.head_end or region_start > start or region_end <= end:
        return None
    if any(node.start >= region_start for node in nodes[:low]):
        return None  # an unlifted export reads its attributes above the line of its inputs
    return _Region(region_start, region_end, first, last)


class _Begins(Sequence[int]):
    """The begins of nodes, for bisection, without a list of them."""

    def __init__(self, nodes: list[Node]) -> None:
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


def _read_part(graph: Graph, page: Page, start: int, end: int) -> Graph | None:
    if graph.form == "graph_str":
        part = read_graph_str(page, start, start, end)
        return None if part.has_end or part.is_part else part
    part_of_body = read_statements(page, graph, start, end)
    if part_of_body is None or any(node.opcode == PLACEHOLDER for node in part_of_body.nodes):
        return None
    return part_of_body


def _joined(graph: Graph, part: Graph, region: _Region, by: int, page: Page) -> Graph | None:
    """The graph with the nodes of `part` in place of those of the region."""
    old = graph.nodes
    if not part.nodes:
        return None
    for index, node in enumerate(part.nodes, region.first):
        node.index = index
    behind = _moved_nodes(old[region.last :], by, region.first + len(part.nodes) - region.last)
    moved = {id(node): copy for node, copy in zip(old[region.last :], behind, strict=True)}
    outside = [node for node in graph.doubtful if not region.first <= node.index < region.last]
    doubtful = [moved.get(id(node), node) for node in outside]
    joined = replace(
        graph,
        page=page,
        end=graph.end + by,
        nodes=[*old[: region.first], *part.nodes, *behind],
        broken=_joined_stretches(graph.broken, part.broken, region, by),
        comments=_joined_stretches(graph.comments, part.comments, region, by),
        doubtful=sorted(doubtful + part.doubtful, key=lambda node: node.index),
    )
    names = {node.name for node in old[region.first : region.last]}
    if part.doubtful or names != {node.name for node in part.nodes}:
        _settle_again(joined)
    return joined


def _settle_again(graph: Graph) -> None:
    """Looks again which words of doubtful nodes are reads: other names stand in the graph now."""
    defined = {node.name for node in graph.nodes}
    for place, node in enumerate(graph.doubtful):
        reads = tuple([name for name, _ in keep_reads(reads_of_record(graph, node), defined)])
        if reads != tuple(node.reads):
            fresh = _moved_nodes([node], 0, 0)[0]  # the old one may belong to the old dump, too
            fresh.reads = reads
            graph.nodes[node.index] = graph.doubtful[place] = fresh


def _joined_stretches(
    old: list[tuple[int, int]], new: list[tuple[int, int]], region: _Region, by: int
) -> list[tuple[int, int]]:
    before = bisect_left(old, (region.start, 0))
    behind = bisect_left(old, (region.end, 0))
    return [*old[:before], *new, *_moved_stretches(old[behind:], by)]


def _moved_stretches(stretches: list[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(start + by, end + by) for start, end in stretches] if by else stretches


def _moved(graph: Graph, page: Page, by: int) -> Graph:
    """A graph behind the edit."""
    nodes = _moved_nodes(graph.nodes, by, 0)
    return replace(
        graph,
        page=page,
        begin=graph.begin + by,
        end=graph.end + by,
        head_end=graph.head_end + by,
        nodes=nodes,
        broken=_moved_stretches(graph.broken, by),
        comments=_moved_stretches(graph.comments, by),
        doubtful=[nodes[node.index] for node in graph.doubtful],
    )


def _moved_nodes(nodes: list[Node], by: int, index_by: int) -> list[Node]:
    """Copies of nodes, their offsets and indices moved. The old ones still belong to the old dump."""
    if by == 0 and index_by == 0 and len(nodes) > 1:
        return nodes
    make = Node.__new__
    copies: list[Node] = []
    add = copies.append
    for node in nodes:
        copy = make(Node)
        copy.name = node.name
        copy.opcode = node.opcode
        copy.target = node.target
        copy.index = node.index + index_by
        copy.start = node.start + by
        copy._lead = node._lead
        copy._length = node._length
        copy.printed_users = node.printed_users
        copy.type = node.type
        copy.reads = node.reads
        copy.frees = node.frees
        add(copy)
    return copies
