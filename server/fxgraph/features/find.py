"""Nodes that meet a filter, as `inspect --where` takes it, and nodes and graphs by name."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph.features.filters import Filter, selected
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import short_target
from fxgraph.features.symbols import graph_title
from fxgraph.graph import OUTPUT, Graph, Node, Span


class Found(NamedTuple):
    """A node or a graph. `span` is its name, or the head's first line; `kind` its opcode, or `graph`."""

    name: str
    detail: str
    kind: str
    span: Span
    graph: str


def nodes_where(snapshot: Snapshot, filters: list[Filter]) -> list[Found]:
    """The nodes of all graphs that meet all conditions, in the order of the text."""
    return [
        _node(facts.graph, node, graph_title(facts.graph))
        for facts in snapshot.facts
        for node in selected(filters, facts)
    ]


def named_like(snapshot: Snapshot, query: str, limit: int) -> list[Found]:
    """Graphs and nodes whose names hold the query, whatever the case, the best first; no more than `limit`.

    The whole name comes before its beginning, and that before the rest. An empty query finds the graphs.
    """
    wanted = query.strip().lower()
    ranked: list[tuple[int, Graph, Node | None]] = []
    for graph in snapshot.dump.graphs:
        title = graph_title(graph).lower()
        if wanted in title:
            ranked.append((_rank(title, wanted), graph, None))
        if wanted:
            names = [(node.name.lower(), node) for node in graph.nodes if node.opcode != OUTPUT]
            ranked += [(_rank(name, wanted), graph, node) for name, node in names if wanted in name]
    ranked.sort(key=lambda item: item[0])
    return [
        _graph(graph, graph_title(graph)) if node is None else _node(graph, node, graph_title(graph))
        for _, graph, node in ranked[:limit]
    ]


def _rank(name: str, wanted: str) -> int:
    return 0 if name == wanted else 1 if name.startswith(wanted) else 2


def _node(graph: Graph, node: Node, title: str) -> Found:
    target = short_target(node.target)
    length = len("return") if node.opcode == OUTPUT else len(node.name)
    span = graph.page.span(node.start, node.start + length)
    return Found(node.name, f"{target} {node.type}" if node.type else target, node.opcode, span, title)


def _graph(graph: Graph, title: str) -> Found:
    end = graph.page.text.find("\n", graph.begin, graph.end)
    span = graph.page.span(graph.begin, graph.end if end < 0 else end)
    return Found(title, f"{len(graph.nodes)} nodes", "graph", span, title)
