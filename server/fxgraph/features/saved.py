"""Which node of a forward graph gave a backward graph its input."""

from __future__ import annotations

import re
from weakref import WeakKeyDictionary

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import returned_names
from fxgraph.graph import PLACEHOLDER, Graph, Node

_Pair = tuple[tuple[int | None, str | None, str | None], str | None]

#: What a backward graph takes besides saved values: gradients, and states of random number generators.
_NOT_SAVED = ("tangents_", "fwd_rng_state", "bwd_rng_state", "bwd_base_offset", "bwd_seed")
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
    """The forward graph of a backward graph: of the same compilation and number, the only one that returns what the
    backward takes, or the only one of each. Worked out once for each snapshot.
    """
    known = _pairs.get(snapshot)
    if known is None:
        known = _pairs[snapshot] = _Pairs(snapshot)
    return known.forward_of(backward)


class _Pairs:
    """The forward and backward graphs of a snapshot, looked for once, and the pairs that were asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        graphs = [graph for graph in snapshot.dump.graphs if graph.parent is None]
        stages = [(_stage(snapshot, graph), graph) for graph in graphs]
        self.facts = snapshot.facts
        self.forwards = [graph for stage, graph in stages if stage == "aot_forward"]
        self.backwards = sum(stage == "aot_backward" for stage, _ in stages)
        self.of_pair: dict[_Pair, list[Graph]] = {}
        for graph in self.forwards:
            self.of_pair.setdefault(_pair(graph), []).append(graph)
        self.returned: dict[int, frozenset[str]] = {}
        self.found: dict[int, Graph | None] = {}

    def forward_of(self, backward: Graph) -> Graph | None:
        if backward.index not in self.found:
            self.found[backward.index] = self._look_for(backward)
        return self.found[backward.index]

    def _look_for(self, backward: Graph) -> Graph | None:
        matching = self.of_pair.get(_pair(backward), [])
        if backward.title is not None:
            called = [graph for graph in matching if graph.title and _title(graph) == _title(backward)]
            for found in (called, matching):
                if len(found) == 1:
                    return found[0]
        if len(self.forwards) == self.backwards == 1:
            return self.forwards[0]
        saved = [node for node in backward.nodes if node.opcode == PLACEHOLDER and not node.name.startswith(_NOT_SAVED)]
        fitting = [graph for graph in matching if saved and all(self._saves(graph, node) for node in saved)]
        return fitting[0] if len(fitting) == 1 else None

    def _saves(self, forward: Graph, saved: Node) -> bool:
        """Whether a forward graph returns a value of this name, and of this type where both are printed."""
        returned = self.returned.get(forward.index)
        if returned is None:
            returned = self.returned[forward.index] = frozenset(returned_names(forward))
        if saved.name not in returned:
            return False
        node = self.facts[forward.index].definitions.get(saved.name)
        return node is not None and (node.type is None or saved.type is None or node.type == saved.type)


_pairs: WeakKeyDictionary[Snapshot, _Pairs] = WeakKeyDictionary()


def _pair(graph: Graph) -> _Pair:
    number = _NUMBER.search(graph.title or "")
    return graph.compilation, number[1] if number else None


def _title(graph: Graph) -> str:
    """The title without the word that tells the two apart: `aot_forward_graph` and `aot_backward_graph` are a pair."""
    return re.sub("forward|backward", "", (graph.title or "").lower())


def _stage(snapshot: Snapshot, graph: Graph) -> str | None:
    stage = snapshot.facts[graph.index].stage
    return stage.name if stage else None
