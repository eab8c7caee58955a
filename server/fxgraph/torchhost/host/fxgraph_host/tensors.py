"""Fake tensors from printed types, and types of values for people."""

from __future__ import annotations

from typing import Any

import torch

from fxgraph_host.symbols import Symbols, UnreadableError

#: torch/utils/_dtype_abbrs.py; a name that this build lacks is left out.
_NAMES = {
    "bf16": "bfloat16", "f64": "float64", "f32": "float32", "f16": "float16", "c32": "complex32", "c64": "complex64",
    "c128": "complex128", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "b8": "bool", "u8": "uint8",
    "u16": "uint16", "u32": "uint32", "u64": "uint64", "b16": "bits16", "f8e4m3fn": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu", "f4e2m1fnx2": "float4_e2m1fn_x2", "b1x8": "bits1x8", "b2x4": "bits2x4",
    "b4x2": "bits4x2", "b8x1": "bits8", "b16x1": "bits16",
}  # fmt: skip
DTYPES = {short: getattr(torch, name) for short, name in _NAMES.items() if hasattr(torch, name)}
_SHORT = {dtype: short for short, dtype in DTYPES.items()}
_MOST_PARTS = 64

Description = dict[str, Any]


def from_type(told: Any, symbols: Symbols, default_device: str) -> Any:
    """The value of a printed type: a fake tensor (under the mode that is on) or a number or symbol.

    Raises UnreadableError, or what torch raises (a device that this build does not know).
    """
    if told is None:
        raise UnreadableError("its type is not in the text")
    if told[0] == "sym":
        return symbols.read(told[1])
    _, dtype_name, sizes, strides, device = told
    dtype = DTYPES.get(dtype_name)
    if dtype is None:
        raise UnreadableError(f"this torch has no dtype {dtype_name}")
    shape = [symbols.read(size) for size in sizes]
    where = real_device(device or default_device)
    if strides is None or len(strides) != len(shape):
        return torch.empty(shape, dtype=dtype, device=where)
    return torch.empty_strided(shape, [symbols.read(stride) for stride in strides], dtype=dtype, device=where)


def real_device(text: Any) -> torch.device:
    """A device by its name; one without a number is the first of its kind."""
    device = torch.device(text)
    if device.index is None and device.type not in ("cpu", "meta", "mps"):
        return torch.device(device.type, 0)
    return device


def describe(value: Any, symbols: Symbols) -> Description:
    """What there is to tell of a value: `type` as print_readable prints it, `stride`, `device`, `bytes`; `parts` of a
    tuple; `value` of a number.
    """
    if isinstance(value, torch.Tensor):
        return _of_tensor(value, symbols)
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return {"type": f"Sym({symbols.text(value)})"}
    if isinstance(value, (tuple, list)):
        found: Description = {"parts": [describe(part, symbols) for part in value[:_MOST_PARTS]]}
        if len(value) > _MOST_PARTS:
            found["more"] = len(value) - _MOST_PARTS
        return found
    if isinstance(value, (bool, int, float)):
        return {"value": str(value)[:80]}
    return {}


def _of_tensor(value: torch.Tensor, symbols: Symbols) -> Description:
    dtype = _SHORT.get(value.dtype) or str(value.dtype).rpartition(".")[2]
    shape = [size if isinstance(size, int) else symbols.text(size) for size in value.shape]
    found: Description = {"type": f"{dtype}[{', '.join(map(str, shape))}]", "device": str(value.device)}
    if value.layout == torch.strided:
        found["stride"] = [step if isinstance(step, int) else symbols.text(step) for step in value.stride()]
    if all(isinstance(size, int) for size in shape):
        count = 1
        for size in shape:
            count *= size
        found["bytes"] = count * value.element_size()
    return found


def agrees(told: Any, value: Any, symbols: Symbols) -> bool | None:
    """Whether a value is what the printed type says; None where that cannot be told.

    Sizes are compared as expressions: the order of their terms means nothing. A symbol that the text names here for the
    first time is bound to the one that torch made.
    """
    if told is None:
        return None
    try:
        if told[0] == "sym":
            if isinstance(value, (torch.Tensor, tuple, list)):
                return False
            return _same(told[1], value, symbols)
        if not isinstance(value, torch.Tensor):
            return False
        _, dtype, sizes, _, device = told
        if dtype not in DTYPES:
            return None
        if value.dtype != DTYPES[dtype] or len(sizes) != value.dim():
            return False
        if device is not None and real_device(device) != value.device:
            return False
        found = [_same(size, actual, symbols) for size, actual in zip(sizes, value.shape)]
        return False if False in found else None if None in found else True
    except (UnreadableError, RuntimeError):
        return None


def _same(printed: Any, actual: Any, symbols: Symbols) -> bool | None:
    if isinstance(printed, str) and printed.isidentifier() and not symbols.knows(printed):
        if printed in ("True", "False"):
            return str(actual) == printed
        number = isinstance(actual, (torch.SymInt, torch.SymFloat))
        if number and actual.node.expr.is_Symbol and actual.node.expr not in symbols.names:
            symbols.bind(printed, actual)
            return True
    wanted = symbols.read(printed)
    left, right = _expression(wanted), _expression(actual)
    if left == right:
        return True
    try:
        difference = (left - right).expand() if hasattr(left, "expand") or hasattr(right, "expand") else left - right
    except (TypeError, AttributeError):
        return None
    if difference == 0:
        return True
    # Two symbols may be known to be equal, by a guard or a check: then the text says the same in other words.
    try:
        return bool(wanted == actual) if not getattr(difference, "free_symbols", None) else _by_env(wanted, actual)
    except Exception:
        return None


def _by_env(wanted: Any, actual: Any) -> bool | None:
    from torch.fx.experimental.symbolic_shapes import statically_known_true

    return bool(statically_known_true(wanted == actual))


def _expression(value: Any) -> Any:
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return value.node.expr
    return value
