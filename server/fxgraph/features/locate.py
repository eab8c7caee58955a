"""What stands under a document offset. A question costs bisections, never a walk over the nodes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum
from itertools import takewhile
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import PLACEHOLDER, Graph, Node, Span
from fxgraph.reading import parts, source_of, uses

_NAME = re.compile(r"\w+")


class What(Enum):
    """The kinds of things that can be pointed at."""

    DEFINITION = "definition"
    USE = "use"
    FREE = "free"  # a name in the list that is set to None
    PARAMETER = "parameter"  # the parameter of `def forward` that an input node stands for
    OPCODE = "opcode"
    USERS = "users"
    TARGET = "target"
    TYPE = "type"
    HEAD = "head"
    SOURCE = "source"
    RECORD = "record"  # somewhere else in a node's record


class Place(NamedTuple):
    """What was found.

    graph  the graph it stands in
    node   the node whose record holds it; the first node below a source comment; None in a head
    name   the name that is read, defined, freed or a parameter, else None
    span   the document span of the thing itself
    """

    what: What
    graph: Graph
    node: Node | None
    name: str | None
    span: Span


def locate(snapshot: Snapshot, offset: int) -> Place | None:
    """What stands at a document offset; a cursor right behind a name stands at it. None between graphs.

    One question asks for its place from several sides: the last answer is kept with the snapshot.
    """
    last: tuple[int, Place | None] | None = snapshot.__dict__.get("_located")
    if last is None or last[0] != offset:
        last = snapshot.__dict__["_located"] = offset, _place_at(snapshot, offset)
    return last[1]


def _place_at(snapshot: Snapshot, offset: int) -> Place | None:
    for graph in graphs_at(snapshot, offset):
        page_offset = graph.page.to_page(offset)
        if page_offset is None or not graph.begin <= page_offset <= graph.end:
            continue
        place = _in_graph(graph, page_offset)
        if place is not None:
            return place
    return None


def graphs_at(snapshot: Snapshot, offset: int) -> Iterator[Graph]:
    """The graphs whose span holds an offset, the one that begins last first."""
    starts, order, furthest = _graph_index(snapshot)
    place = bisect_right(starts, offset) - 1
    while place >= 0 and furthest[place] >= offset:
        graph, end = order[place]
        if end >= offset:
            yield graph
        place -= 1


_Index = tuple[list[int], list[tuple[Graph, int]], list[int]]
_indices: WeakKeyDictionary[Snapshot, _Index] = WeakKeyDictionary()


def _graph_index(snapshot: Snapshot) -> _Index:
    """Starts of the graphs ascending, the graphs with their ends in that order, and the furthest end up to each."""
    index = _indices.get(snapshot)
    if index is None:
        spans = sorted((graph.span(), graph.index) for graph in snapshot.dump.graphs)
        order = [(snapshot.dump.graphs[number], span.end) for span, number in spans]
        furthest: list[int] = []
        for _, end in order:
            furthest.append(max(end, furthest[-1]) if furthest else end)
        index = _indices[snapshot] = ([span.start for span, _ in spans], order, furthest)
    return index


def node_at(graph: Graph, page_offset: int) -> Node | None:
    """The node whose record holds a page offset; the place right behind a record belongs to it."""
    nodes = graph.nodes
    place = bisect_right(nodes, page_offset, key=_begin) - 1
    if place >= 0 and nodes[place].begin <= page_offset <= nodes[place].end:
        return nodes[place]
    if graph.form in ("code", "readable") and (place < 0 or nodes[place].opcode == PLACEHOLDER):
        # these inputs are in the order of the parameters; the statements that join them may stand anywhere in front
        for node in takewhile(lambda node: node.opcode == PLACEHOLDER, nodes):
            if node.begin <= page_offset <= node.end:
                return node
    return None


def _begin(node: Node) -> int:
    return node.begin


def _in_graph(graph: Graph, offset: int) -> Place | None:
    node = node_at(graph, offset)
    if node is not None:
        return _in_record(graph, node, offset)
    source = _source_comment(graph, offset)
    if source is not None:
        return source
    if graph.has_head and offset <= graph.head_end:
        return _in_head(graph, offset)
    return None


def _in_record(graph: Graph, node: Node, offset: int) -> Place:
    def place(what: What, start: int, end: int, name: str | None = None) -> Place:
        return Place(what, graph, node, name, graph.page.span(start, end))

    text = graph.page.text
    touched: Place | None = None
    for what, name, start in _names_in(graph, node):
        end = start + len(name)
        if start <= offset < end or (offset == start - 1 and text[offset : offset + 1] == "%"):
            return place(what, start, end, name)
        if offset == end:
            touched = place(what, start, end, name)
    found = parts(graph, node)
    for what, stretch in (
        (What.OPCODE, found.opcode),
        (What.USERS, found.users),
        (What.TARGET, found.target),
        (What.TYPE, found.type),
    ):
        if stretch is None:
            continue
        if stretch[0] <= offset < stretch[1]:
            return place(what, *stretch)
        if offset == stretch[1] and touched is None:
            touched = place(what, *stretch)
    if touched is not None:
        return touched
    word = _word_at(text, offset)
    if word is not None:
        name = text[word[0] : word[1]]
        if name in node.frees:
            return place(What.FREE, *word, name)
        if node.opcode == PLACEHOLDER and name == node.target:
            return place(What.PARAMETER, *word, node.name)
    return place(What.RECORD, node.begin, node.end)


def _names_in(graph: Graph, node: Node) -> Iterator[tuple[What, str, int]]:
    """The name that a record defines, and those that it reads, with their page offsets."""
    yield What.DEFINITION, node.name, node.start
    for use in uses(graph, node):
        yield What.USE, use.name, use.start


def _in_head(graph: Graph, offset: int) -> Place:
    word = _word_at(graph.page.text, offset)
    if word is not None and graph.form in ("code", "readable"):
        node = _input_called(graph, graph.page.text[word[0] : word[1]])
        if node is not None and not node.begin <= word[0] < node.end:
            return Place(What.PARAMETER, graph, node, node.name, graph.page.span(*word))
    return Place(What.HEAD, graph, None, None, graph.page.span(graph.begin, graph.head_end))


def _input_called(graph: Graph, target: str) -> Node | None:
    """The input node of a parameter: `L_x_` is the parameter of `l_x_`. Inputs stand in front of everything else."""
    for node in graph.nodes:
        if node.opcode != PLACEHOLDER:
            return None
        if node.target == target:
            return node
    return None


def _source_comment(graph: Graph, offset: int) -> Place | None:
    at = bisect_right(graph.comments, (offset, len(graph.page.text) + 1)) - 1
    if at < 0 or offset > graph.comments[at][1]:
        return None
    start, end = graph.comments[at]
    below = bisect_right(graph.nodes, end, key=_begin)
    if below >= len(graph.nodes):
        return None
    node = graph.nodes[below]
    source = source_of(graph, node)
    if source is None or not start <= source.start <= end:
        return None
    return Place(What.SOURCE, graph, node, None, graph.page.span(source.start, source.end))


def _word_at(text: str, offset: int) -> tuple[int, int] | None:
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    found = _NAME.match(text, start)
    return found.span() if found and found.start() <= offset <= found.end() else None
