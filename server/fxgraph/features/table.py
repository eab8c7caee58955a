"""The rows of a graph's table: opcode, name, target, shape, dtype, users."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fxgraph.analysis import Facts
from fxgraph.features.amounts import shape_text
from fxgraph.features.shapes import Shapes, Value, type_of
from fxgraph.graph import Node, TensorType
from fxgraph.ops import without_address
from fxgraph.reading import nbytes, tensor_type

COLUMNS = ("opcode", "name", "target", "shape", "dtype", "users")
#: Behind them where torch, or a run of the source, has told of values.
TOLD_COLUMNS = (*COLUMNS, "stride", "device", "bytes")


class Row(NamedTuple):
    """One node: its cells by `COLUMNS`, with shapes by `TOLD_COLUMNS`, and whether it is dead.

    The shape is `(4, 3)`, `()` or, where no tensor type is printed, empty; the dtype then is whatever is printed. Of a
    tuple and of a number, which torch has told, the shape is `(f32[2], i64[2])`, `int 3`.
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
        more: tuple[str, ...] = ()
        if shapes is not None:
            told = shapes.shape(facts.graph, node)
            value = _value_of(tensor) if told is None or told.value is None else told.value
            if not kind and value is not None:
                shape = _of_no_tensor(value)
            more = _told(value)
        cells = (node.opcode, node.name, without_address(node.target), shape, dtype, count, *more)
        yield Row(cells, node.index in dead)


def _value_of(tensor: TensorType | None) -> Value | None:
    """What the text itself prints."""
    if tensor is None:
        return None
    return Value(stride=tensor.stride, device=tensor.device, bytes=nbytes(tensor))


def _of_no_tensor(value: Value) -> str:
    if value.number is None:
        return value.text
    number = value.number
    kind = "bool" if number in ("True", "False") else "int" if number.lstrip("-").isdecimal() else "float"
    return f"{kind} {number}"


def _told(value: Value | None) -> tuple[str, ...]:
    """The cells for stride, device and bytes."""
    if value is None:
        return ("", "", "")
    comma = "," if value.stride is not None and len(value.stride) == 1 else ""
    stride = "" if value.stride is None else f"({', '.join(map(str, value.stride))}{comma})"
    return (stride, value.device or "", "" if value.bytes is None else f"{value.bytes:,}")


def _count(facts: Facts, node: Node) -> str:
    """How many nodes read a node; where they may stand elsewhere, the printed number, or nothing rather than none."""
    count = len(facts.links.readers[node.index])
    if facts.graph.is_whole:
        return str(count)
    return str(count or "") if node.printed_users is None else str(node.printed_users)
