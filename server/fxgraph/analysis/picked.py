"""Some of a graph's nodes, by their indices."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import overload

from fxgraph.graph import Node


class Picked(Sequence[Node]):
    """The nodes at these indices, each looked up when somebody asks: after an edit most have not moved yet."""

    __slots__ = ("_indices", "_nodes")

    def __init__(self, nodes: Sequence[Node], indices: Iterable[int]) -> None:
        self._nodes = nodes
        self._indices = array("I", indices)

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, place: int) -> Node: ...
    @overload
    def __getitem__(self, place: slice) -> list[Node]: ...
    def __getitem__(self, place: int | slice) -> Node | list[Node]:
        if isinstance(place, slice):
            return [self._nodes[index] for index in self._indices[place]]
        return self._nodes[self._indices[place]]
