"""Data flow as a call hierarchy: what comes in are a node's operands, what goes out are the nodes that read it."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph.features.definition import name_span
from fxgraph.features.locate import What, locate
from fxgraph.features.references import NAMES, defining_node
from fxgraph.features.saved import backwards_of, saved_by
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import short_target
from fxgraph.features.symbols import graph_title
from fxgraph.graph import Graph, Node, Span
from fxgraph.reading import uses


class Item(NamedTuple):
    """A node: its name, its target and type in words, its opcode, its record, and its name in it."""

    name: str
    detail: str
    opcode: str
    span: Span
    name_span: Span


class Flow(NamedTuple):
    """Another node that a value comes from or goes to. `spans` is what to select when one follows it: the operand's
    name, or the reads in the node that it goes to.
    """

    item: Item
    spans: list[Span]


def flow_item(snapshot: Snapshot, offset: int) -> Item | None:
    """The node whose name, or anything else of whose record, stands at a document offset."""
    found = _node_at(snapshot, offset)
    return None if found is None else _item(*found)


def operands(snapshot: Snapshot, offset: int) -> list[Flow]:
    """Where the values come from that the node at an offset reads; for a saved value, the forward graph's node."""
    found = _node_at(snapshot, offset)
    if found is None:
        return []
    graph, node = found
    saved = saved_by(snapshot, graph, node)
    if saved is not None:
        return [Flow(_item(*saved, elsewhere=True), [name_span(*saved)])]
    definitions = snapshot.facts[graph.index].links.definitions
    sources = [definitions[name] for name in dict.fromkeys(node.reads) if name in definitions]
    return [Flow(_item(graph, source), [name_span(graph, source)]) for source in sources]


def users(snapshot: Snapshot, offset: int) -> list[Flow]:
    """The nodes that read the node at an offset, and the input of the backward graph that it is saved for."""
    found = _node_at(snapshot, offset)
    if found is None:
        return []
    graph, node = found
    links = snapshot.facts[graph.index].links
    flows = []
    for reader in links.users[node.index]:
        spans = [
            graph.page.span(use.start, use.start + len(use.name))
            for use in uses(graph, reader)
            if use.name == node.name
        ]
        flows.append(Flow(_item(graph, reader), spans))
    for other, placeholder in _saved_for(snapshot, graph, node):
        flows.append(Flow(_item(other, placeholder, elsewhere=True), [name_span(other, placeholder)]))
    return flows


def _node_at(snapshot: Snapshot, offset: int) -> tuple[Graph, Node] | None:
    place = locate(snapshot, offset)
    if place is None or place.what in (What.HEAD, What.SOURCE):
        return None
    node = defining_node(snapshot, place) if place.what in NAMES else place.node
    return None if node is None else (place.graph, node)


def _item(graph: Graph, node: Node, elsewhere: bool = False) -> Item:
    words = [short_target(node.target), node.type, f"in {graph_title(graph)}" if elsewhere else None]
    span = graph.page.span(node.begin, node.end)
    inside = name_span(graph, node)
    return Item(node.name, "  ".join(word for word in words if word), node.opcode, span, inside)


def _saved_for(snapshot: Snapshot, graph: Graph, node: Node) -> list[tuple[Graph, Node]]:
    """The inputs of backward graphs that this node of a forward graph is saved for."""
    found = []
    for other in backwards_of(snapshot, graph):
        placeholder = snapshot.facts[other.index].definitions.get(node.name)
        if placeholder is not None and saved_by(snapshot, other, placeholder) == (graph, node):
            found.append((other, placeholder))
    return found
