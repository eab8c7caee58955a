"""Which nested graph of the file a node names: the bodies of `cond`, `while_loop` and their like, partitions."""

from __future__ import annotations

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import CALL_FUNCTION, CALL_MODULE, GET_ATTR, Graph, Node
from fxgraph.ops import split_target

#: torch 2.2 printed nested classes under the names of their own Python classes, not of the attributes.
_NAMELESS = frozenset({"<lambda>", "GraphModule"})


def graph_named_by(snapshot: Snapshot, graph: Graph, node: Node) -> Graph | None:
    """The nested graph that a `get_attr` or `call_module` node takes from its module, where it stands in the file.

    A class is called as the attribute is. Where all classes are called `<lambda>` or `GraphModule`, the bodies are
    bound in order, and only if there are as many as the graph takes.
    """
    if node.opcode not in (GET_ATTR, CALL_MODULE):
        return None
    children = children_of(snapshot, graph)
    if not children:
        return None
    found: Graph | None = None
    for name in node.target.split("."):
        found = next((child for child in children if child.name == name), None)
        if found is None:
            break
        children = children_of(snapshot, found)
    return found or _by_position(snapshot, graph, node)


def children_of(snapshot: Snapshot, graph: Graph) -> list[Graph]:
    """The graphs whose classes stand directly in this graph's class, in order."""
    return [child for child in snapshot.dump.graphs if child.parent == graph.index]


def _by_position(snapshot: Snapshot, graph: Graph, node: Node) -> Graph | None:
    bodies = children_of(snapshot, graph)
    if any(body.name not in _NAMELESS for body in bodies):
        return None
    targets = list(dict.fromkeys(taker.target for taker in _takers(snapshot, graph)))
    if len(targets) != len(bodies) or node.target not in targets:
        return None
    return bodies[targets.index(node.target)]


def _takers(snapshot: Snapshot, graph: Graph) -> list[Node]:
    """The `get_attr` nodes that higher-order operators read as graphs, and the partitions that are called."""
    users = snapshot.facts[graph.index].links.users
    return [
        node
        for node in graph.nodes
        if node.opcode == CALL_MODULE
        or (node.opcode == GET_ATTR and any(_is_higher_order(user) for user in users[node.index]))
    ]


def _is_higher_order(node: Node) -> bool:
    target = split_target(node.target) if node.opcode == CALL_FUNCTION else None
    return target is not None and target.is_higher_order
