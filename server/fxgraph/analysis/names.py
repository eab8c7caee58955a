"""Which definition a read goes to, and who reads what. A graph is one scope: names repeat across graphs.

Kept by index: what is known stays true after an edit that moves nodes and changes no name.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, pairwise
from typing import overload

from fxgraph.graph import OUTPUT, Graph, Node


class Definitions(Mapping[str, Node]):
    """The node that a name means; where a name is defined twice, the first. The output node defines none."""

    __slots__ = ("_nodes", "places")

    def __init__(self, nodes: Sequence[Node], places: dict[str, int]) -> None:
        self._nodes = nodes
        self.places = places

    def __getitem__(self, name: str) -> Node:
        return self._nodes[self.places[name]]

    def get(self, name: str, default: Node | None = None) -> Node | None:  # type: ignore[override]
        """The node, or `default` where the name means none."""
        place = self.places.get(name)
        return default if place is None else self._nodes[place]

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


class Readers(Sequence[Sequence[int]]):
    """By `Node.index`: the indices of the nodes that read it. Kept in two arrays: lists take five times the memory."""

    __slots__ = ("_ends", "_indices")

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self._indices = array("I", chain.from_iterable(lists))
        self._ends = array("I", accumulate(map(len, lists), initial=0))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, place: slice) -> list[Sequence[int]]: ...
    def __getitem__(self, place: int | slice) -> Sequence[int] | list[Sequence[int]]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        place = place if place >= 0 else len(self) + place
        return self._indices[self._ends[place] : self._ends[place + 1]]

    def last(self, place: int) -> int | None:
        """The last of the readers of one node, or None."""
        end = self._ends[place + 1]
        return self._indices[end - 1] if end > self._ends[place] else None

    def counts(self) -> list[int]:
        """How many read each node."""
        return [end - start for start, end in pairwise(self._ends)]


class Users(Sequence[list[Node]]):
    """By `Node.index`: the distinct nodes that read it, in graph order."""

    __slots__ = ("_nodes", "readers")

    def __init__(self, nodes: Sequence[Node], readers: Readers) -> None:
        self._nodes = nodes
        self.readers = readers

    def __len__(self) -> int:
        return len(self.readers)

    @overload
    def __getitem__(self, place: int) -> list[Node]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[Node]]: ...
    def __getitem__(self, place: int | slice) -> list[Node] | list[list[Node]]:
        nodes = self._nodes
        if isinstance(place, slice):
            return [[nodes[index] for index in readers] for readers in self.readers[place]]
        return [nodes[index] for index in self.readers[place]]


@dataclass(slots=True, eq=False)
class Links:
    """The names of one graph, tied together.

    nodes      those of the graph
    places     name -> index of the node that it means; where a name is defined twice, the first. The output node
               defines none
    readers    by `Node.index`: the indices of the distinct nodes that read it, in graph order, the output node
               included, as torch/fx/node.py counts `Node.users`. Later definitions of a name have none: see `redefined`
    odd        indices of nodes with a read that is undefined, or stands at or above the definition
    later      indices of second and later definitions of a name
    ambiguous  names that are defined more than once
    """

    nodes: Sequence[Node]
    places: dict[str, int]
    readers: Readers
    odd: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)
    ambiguous: frozenset[str] = frozenset()

    @property
    def definitions(self) -> Definitions:
        """The node that a name means."""
        return Definitions(self.nodes, self.places)

    @property
    def users(self) -> Users:
        """The nodes that read a node, by its index."""
        return Users(self.nodes, self.readers)

    @property
    def odd_readers(self) -> list[Node]:
        """The nodes of `odd`."""
        return [self.nodes[index] for index in self.odd]

    @property
    def redefined(self) -> list[Node]:
        """The nodes of `later`."""
        return [self.nodes[index] for index in self.later]

    def of(self, graph: Graph) -> Links:
        """The same for a graph with the same names and reads."""
        return replace(self, nodes=graph.nodes)


def definitions_of(graph: Graph) -> Definitions:
    """The node that a name means, as in `Links.definitions`."""
    places = {node.name: node.index for node in reversed(graph.nodes) if node.opcode != OUTPUT}
    return Definitions(graph.nodes, places)


def link(graph: Graph) -> Links:
    """Tie the reads of a graph to its definitions. Takes one pass over nodes and reads."""
    places: dict[str, int] = {}  # grows with the pass: what it lacks at a read is undefined, or defined too late
    readers: list[list[int]] = []
    early: list[tuple[str, int]] = []
    later: list[int] = []
    nobody: list[int] = []  # one for all: most lists are short, and many are empty
    find, define, add = places.get, places.setdefault, readers.append
    for node in graph.nodes:
        index = node.index
        for name in node.reads:
            place = find(name)
            if place is None:
                early.append((name, index))
            else:
                known = readers[place]
                if known is nobody:
                    readers[place] = [index]
                elif known[-1] != index:
                    known.append(index)
        add(nobody)
        if node.opcode != OUTPUT and define(node.name, index) != index:
            later.append(index)
    _add_early(early, places, readers)
    ambiguous = frozenset(graph.nodes[index].name for index in later)
    odd = list(dict.fromkeys(index for _, index in early))
    return Links(graph.nodes, places, Readers(readers), odd, later, ambiguous)


def _add_early(early: list[tuple[str, int]], places: dict[str, int], readers: list[list[int]]) -> None:
    """Put the nodes that read a name at or above its definition in front of its other readers."""
    of_names: dict[str, dict[int, None]] = {}
    for name, index in early:
        if name in places:
            of_names.setdefault(name, {})[index] = None
    for name, indices in of_names.items():
        readers[places[name]] = [*indices, *readers[places[name]]]
