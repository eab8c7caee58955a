"""Which node of a forward graph gave a backward graph its input."""

from __future__ import annotations

import re

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import returned_names
from fxgraph.graph import PLACEHOLDER, Graph, Node

_NUMBER = re.compile(r"\bgraph (\d+)", re.IGNORECASE)


def saved_by(snapshot: Snapshot, graph: Graph, node: Node) -> tuple[Graph, Node] | None:
    """The forward graph and its node that saved this input of a backward graph, where both stand in the file.

    The partitioner keeps the names of saved values (torch/_functorch/partitioners.py); the forward returns them.
    """
    if node.opcode != PLACEHOLDER or graph.parent is not None or _stage(snapshot, graph) != "aot_backward":
        return None
    forward = forward_of(snapshot, graph)
    if forward is None:
        return None
    saved = snapshot.facts[forward.index].definitions.get(node.name)
    return (forward, saved) if saved is not None and node.name in returned_names(forward) else None


def forward_of(snapshot: Snapshot, backward: Graph) -> Graph | None:
    """The forward graph of a backward graph: of the same compilation and number, or the only one of each."""
    graphs = [graph for graph in snapshot.dump.graphs if graph.parent is None]
    forwards = [graph for graph in graphs if _stage(snapshot, graph) == "aot_forward"]
    matching = [graph for graph in forwards if _pair(graph) == _pair(backward)]
    if backward.title is not None:
        called = [graph for graph in matching if graph.title and _title(graph) == _title(backward)]
        for found in (called, matching):
            if len(found) == 1:
                return found[0]
    backwards = [graph for graph in graphs if _stage(snapshot, graph) == "aot_backward"]
    return forwards[0] if len(forwards) == len(backwards) == 1 else None


def _pair(graph: Graph) -> tuple[str | None, int | None, str | None]:
    number = _NUMBER.search(graph.title or "")
    return graph.compile_id, graph.rank, number[1] if number else None


def _title(graph: Graph) -> str:
    """The title without the word that tells the two apart: `aot_forward_graph` and `aot_backward_graph` are a pair."""
    return re.sub("forward|backward", "", (graph.title or "").lower())


def _stage(snapshot: Snapshot, graph: Graph) -> str | None:
    stage = snapshot.facts[graph.index].stage
    return stage.name if stage else None
