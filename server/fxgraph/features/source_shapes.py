"""Shapes that a run of the source has told: each graph of a dump finds the recorded graph that it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from fxgraph.features.shapes import SOURCE, Shape, Shapes, types_differ, value_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, Graph, Node
from fxgraph.reading import read
from fxgraph.torchhost.rerun import RecordedGraph, Rerun

#: A graph with fewer matching nodes than this is another one.
_ENOUGH = 0.5


#: How tables print functions: `<built-in method relu of type object at 0x...>`, `<function softmax at 0x...>`.
_OBJECT = re.compile(r"<(?:built-in (?:method|function)|function|method|slot wrapper) '?([\w.]+)")


class Match(NamedTuple):
    """What a graph of the dump has found.

    matching  how many of its nodes the recorded graph has, with the same operands
    nodes     how many it has itself
    stopped   why the values of some are not known, or None
    differs   in words, where a type is printed in the dump and the source now told another one, or None
    """

    matching: int
    nodes: int
    stopped: str | None
    differs: str | None = None

    @property
    def is_stale(self) -> bool:
        """Whether the source prints another graph now."""
        return self.matching < self.nodes


@dataclass(slots=True)
class SourceShapes(Shapes):
    """The shapes of a whole file, with what told them.

    rerun    the run: its script, hash and torch
    matches  by index of the graph; one that the script did not print is not in it
    """

    rerun: Rerun | None = None
    matches: dict[int, Match] = field(default_factory=dict)


def shapes_of_source(snapshot: Snapshot, rerun: Rerun) -> SourceShapes:
    """The types that a run has told for the nodes of a dump, and what each graph has found."""
    recorded = [(one, graph) for one in rerun.graphs for graph in read(one.text).graphs[:1]]
    shapes = SourceShapes(torch=rerun.torch or "", origin=SOURCE, rerun=rerun)
    for graph in snapshot.dump.graphs:
        found = _best(graph, recorded)
        if found is None:
            continue
        one, nodes = found
        differs: str | None = None
        for node in nodes:
            value = value_of(one.types.get(node.name, {}))
            if value is not None:
                shapes.of[graph.index, node.index] = Shape(value)
                if differs is None and value.type is not None and types_differ(node.type, value.type):
                    differs = f"`{node.name}` is `{node.type}` in the dump and `{value.type}` there"
        shapes.matches[graph.index] = Match(len(nodes), len(graph.nodes), one.stopped, differs)
    return shapes


def _best(graph: Graph, recorded: Sequence[tuple[RecordedGraph, Graph]]) -> tuple[RecordedGraph, list[Node]] | None:
    """The recorded graph with the most nodes in common, and these. The same text counts most, then known types; of
    equal ones the first.
    """
    best: tuple[tuple[int, bool, int], RecordedGraph, list[Node]] | None = None
    text = _bare(graph)
    for one, other in recorded:
        nodes = matching_nodes(graph, other)
        score = (len(nodes), text == _bare(other), len(one.types))
        if nodes and (best is None or score > best[0]):
            best = score, one, nodes
    if best is None or len(best[2]) < _ENOUGH * len(graph.nodes):
        return None
    return best[1], best[2]


def _bare(graph: Graph) -> list[str]:
    return [line.strip() for line in graph.page.text[graph.begin : graph.end].splitlines()]


def matching_nodes(graph: Graph, other: Graph) -> list[Node]:
    """The nodes of a graph that the other one has too: same name, opcode and target, and the same operands, which match
    as well. So their values come about in the same way.
    """
    others = {node.name: node for node in other.nodes}
    matched: dict[str, Node] = {}
    for node in graph.nodes:
        twin = others.get(node.name)
        if (
            twin is not None
            and node.name not in matched
            and node.opcode == twin.opcode
            and _same_target(graph, node, twin)
            and _operands(node) == _operands(twin)
            and all(name in matched for name in node.reads)
        ):
            matched[node.name] = node
    return list(matched.values())


def _operands(node: Node) -> Sequence[str]:
    """Names of the operands, each once: keywords may stand in another order than print(graph) writes them."""
    return sorted(set(node.reads))


def _same_target(graph: Graph, node: Node, twin: Node) -> bool:
    if node.target == twin.target or node.opcode == OUTPUT:
        return True
    # A table writes `<built-in method relu of ...>`; code writes `torch.conv2d` for `torch.nn.functional.conv2d`.
    mine, theirs = _last_word(node.target), _last_word(twin.target)
    return graph.form != "graph_str" and mine == theirs


def _last_word(target: str) -> str:
    printed = _OBJECT.match(target)
    return (printed[1] if printed else target).rpartition(".")[2].strip("_")


def proposed_source(snapshot: Snapshot) -> str | None:
    """The script that a dump's header line proposes, as a path relative to the dump's folder, or None.

    It is text of the dump: to be shown to the user, not to be opened.
    """
    source = snapshot.dump.header.get("source")
    return unquote(source) if source else None
