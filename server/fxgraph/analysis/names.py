"""Which definition a read goes to, and who reads what. A graph is one scope: names repeat across graphs."""

from __future__ import annotations

from dataclasses import dataclass, field

from fxgraph.graph import OUTPUT, Graph, Node


@dataclass(slots=True, eq=False)
class Links:
    """The names of one graph, tied together.

    definitions  the node that a name means; where a name is defined twice, the first. The output node defines none
    users        by `Node.index`: the distinct nodes that read it, in graph order, the output node included, as
                 torch/fx/node.py counts `Node.users`. All nodes of a name defined twice share its readers
    odd_readers  nodes with a read that is undefined, or stands at or above the definition
    redefined    second and later definitions of a name
    ambiguous    names that are defined more than once
    """

    definitions: dict[str, Node]
    users: list[list[Node]]
    odd_readers: list[Node] = field(default_factory=list)
    redefined: list[Node] = field(default_factory=list)
    ambiguous: frozenset[str] = frozenset()


def link(graph: Graph) -> Links:
    """Tie the reads of a graph to its definitions. Takes one pass over nodes and reads."""
    readers: dict[str, list[Node]] = {}  # of the names defined so far
    users: list[list[Node]] = []
    early: list[tuple[str, Node]] = []  # reads of what is not defined so far
    redefined: list[Node] = []
    find = readers.get
    for node in graph.nodes:
        for name in node.reads:
            of_name = find(name)
            if of_name is None:
                early.append((name, node))
            elif not of_name or of_name[-1] is not node:
                of_name.append(node)
        name = node.name
        if name in readers or node.opcode == OUTPUT:
            if node.opcode != OUTPUT:
                redefined.append(node)
                users.append(readers[name])
            else:
                users.append([])
        else:
            own: list[Node] = []
            readers[name] = own
            users.append(own)
    if redefined or early:
        definitions = {node.name: node for node in reversed(graph.nodes) if node.opcode != OUTPUT}
        _add_early(early, readers)
    else:
        definitions = {node.name: node for node in graph.nodes if node.opcode != OUTPUT}
    odd_readers = list(dict.fromkeys(node for _, node in early))
    return Links(definitions, users, odd_readers, redefined, frozenset(node.name for node in redefined))


def _add_early(early: list[tuple[str, Node]], readers: dict[str, list[Node]]) -> None:
    """Put the nodes that read a name at or above its definition in front of its other readers."""
    of_names: dict[str, dict[Node, None]] = {}
    for name, node in early:
        if name in readers:
            of_names.setdefault(name, {})[node] = None
    for name, nodes in of_names.items():
        readers[name][:0] = nodes
