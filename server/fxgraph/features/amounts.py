"""Bytes and types in words."""

from __future__ import annotations

from fxgraph.graph import TensorType
from fxgraph.reading import nbytes, tensor_type


def human_bytes(count: int) -> str:
    """`24 B`, `1.2 GB`: decimal units, two digits at least."""
    if count < 1000:
        return f"{count} B"
    amount = float(count)
    for unit in ("kB", "MB", "GB", "TB", "PB"):
        amount /= 1000
        if amount < 999.5 or unit == "PB":
            break
    return f"{amount:.1f} {unit}" if amount < 9.95 else f"{amount:,.0f} {unit}"


def bytes_of(type_text: str | None) -> int | None:
    """Bytes of a printed type's values, or None where it is no tensor, has a symbolic size or an unknown dtype.

    A tensor subclass counts as what is printed inside it.
    """
    tensor = None if type_text is None else tensor_type(type_text)
    return None if tensor is None else nbytes(tensor)


def shape_text(tensor: TensorType) -> str:
    """The shape as a Python tuple: `(4, 3)`, `(4,)`, `()`, `(s77, 3)`."""
    return f"({tensor.shape[0]},)" if len(tensor.shape) == 1 else f"({', '.join(map(str, tensor.shape))})"
