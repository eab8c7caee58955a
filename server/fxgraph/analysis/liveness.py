"""Which nodes nobody reads, and which of these could be left out without a difference."""

from __future__ import annotations

from collections.abc import Callable

from fxgraph.analysis.names import Links
from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph, Node


def unused(graph: Graph, links: Links) -> frozenset[int]:
    """Indices of the nodes without a reader in this text, inputs included, the output node left out.

    A second definition of a name that is read is none of them: it may be the one that is meant. Nor is a node of a
    fragment (a quoted line, what one kernel computes) whose printed count tells of readers: they stand elsewhere.
    """
    nodes = graph.nodes
    found = {index for index, count in enumerate(links.readers.counts()) if not count and nodes[index].opcode != OUTPUT}
    for index in links.later:
        if links.readers[links.places[nodes[index].name]]:
            found.discard(index)
    if graph.is_fragment:
        found = {index for index in found if not nodes[index].printed_users}
    return frozenset(found)


def dead(
    graph: Graph, links: Links, without_readers: frozenset[int], is_pure: Callable[[Node], bool]
) -> frozenset[int]:
    """Indices of the nodes that are known to be pure and that only dead nodes read, or none.

    `without_readers` is what `unused` gives. Inputs and outputs are never dead, nor is a node that has more users by
    its printed count than this text shows, nor one whose name is defined twice: which of the two is read is not known.
    Nothing is dead in a graph that is not whole, or has a gap (which is not looked for here).
    """
    if not graph.is_whole:
        return frozenset()
    nodes = graph.nodes

    def may_die(node: Node) -> bool:
        if node.opcode == PLACEHOLDER or node.opcode == OUTPUT or node.name in links.ambiguous:
            return False
        if node.printed_users is not None and node.printed_users > len(links.readers[node.index]):
            return False
        return is_pure(node)

    found = {index for index in without_readers if may_die(nodes[index])}
    pending = list(found)
    live: dict[int, int] = {}  # readers that are not dead, of nodes with a dead reader
    while pending:
        for name in set(nodes[pending.pop()].reads):
            at = links.places.get(name)
            if at is None:
                continue
            live[at] = live.get(at, len(links.readers[at])) - 1
            if live[at] == 0 and may_die(nodes[at]):
                found.add(at)
                pending.append(at)
    return frozenset(found)
