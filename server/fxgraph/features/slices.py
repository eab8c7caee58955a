"""A node's slice: everything it depends on, as a dump of its own that reads back complete."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph.analysis import Facts
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views.operands import printed_return
from fxgraph.features.views.printed import write_record
from fxgraph.features.views.written import Written
from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph, Node


class Slice(NamedTuple):
    """`text` is a dump in the form of print(graph), of so many `nodes`, the return line left out."""

    text: str
    nodes: int


def slice_of(snapshot: Snapshot, graph: Graph, node: Node) -> Slice:
    """The slice of a node.

    Nodes are in the order of the graph and keep their records; counts are those of the slice. Names that the text reads
    and does not define (a fragment's) become inputs. What writes in place to a value of the slice above the node
    belongs to it, too.
    """
    facts = snapshot.facts[graph.index]
    members = _members(facts, node)
    chosen = [member for member in graph.nodes if member.index in members and member.opcode != OUTPUT]
    readers = _readers(chosen, node)
    written = Written(snapshot.lines, graph)
    defined = {member.name for member in chosen}
    missing = [name for name in readers if name not in defined]
    for name in missing:
        written.add(f"# {name} is read and not defined above: here it is an input")
    written.add("graph():")
    inputs = [member for member in chosen if member.opcode == PLACEHOLDER]
    for member in inputs:
        write_record(written, graph, member, readers.get(member.name, 0))
    for name in missing:
        written.add(f"    %{name} : [num_users={readers[name]}] = placeholder[target={name}]")
    for member in chosen:
        if member.opcode != PLACEHOLDER:
            write_record(written, graph, member, readers.get(member.name, 0))
    written.add(f"    return {printed_return(graph, node) if node.opcode == OUTPUT else node.name}")
    return Slice(written.text, len(chosen) + len(missing))


def _members(facts: Facts, node: Node) -> set[int]:
    """Indices of the node, of what it reads, and so on; and of what writes to one of these above the node."""
    nodes, definitions = facts.graph.nodes, facts.links.definitions
    members: set[int] = set()
    pending = [node]
    while pending:
        member = pending.pop()
        if member.index in members:
            continue
        members.add(member.index)
        pending += [definitions[name] for name in member.reads if name in definitions]
        for user in facts.links.users[member.index]:
            if user.index < node.index and (facts.effect(user) or "").startswith("writes"):
                pending.append(nodes[user.index])
    return members


def _readers(chosen: list[Node], node: Node) -> dict[str, int]:
    """By name: how many nodes of the slice read it, the return line included; in the order of the first reads."""
    readers: dict[str, int] = {}
    for member in chosen:
        for name in dict.fromkeys(member.reads):
            readers[name] = readers.get(name, 0) + 1
    for name in dict.fromkeys(node.reads if node.opcode == OUTPUT else [node.name]):
        readers[name] = readers.get(name, 0) + 1
    return readers
