"""Which node of a forward graph gave a backward graph its input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import returned_names
from fxgraph.graph import PLACEHOLDER, Graph, Node
from fxgraph.reading import tensor_type

#: What a backward graph takes besides saved values: gradients, and states of random number generators.
_NOT_SAVED = ("tangents_", "fwd_rng_state", "bwd_rng_state", "bwd_base_offset", "bwd_seed")
_NUMBER = re.compile(r"\bgraph (\d+)", re.IGNORECASE)


class _Side(NamedTuple):
    """What a graph is of a pair. Both graphs of a pair have the same `family`: `aot`, or `post_grad` where inductor has
    been over them.
    """

    is_backward: bool
    family: str


def saved_by(snapshot: Snapshot, graph: Graph, node: Node) -> tuple[Graph, Node] | None:
    """The forward graph and its node that saved this input of a backward graph, where both stand in the file.

    The partitioner keeps the names of saved values (torch/_functorch/partitioners.py); the forward returns them.
    """
    forward = forward_of(snapshot, graph) if is_saved(snapshot, graph, node) else None
    if forward is None:
        return None
    saved = snapshot.facts[forward.index].definitions.get(node.name)
    return (forward, saved) if saved is not None and node.name in returned_names(forward) else None


def saved_in(other: Snapshot, snapshot: Snapshot, graph: Graph, node: Node) -> tuple[Graph, Node] | None:
    """The same where the forward graph stands in another file: the only graph there that returns all that the backward
    graph takes.
    """
    side = _side(snapshot, graph)
    if side is None or not is_saved(snapshot, graph, node):
        return None
    pairs = _pairs_of(other)
    fitting = [forward for forward in pairs.forwards(side.family) if pairs.saves_all(forward, graph)]
    if len(fitting) != 1:
        return None
    return fitting[0], other.facts[fitting[0].index].definitions[node.name]


def is_saved(snapshot: Snapshot, graph: Graph, node: Node) -> bool:
    """Whether this is an input of a backward graph that can be a value which the forward graph has saved."""
    side = _side(snapshot, graph) if node.opcode == PLACEHOLDER else None
    return side is not None and side.is_backward and not node.name.startswith(_NOT_SAVED)


def forward_of(snapshot: Snapshot, backward: Graph) -> Graph | None:
    """The forward graph of a backward graph: of the same compilation and number, the only one that returns what the
    backward takes, or the only one of each. Worked out once for each snapshot.
    """
    return _pairs_of(snapshot).forward_of(backward)


def backwards_of(snapshot: Snapshot, forward: Graph) -> Iterator[Graph]:
    """The backward graphs of the file whose forward graph this is."""
    side = _side(snapshot, forward)
    if side is None or side.is_backward:
        return
    for graph in snapshot.dump.graphs:
        other = _side(snapshot, graph)
        if other is not None and other.is_backward and forward_of(snapshot, graph) is forward:
            yield graph


class _Pairs:
    """The forward and backward graphs of a snapshot, looked for once, and the pairs that were asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.facts = snapshot.facts
        self.sides = {graph.index: side for graph in snapshot.dump.graphs if (side := _side(snapshot, graph))}
        self.graphs = snapshot.dump.graphs
        self.of_pair: dict[object, list[Graph]] = {}
        for index, side in self.sides.items():
            if not side.is_backward:
                self.of_pair.setdefault(self._key(self.graphs[index], side), []).append(self.graphs[index])
        self.returned: dict[int, frozenset[str]] = {}
        self.found: dict[int, Graph | None] = {}

    def forward_of(self, backward: Graph) -> Graph | None:
        if backward.index not in self.found:
            side = self.sides.get(backward.index)
            is_backward = side is not None and side.is_backward
            self.found[backward.index] = self._look_for(backward, side) if side and is_backward else None
        return self.found[backward.index]

    def forwards(self, family: str) -> list[Graph]:
        return [self.graphs[index] for index, side in self.sides.items() if side == _Side(False, family)]

    def _look_for(self, backward: Graph, side: _Side) -> Graph | None:
        matching = self.of_pair.get(self._key(backward, side), [])
        if backward.title is not None:
            called = [graph for graph in matching if graph.title and _title(graph) == _title(backward)]
            for found in (called, matching):
                if len(found) == 1:
                    return found[0]
            # a log that was appended to, or a process that began anew: the last one above that fits
            above = [graph for graph in called if graph.index < backward.index and self.saves_all(graph, backward)]
            if above:
                return above[-1]
        backwards = [index for index, other in self.sides.items() if other == side]
        forwards = self.forwards(side.family)
        if len(forwards) == len(backwards) == 1:
            return forwards[0]
        fitting = [graph for graph in matching if self.saves_all(graph, backward)]
        return fitting[0] if len(fitting) == 1 else None

    def saves_all(self, forward: Graph, backward: Graph) -> bool:
        """Whether a forward graph returns all that a backward graph takes, which is not nothing."""
        saved = [node for node in backward.nodes if node.opcode == PLACEHOLDER and not node.name.startswith(_NOT_SAVED)]
        return bool(saved) and all(self._saves(forward, node) for node in saved)

    def _saves(self, forward: Graph, saved: Node) -> bool:
        """Whether a forward graph returns a value of this name, and of this type where both are printed."""
        returned = self.returned.get(forward.index)
        if returned is None:
            returned = self.returned[forward.index] = frozenset(returned_names(forward))
        if saved.name not in returned:
            return False
        node = self.facts[forward.index].definitions.get(saved.name)
        return node is not None and (node.type is None or saved.type is None or _agree(node.type, saved.type))

    def _key(self, graph: Graph, side: _Side) -> object:
        number = _NUMBER.search(graph.title or "")
        return graph.compilation, number[1] if number else None, side.family


_pairs: WeakKeyDictionary[Snapshot, _Pairs] = WeakKeyDictionary()


def _pairs_of(snapshot: Snapshot) -> _Pairs:
    known = _pairs.get(snapshot)
    if known is None:
        known = _pairs[snapshot] = _Pairs(snapshot)
    return known


def _agree(one: str, other: str) -> bool:
    """Whether two types are of one value. Strides do not count: inductor gives inputs of convolutions others."""
    left, right = tensor_type(one), tensor_type(other)
    if left is None or right is None:
        return one == other
    return (left.dtype, left.shape, left.wrapper) == (right.dtype, right.shape, right.wrapper)


def _title(graph: Graph) -> str:
    """The title without the word that tells the two apart: `aot_forward_graph` and `aot_backward_graph` are a pair."""
    return re.sub("forward|backward", "", (graph.title or "").lower())


def _side(snapshot: Snapshot, graph: Graph) -> _Side | None:
    """By the stage; both graphs of a pair have the title `AFTER POST GRAD`, so there the inputs' names tell."""
    stage = snapshot.facts[graph.index].stage if graph.parent is None else None
    if stage is None:
        return None
    if stage.name in ("aot_forward", "aot_backward"):
        return _Side(stage.name == "aot_backward", "aot")
    if stage.name != "post_grad":
        return None
    inputs = [node.name for node in graph.nodes if node.opcode == PLACEHOLDER]
    if any(name.startswith("tangents_") for name in inputs):
        return _Side(True, "post_grad")
    return _Side(False, "post_grad") if any(name.startswith("primals_") for name in inputs) else None
