"""The outline: graphs, the graphs nested in them, and their nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, overload

from fxgraph.features.compiles import compiles_of
from fxgraph.features.grouping import Group, Run, grouping_of, stretch_of
from fxgraph.features.kernels import kernels
from fxgraph.features.markdown import shortened
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import short_target
from fxgraph.graph import Graph, Node, Span

#: A UUID with underscores: `__compiled_fn_1_c9f87e78_039d_4442_8c87_3379cd694c3f`.
_IDENTIFIER = re.compile(r"_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12}$")


#: So many nodes are looked at together.
_AT_ONCE = 500


class Symbol:
    """One line of the outline.

    name      a node's name, or what the graph is called
    detail    a node's target and type; of a graph its form, level and number of nodes
    kind      the node's opcode, `graph`, `compile`, `group` (of a submodule, a source line), or `run` (of alike groups)
    span      the record, or the graph with everything nested in it
    name_span what to select: lies inside `span`
    children  the graphs of a compilation; the groups and nodes of a graph, then the graphs nested in it
    """

    __slots__ = ("children", "detail", "kind", "name", "name_span", "span")

    def __init__(
        self, name: str, detail: str, kind: str, span: Span, name_span: Span, children: Sequence[Symbol] = ()
    ) -> None:
        self.name = name
        self.detail = detail
        self.kind = kind
        self.span = span
        self.name_span = name_span
        self.children = children


class Nodes(NamedTuple):
    """Nodes of a graph that follow each other, none of them in a group."""

    graph: Graph
    nodes: Sequence[Node]


class Inside(Sequence[Symbol]):
    """The symbols inside of a graph or a group: nodes and groups, made when looked at, then the graphs nested in it.

    An outline of 100,000 nodes is written once from front to back: all of its symbols at once would take 50 MB.
    """

    def __init__(
        self, graph: Graph, start: int, end: int, parts: Sequence[Group | Run] = (), grounds: str = ""
    ) -> None:
        self.graph = graph
        self.nested: list[Symbol] = []
        self._grounds = grounds
        # from the first node of each stretch of loose nodes to behind its last; a group stands in its place
        self._pieces: list[range | Group | Run] = []
        for part in parts:
            if start < part.start:
                self._pieces.append(range(start, part.start))
            self._pieces.append(part)
            start = part.end
        if start < end:
            self._pieces.append(range(start, end))

    def __bool__(self) -> bool:
        return bool(self._pieces or self.nested)

    def __len__(self) -> int:
        return sum(len(piece) if isinstance(piece, range) else 1 for piece in self._pieces) + len(self.nested)

    @overload
    def __getitem__(self, place: int) -> Symbol: ...

    @overload
    def __getitem__(self, place: slice) -> list[Symbol]: ...

    def __getitem__(self, place: int | slice) -> Symbol | list[Symbol]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        place = place if place >= 0 else place + len(self)
        if place < 0 or place >= len(self):
            raise IndexError(place)
        return next(islice(self, place, None))

    def __iter__(self) -> Iterator[Symbol]:
        for piece in self.pieces():
            if isinstance(piece, Symbol):
                yield piece
            else:
                for node in piece.nodes:
                    yield _node_symbol(self.graph, node)

    def pieces(self) -> Iterator[Nodes | Symbol]:
        """The same, with the nodes between two groups together: whoever writes them needs no symbols."""
        for piece in self._pieces:
            if isinstance(piece, range):
                for start in range(piece.start, piece.stop, _AT_ONCE):
                    yield Nodes(self.graph, self.graph.nodes[start : min(start + _AT_ONCE, piece.stop)])
            else:
                yield _part_symbol(self.graph, piece, self._grounds)
        yield from self.nested


def symbols(snapshot: Snapshot) -> list[Symbol]:
    """The outline of a document, in the order of the text."""
    inside = [_inside(graph) for graph in snapshot.dump.graphs]
    kernel_names = {kernel.graph.index: kernel.name for kernel in kernels(snapshot) if kernel.name is not None}
    made = [
        _graph_symbol(snapshot, graph, inside[graph.index], kernel_names.get(graph.index) or graph_title(graph))
        for graph in snapshot.dump.graphs
    ]
    roots = []
    # Nested graphs stand behind the graph that holds them: from the back, each is complete when its parent takes it.
    for graph, symbol in zip(reversed(snapshot.dump.graphs), reversed(made), strict=True):
        if graph.parent is None:
            roots.append(symbol)
            continue
        parent = made[graph.parent]
        inside[graph.parent].nested.insert(0, symbol)
        parent.span = Span(min(parent.span.start, symbol.span.start), max(parent.span.end, symbol.span.end))
    return _by_compile(snapshot, roots[::-1])


def _by_compile(snapshot: Snapshot, roots: list[Symbol]) -> list[Symbol]:
    """Graphs of one compilation under one line `[0/1]`, where a log tells of more than one graph."""
    groups = compiles_of(snapshot.dump.graphs)
    if sum(len(group.graphs) for group in groups) < 2:
        return roots
    tops = [graph for graph in snapshot.dump.graphs if graph.parent is None]
    symbol_of = {graph.index: symbol for graph, symbol in zip(tops, roots, strict=True)}
    grouped: dict[int, Symbol | None] = {}
    for group in groups:
        members = [symbol_of[graph.index] for graph in group.graphs]
        for member in members:
            member.name = member.name.removesuffix(f" [{group.compile_id}]")
        detail = f"{len(members)} graph{'s' if len(members) > 1 else ''}"
        first = members[0]
        grouped[group.graphs[0].index] = Symbol(group.name, detail, "compile", group.span, first.name_span, members)
        grouped.update({graph.index: None for graph in group.graphs[1:]})
    found = [grouped.get(graph.index, symbol_of[graph.index]) for graph in tops]
    return [symbol for symbol in found if symbol is not None]


def graph_title(graph: Graph) -> str:
    """What to call a graph in an outline or a heading: its log title, its class, or what its form is.

    A nested graph is called by its class; the identifier that ends dynamo's titles, another in each run, is left out.
    """
    if graph.parent is not None and graph.name:
        return graph.name
    name = _IDENTIFIER.sub("", graph.title) if graph.title else graph.name
    name = name or {"graph_str": "graph", "tabular": "table"}.get(graph.form, "forward")
    return f"{name} [{graph.compile_id}]" if graph.compile_id else name


def _graph_symbol(snapshot: Snapshot, graph: Graph, inside: Inside, name: str) -> Symbol:
    page = graph.page
    level = snapshot.facts[graph.index].level.name
    detail = f"{len(graph.nodes)} nodes" + (f", {level}" if level else "")
    head_end = graph.page.text.find("\n", graph.begin, graph.end)
    name_span = page.span(graph.begin, graph.end if head_end < 0 else head_end)
    return Symbol(shortened(name), detail, "graph", graph.span(), name_span, inside)


def _inside(graph: Graph) -> Inside:
    found = grouping_of(graph)
    if found is None:
        return Inside(graph, 0, len(graph.nodes))
    return Inside(graph, 0, len(graph.nodes), found.parts, f"by {' and '.join(found.grounds)}")


def _part_symbol(graph: Graph, part: Group | Run, grounds: str) -> Symbol:
    """A group of nodes, or groups that look the same; its detail tells the ground."""
    span = graph.page.span(*stretch_of(graph, part))
    first = graph.nodes[part.start]
    name_span = graph.page.span(first.start, first.start + len(first.name))
    inner = part.groups if isinstance(part, Run) else ()
    inside = Inside(graph, part.start, part.end, inner, grounds)
    kind = "run" if isinstance(part, Run) else "group"
    return Symbol(shortened(part.label), f"{part.words}, {grounds}", kind, span, name_span, inside)


def node_detail(node: Node) -> str:
    """What the outline says of a node beside its name."""
    return f"{short_target(node.target)} {node.type}" if node.type else short_target(node.target)


def _node_symbol(graph: Graph, node: Node) -> Symbol:
    span = graph.page.span
    start = node.start
    return Symbol(
        node.name, node_detail(node), node.opcode, span(node.begin, node.end), span(start, start + len(node.name))
    )
