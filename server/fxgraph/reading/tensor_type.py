"""Printed types: `f32[2, 3][3, 1]cuda:0`, `DTensor(f32[8, 4], S(0))`."""

from __future__ import annotations

import re
from functools import lru_cache

from fxgraph.graph import TensorType

#: Bytes of one element, by torch's abbreviation (torch/utils/_dtype_abbrs.py `dtype_abbrs`).
ITEM_SIZE = {
    "f64": 8, "f32": 4, "f16": 2, "bf16": 2, "c128": 16, "c64": 8, "c32": 4, "i64": 8, "i32": 4, "i16": 2, "i8": 1,
    "u64": 8, "u32": 4, "u16": 2, "u8": 1, "b8": 1, "f8e4m3fn": 1, "f8e5m2": 1, "f8e4m3fnuz": 1, "f8e5m2fnuz": 1,
    "f8e8m0fnu": 1, "f4e2m1fnx2": 1, "qi8": 1, "qu8": 1, "qi32": 4, "b16": 2,
    "b1x8": 1, "b2x4": 1, "b4x2": 1, "b8x1": 1, "b16x1": 2,
}  # fmt: skip

_TENSOR = re.compile(r"([a-z]+\d+[a-z0-9]*)\[([^\[\]]*)\](?:\[([^\[\]]*)\])?([a-z]+(?::\d+)?)?")
_WRAPPED = re.compile(r"([A-Za-z_]\w*)\((.*)\)", re.DOTALL)


@lru_cache(maxsize=4096)
def tensor_type(text: str) -> TensorType | None:
    """A printed type taken apart, or None where it is no tensor's (`Sym(s17)`, `torch.Tensor`)."""
    text = text.strip()
    match = _TENSOR.fullmatch(text)
    if match:
        dtype, shape, stride, device = match.groups()
        return TensorType(dtype, _sizes(shape), None if stride is None else _sizes(stride), device)
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped and wrapped[1] != "Sym":
        inner = _TENSOR.match(wrapped[2])
        if inner:
            dtype, shape, stride, device = inner.groups()
            return TensorType(dtype, _sizes(shape), None if stride is None else _sizes(stride), device, wrapped[1])
    return None


def nbytes(kind: TensorType) -> int | None:
    """Bytes of the values alone (elements times item size), or None where a size is symbolic or the dtype unknown."""
    total = ITEM_SIZE.get(kind.dtype)
    for size in kind.shape:
        if total is None or isinstance(size, str):
            return None
        total *= size
    return total


def _sizes(text: str) -> tuple[int | str, ...]:
    return (
        tuple(int(item) if item.isdecimal() and len(item) < 20 else item for item in _split(text))
        if text.strip()
        else ()
    )


def _split(text: str) -> list[str]:
    """The sizes between commas; a symbolic one may hold commas inside brackets: `Max(1, s0)`."""
    found, depth, at = [], 0, 0
    for place, sign in enumerate(text):
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "," and depth == 0:
            found.append(text[at:place].strip())
            at = place + 1
    found.append(text[at:].strip())
    return [item for item in found if item]
