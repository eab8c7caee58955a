"""The outline: graphs, the graphs nested in them, and their nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

from fxgraph.features.compiles import compiles_of
from fxgraph.features.markdown import shortened
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import short_target
from fxgraph.graph import Graph, Node, Span

#: A UUID with underscores: `__compiled_fn_1_c9f87e78_039d_4442_8c87_3379cd694c3f`.
_IDENTIFIER = re.compile(r"_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12}$")


class Symbol:
    """One line of the outline.

    name      a node's name, or what the graph is called
    detail    a node's target and type; of a graph its form, level and number of nodes
    kind      the node's opcode, `graph`, or `compile`
    span      the record, or the graph with everything nested in it
    name_span what to select: lies inside `span`
    children  the graphs of a compilation; the nodes of a graph, then the graphs nested in it
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


class _Inside(Sequence[Symbol]):
    """The symbols inside of a graph: its nodes, made when looked at, then the graphs nested in it.

    An outline of 100,000 nodes is written once from front to back: all of its symbols at once would take 50 MB.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nested: list[Symbol] = []

    def __len__(self) -> int:
        return len(self.graph.nodes) + len(self.nested)

    @overload
    def __getitem__(self, place: int) -> Symbol: ...

    @overload
    def __getitem__(self, place: slice) -> list[Symbol]: ...

    def __getitem__(self, place: int | slice) -> Symbol | list[Symbol]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        count = len(self.graph.nodes)
        place = place if place >= 0 else place + len(self)
        return _node_symbol(self.graph, self.graph.nodes[place]) if place < count else self.nested[place - count]

    def __iter__(self) -> Iterator[Symbol]:
        for node in self.graph.nodes:
            yield _node_symbol(self.graph, node)
        yield from self.nested


def symbols(snapshot: Snapshot) -> list[Symbol]:
    """The outline of a document, in the order of the text."""
    inside = [_Inside(graph) for graph in snapshot.dump.graphs]
    made = [_graph_symbol(snapshot, graph, inside[graph.index]) for graph in snapshot.dump.graphs]
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


def _graph_symbol(snapshot: Snapshot, graph: Graph, inside: _Inside) -> Symbol:
    page = graph.page
    level = snapshot.facts[graph.index].level.name
    detail = f"{len(graph.nodes)} nodes" + (f", {level}" if level else "")
    head_end = graph.page.text.find("\n", graph.begin, graph.end)
    name_span = page.span(graph.begin, graph.end if head_end < 0 else head_end)
    return Symbol(shortened(graph_title(graph)), detail, "graph", graph.span(), name_span, inside)


def _node_symbol(graph: Graph, node: Node) -> Symbol:
    span = graph.page.span
    detail = f"{short_target(node.target)} {node.type}" if node.type else short_target(node.target)
    start = node.start
    return Symbol(node.name, detail, node.opcode, span(node.begin, node.end), span(start, start + len(node.name)))
