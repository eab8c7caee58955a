"""The nodes of a graph after an edit: those of an older reading, each moved when somebody asks for it.

An edit moves every node behind it. Somebody who types looks at a few of them; copying all at every key would cost more
than reading the changed lines.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple, overload

from fxgraph.graph import Node

#: With more pieces than this, all nodes are moved at the next edit.
_MOST_PIECES = 200

_making = threading.Lock()


class _Piece(NamedTuple):
    """`nodes[first:first + length]`, whose offsets in the text have grown by `by`."""

    nodes: Sequence[Node]
    first: int
    length: int
    by: int


class MovedNodes(Sequence[Node]):
    """Nodes made of pieces of older lists. Each place gives the same object whenever it is asked for.

    The nodes of the older lists stay as they are: older versions of the text hold them.
    """

    __slots__ = ("_layout", "_length", "_list", "_made")

    def __init__(self, pieces: list[_Piece]) -> None:
        self._length = sum(piece.length for piece in pieces)
        self._made: dict[int, Node] = {}
        self._list: list[Node] | None = None  # once all were asked for
        # one object, for other threads: the pieces, and which index each begins with
        self._layout = (pieces, list(accumulate([piece.length for piece in pieces[:-1]], initial=0)))

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Node: ...
    @overload
    def __getitem__(self, place: slice) -> list[Node]: ...
    def __getitem__(self, place: int | slice) -> Node | list[Node]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(self._length))]
        if self._list is not None:
            return self._list[place]
        place = place if place >= 0 else place + self._length
        if not 0 <= place < self._length:
            raise IndexError(place)
        return self._made.get(place) or self._make(place)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._all())

    def _make(self, index: int) -> Node:
        pieces, starts = self._layout
        number = bisect_right(starts, index) - 1
        piece = pieces[number]
        old = piece.nodes[piece.first + index - starts[number]]
        with _making:  # two threads must not get two objects
            if self._list is not None:
                return self._list[index]
            node = self._made.get(index)
            if node is None:
                node = moved_node(old, piece.by, index)
                if node is not old:
                    self._made[index] = node
            return node

    def _all(self) -> list[Node]:
        """All nodes. The older lists are let go."""
        with _making:
            if self._list is None:
                found: list[Node] = []
                made = self._made
                for piece in self._layout[0]:
                    for old in piece.nodes[piece.first : piece.first + piece.length]:
                        index = len(found)
                        found.append(made.get(index) or moved_node(old, piece.by, index))
                self._list = found
                self._layout = ([_Piece(found, 0, len(found), 0)], [0])
                self._made = {}
            return self._list

    def unmoved(self) -> Iterator[Node]:
        """The nodes with their names and reads, but with offsets and indices of older texts."""
        pieces, _ = self._layout
        return chain.from_iterable([piece.nodes[piece.first : piece.first + piece.length] for piece in pieces])

    def stretches(self) -> Iterator[tuple[int, int]]:
        """Begin and end of each node."""
        for nodes, first, length, by in self._layout[0]:
            for node in nodes[first : first + length]:
                yield node.begin + by, node.end + by

    def pieces(self, first: int, last: int, by: int) -> list[_Piece]:
        """What gives the nodes [first, last), moved by `by` characters more."""
        found = []
        for piece, start in zip(*self._layout, strict=True):
            begin, end = max(first - start, 0), min(last - start, piece.length)
            if begin < end:
                found.append(_Piece(piece.nodes, piece.first + begin, end - begin, piece.by + by))
        return found


def in_any_place(nodes: Sequence[Node]) -> Iterable[Node]:
    """All nodes in order, without moving one: their words are right, offsets and indices may be of older texts."""
    return nodes.unmoved() if isinstance(nodes, MovedNodes) else nodes


def stretches(nodes: Sequence[Node]) -> Iterator[tuple[int, int]]:
    """Page offsets (begin, end) of all nodes in order, without moving one."""
    if isinstance(nodes, MovedNodes):
        return nodes.stretches()
    return ((node.begin, node.end) for node in nodes)


def names_of(nodes: Sequence[Node]) -> set[str]:
    """The names of all nodes."""
    return {node.name for node in in_any_place(nodes)}


def moved(nodes: Sequence[Node], by: int) -> Sequence[Node]:
    """The nodes of a graph that stands behind an edit by which the text has grown by `by` characters."""
    return nodes if by == 0 else MovedNodes(_pieces(nodes, 0, len(nodes), by))


def replaced(nodes: Sequence[Node], first: int, last: int, part: Sequence[Node], by: int) -> MovedNodes:
    """The nodes with `part`, which has its offsets, in place of [first, last); those behind it are moved by `by`."""
    if isinstance(nodes, MovedNodes) and len(nodes.pieces(0, len(nodes), 0)) > _MOST_PIECES:
        iter(nodes)
    pieces = [*_pieces(nodes, 0, first, 0), _Piece(part, 0, len(part), 0), *_pieces(nodes, last, len(nodes), by)]
    return MovedNodes([piece for piece in pieces if piece.length])


def _pieces(nodes: Sequence[Node], first: int, last: int, by: int) -> list[_Piece]:
    return nodes.pieces(first, last, by) if isinstance(nodes, MovedNodes) else [_Piece(nodes, first, last - first, by)]


def moved_node(node: Node, by: int, index: int, reads: Sequence[str] | None = None) -> Node:
    """The node, or a copy of it where its offsets, its index or its reads are others."""
    if by == 0 and node.index == index and reads is None:
        return node
    copy = Node.__new__(Node)
    copy.name = node.name
    copy.opcode = node.opcode
    copy.target = node.target
    copy.index = index
    copy.start = node.start + by
    copy._lead = node._lead
    copy._length = node._length
    copy.printed_users = node.printed_users
    copy.type = node.type
    copy.reads = node.reads if reads is None else reads
    copy.frees = node.frees
    return copy
