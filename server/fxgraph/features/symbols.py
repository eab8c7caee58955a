"""The outline: graphs, the graphs nested in them, and their nodes."""

from __future__ import annotations

import re

from fxgraph.features.collector import paused_collector
from fxgraph.features.compiles import compiles_of
from fxgraph.features.markdown import shortened
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import short_target
from fxgraph.graph import Graph, Span

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
        self, name: str, detail: str, kind: str, span: Span, name_span: Span, children: list[Symbol] | None = None
    ) -> None:
        self.name = name
        self.detail = detail
        self.kind = kind
        self.span = span
        self.name_span = name_span
        self.children = [] if children is None else children


def symbols(snapshot: Snapshot) -> list[Symbol]:
    """The outline of a document, in the order of the text."""
    with paused_collector():
        made = [_graph_symbol(snapshot, graph) for graph in snapshot.dump.graphs]
    roots = []
    # Nested graphs stand behind the graph that holds them: from the back, each is complete when its parent takes it.
    for graph, symbol in zip(reversed(snapshot.dump.graphs), reversed(made), strict=True):
        if graph.parent is None:
            roots.append(symbol)
            continue
        parent = made[graph.parent]
        parent.children.insert(len(snapshot.dump.graphs[graph.parent].nodes), symbol)
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


def _graph_symbol(snapshot: Snapshot, graph: Graph) -> Symbol:
    page = graph.page
    level = snapshot.facts[graph.index].level.name
    detail = f"{len(graph.nodes)} nodes" + (f", {level}" if level else "")
    head_end = graph.page.text.find("\n", graph.begin, graph.end)
    name_span = page.span(graph.begin, graph.end if head_end < 0 else head_end)
    children = [
        Symbol(
            node.name,
            f"{short_target(node.target)} {node.type}" if node.type else short_target(node.target),
            node.opcode,
            page.span(node.begin, node.end),
            page.span(node.start, node.start + len(node.name)),
        )
        for node in graph.nodes
    ]
    return Symbol(shortened(graph_title(graph)), detail, "graph", graph.span(), name_span, children)
