"""The rows of a graph's table: opcode, name, target, shape, dtype, users."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fxgraph.analysis import Facts
from fxgraph.features.amounts import shape_text
from fxgraph.features.shapes import Shapes, type_of
from fxgraph.graph import Node
from fxgraph.ops import without_address
from fxgraph.reading import tensor_type

COLUMNS = ("opcode", "name", "target", "shape", "dtype", "users")


class Row(NamedTuple):
    """One node: its cells by `COLUMNS`, and whether it is dead.

    The shape is `(4, 3)`, `()` or, where no tensor type is printed, empty; the dtype then is whatever is printed.
    """

    cells: tuple[str, ...]
    dead: bool


def rows(
    facts: Facts, nodes: Iterable[Node], shapes: Shapes | None = None, logged: Mapping[str, str] | None = None
) -> Iterator[Row]:
    """The table of some nodes of a graph; `shapes` and `logged` (by name) tell types that are not printed."""
    dead = facts.dead
    for node in nodes:
        kind = type_of(facts.graph, node, shapes)[0] or (logged or {}).get(node.name)
        tensor = tensor_type(kind) if kind else None
        shape, dtype = ("", kind or "") if tensor is None else (shape_text(tensor), tensor.dtype)
        if dtype.startswith("("):  # sizes that a log tells
            shape, dtype = dtype, ""
        count = "" if node.opcode == "output" else _count(facts, node)
        yield Row((node.opcode, node.name, without_address(node.target), shape, dtype, count), node.index in dead)


def _count(facts: Facts, node: Node) -> str:
    """How many nodes read a node; where they may stand elsewhere, the printed number, or nothing rather than none."""
    count = len(facts.links.readers[node.index])
    if facts.graph.is_whole:
        return str(count)
    return str(count or "") if node.printed_users is None else str(node.printed_users)
