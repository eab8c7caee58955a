"""The hover of a printed type."""

from __future__ import annotations

from math import prod

from fxgraph.features.amounts import human_bytes, shape_text
from fxgraph.features.markdown import bullets, code, paragraphs
from fxgraph.graph import Node
from fxgraph.reading import nbytes, tensor_type

#: torch/utils/_dtype_abbrs.py `dtype_abbrs`, the other way round.
DTYPES = {
    "bf16": "bfloat16", "f64": "float64", "f32": "float32", "f16": "float16", "c32": "complex32", "c64": "complex64",
    "c128": "complex128", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "b8": "bool", "u8": "uint8",
    "u16": "uint16", "u32": "uint32", "u64": "uint64", "b16": "bits16", "f8e4m3fn": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu", "f4e2m1fnx2": "float4_e2m1fn_x2", "b1x8": "bits1x8", "b2x4": "bits2x4",
    "b4x2": "bits4x2", "b8x1": "bits8", "b16x1": "bits16",
}  # fmt: skip


def type_text(node: Node) -> str | None:
    """A tensor type in words; None where there is nothing to add to what stands there."""
    tensor = tensor_type(node.type) if node.type else None
    if node.type is None or tensor is None:
        if node.type and node.type.startswith("Sym("):
            return f"{code(node.type)}: a size or number that torch keeps as a symbol or expression."
        return None
    dtype = DTYPES.get(tensor.dtype)
    items = [f"dtype {code(tensor.dtype)}" + (f", {code('torch.' + dtype)}" if dtype else "")]
    items.append(f"shape {code(shape_text(tensor))}")
    if tensor.stride is not None:
        items.append(f"stride {code('(' + ', '.join(map(str, tensor.stride)) + ')')}")
    if tensor.device is not None:
        items.append(f"device {code(tensor.device)}")
    size = nbytes(tensor)
    if size is not None:
        elements = prod(part for part in tensor.shape if isinstance(part, int))
        items.append(f"{elements:,} element{'s' if elements != 1 else ''}, {human_bytes(size)}")
    head = f"**{code(node.name)}**"
    if tensor.wrapper is not None:
        head += f" {code(tensor.wrapper)} around:"
    return paragraphs([head, bullets(items)])
