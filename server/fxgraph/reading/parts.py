"""What the details of a record or statement look like, whatever the form."""

from __future__ import annotations

import re
from typing import NamedTuple

from fxgraph.reading.scan import elements

Stretch = tuple[int, int]


class Parts(NamedTuple):
    """Page offsets (start, end) of the parts of a record, each None where the form does not print it.

    opcode  `call_function`
    target  `torch.ops.aten.mm.default`; the sign of an infix expression
    users   `num_users=3`
    type    the annotation without its quotes
    args    what holds the operands, brackets included
    """

    opcode: Stretch | None = None
    target: Stretch | None = None
    users: Stretch | None = None
    type: Stretch | None = None
    args: Stretch | None = None


class Argument(NamedTuple):
    """One argument of a call: its text, its page offsets, and the name of the node where it is just one node."""

    text: str
    start: int
    end: int
    node: str | None


class Arguments(NamedTuple):
    """The arguments of a call in their order; keywords as pairs (name, argument)."""

    positional: list[Argument]
    keyword: list[tuple[str, Argument]]


_KEYWORD = re.compile(r"\s*(\w+)\s*=(?!=)\s*")


def python_arguments(text: str, start: int, end: int, reads: frozenset[str]) -> Arguments:
    """The arguments between the brackets of a Python call, [start, end) without those brackets."""
    positional: list[Argument] = []
    keyword: list[tuple[str, Argument]] = []
    for a, b in elements(text, start, end):
        match = _KEYWORD.match(text, a, b)
        if match:
            keyword.append((match[1], argument(text, match.end(), b, reads)))
        else:
            positional.append(argument(text, a, b, reads))
    return Arguments(positional, keyword)


def argument(text: str, start: int, end: int, reads: frozenset[str]) -> Argument:
    """One argument; it is a node where its whole text is a name that the node reads."""
    piece = text[start:end]
    bare = piece.removeprefix("%")
    return Argument(piece, start, end, bare if bare in reads else None)
