"""Which definition a read goes to, and who reads what. A graph is one scope: names repeat across graphs."""

from __future__ import annotations

from dataclasses import dataclass, field

from fxgraph.graph import OUTPUT, Graph, Node


@dataclass(slots=True, eq=False)
class Links:
    """The names of one graph, tied together.

    definitions  the node that a name means; where a name is defined twice, the first. The output node defines none
    users        by `Node.index`: the distinct nodes that read it, in graph order, the output node included, as
                 torch/fx/node.py counts `Node.users`. Later definitions of a name have none: see `redefined`
    odd_readers  nodes with a read that is undefined, or stands at or above the definition
    redefined    second and later definitions of a name
    ambiguous    names that are defined more than once
    """

    definitions: dict[str, Node]
    users: list[list[Node]]
    odd_readers: list[Node] = field(default_factory=list)
    redefined: list[Node] = field(default_factory=list)
    ambiguous: frozenset[str] = frozenset()


def definitions_of(graph: Graph) -> dict[str, Node]:
    """The node that a name means; where a name is defined twice, the first. The output node defines none."""
    return {node.name: node for node in reversed(graph.nodes) if node.opcode != OUTPUT}


def link(graph: Graph) -> Links:
    """Tie the reads of a graph to its definitions. Takes one pass over nodes and reads."""
    definitions: dict[str, Node] = {}  # grows with the pass: what it lacks at a read is undefined, or defined too late
    users: list[list[Node]] = []
    early: list[tuple[str, Node]] = []
    redefined: list[Node] = []
    find, define = definitions.get, definitions.setdefault
    for node in graph.nodes:
        for name in node.reads:
            definition = find(name)
            if definition is None:
                early.append((name, node))
            else:
                readers = users[definition.index]
                if not readers or readers[-1] is not node:
                    readers.append(node)
        users.append([])
        if node.opcode != OUTPUT and define(node.name, node) is not node:
            redefined.append(node)
    _add_early(early, definitions, users)
    odd_readers = list(dict.fromkeys(node for _, node in early))
    return Links(definitions, users, odd_readers, redefined, frozenset(node.name for node in redefined))


def _add_early(early: list[tuple[str, Node]], definitions: dict[str, Node], users: list[list[Node]]) -> None:
    """Put the nodes that read a name at or above its definition in front of its other readers."""
    of_names: dict[str, dict[Node, None]] = {}
    for name, node in early:
        if name in definitions:
            of_names.setdefault(name, {})[node] = None
    for name, nodes in of_names.items():
        users[definitions[name].index][:0] = nodes
