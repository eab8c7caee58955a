"""Python's own arithmetic with bounds: a line of text must not make a number or a list that fills the memory.

Sizes of results are told before anything is computed. What is refused stops at its node.
"""

from __future__ import annotations

from typing import Any, Callable

import torch

#: Of an integer: far more than any size or count of a model has.
MOST_BITS = 4096
#: Of lists, tuples and ranges.
MOST_ITEMS = 1_000_000
#: torch/fx symbols: sizes of a higher power than this are none.
_LARGEST_POWER = 16
_SEQUENCES = (list, tuple, str, bytes, range, torch.Size)


class TooLargeError(ValueError):
    """A result that is not computed; the message says why."""


def bounded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `operator`, `math` or `builtins` that refuses what would be too large."""
    check = _CHECKS.get(name)

    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            check_value(value)
        if check is not None:
            check(*args, **kwargs)
        return check_value(function(*args, **kwargs))

    return call


def check_value(value: Any) -> Any:
    """The value, or TooLargeError."""
    if isinstance(value, int):
        _check_bits(value.bit_length())
    elif isinstance(value, torch.SymInt):
        hint = value.node.hint if value.node.has_hint() else None
        if isinstance(hint, int):
            _check_bits(hint.bit_length())
    elif isinstance(value, _SEQUENCES):
        _check_items(_length(value))
    return value


def _check_bits(bits: int) -> None:
    if bits > MOST_BITS:
        raise TooLargeError(f"an integer of more than {MOST_BITS:,} bits is not computed")


def _check_items(count: int) -> None:
    if count > MOST_ITEMS:
        raise TooLargeError(f"a sequence of more than {MOST_ITEMS:,} items is not made")


def _length(value: Any) -> int:
    if isinstance(value, range):  # len() of a long one overflows
        return max(0, -((value.start - value.stop) // value.step) if value.step > 0 else _backwards(value))
    return len(value)


def _backwards(value: range) -> int:
    return -((value.stop - value.start) // -value.step)


def _power(base: Any, exponent: Any, modulus: Any = None) -> None:
    if modulus is not None:
        return
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent > 0:
            _check_bits((abs(base).bit_length() - 1) * exponent)
    elif isinstance(base, (torch.SymInt, torch.SymFloat)) or isinstance(exponent, (torch.SymInt, torch.SymFloat)):
        if not isinstance(exponent, (int, float)) or abs(exponent) > _LARGEST_POWER:
            raise TooLargeError("a power that no size has")


def _shift(value: Any, count: Any) -> None:
    if isinstance(count, torch.SymInt):
        raise TooLargeError("a shift by a symbol is not computed")
    if isinstance(value, (int, torch.SymInt)) and isinstance(count, int) and count > 0:
        _check_bits((value.bit_length() if isinstance(value, int) else 1) + count)


def _product(one: Any, other: Any) -> None:
    for sequence, count in ((one, other), (other, one)):
        if isinstance(sequence, _SEQUENCES):
            if not isinstance(count, int):
                raise TooLargeError("a sequence as often as a symbol says is not made")
            _check_items(_length(sequence) * max(count, 0))
    if isinstance(one, int) and isinstance(other, int):
        _check_bits(one.bit_length() + other.bit_length() - 1)


def _sum(one: Any, other: Any) -> None:
    if isinstance(one, _SEQUENCES) and isinstance(other, _SEQUENCES):
        _check_items(_length(one) + _length(other))


def _remainder(value: Any, _: Any) -> None:
    if isinstance(value, (str, bytes)):
        raise TooLargeError("texts are not formatted")


def _round(_: Any, digits: Any = None) -> None:
    if digits is not None and not (isinstance(digits, int) and abs(digits) <= 400):
        raise TooLargeError("so many digits are not rounded to")


def _fold(values: Any, *, start: Any = 0) -> None:
    """`math.prod`: each value has its bits."""
    if isinstance(values, (list, tuple, range)):
        _check_items(_length(values))
        _check_bits(sum(value.bit_length() for value in values if isinstance(value, int)))


def _several(*values: Any) -> None:
    """`math.lcm`."""
    _check_bits(sum(value.bit_length() for value in values if isinstance(value, int)))


def _add_up(values: Any, start: Any = 0) -> None:
    """`sum`: of lists it would make lists."""
    if isinstance(values, (list, tuple, torch.Size)):
        if any(isinstance(value, _SEQUENCES) for value in (*values, start)):
            raise TooLargeError("sequences are not added up")


_CHECKS: dict[str, Callable[..., None]] = {
    "pow": _power,
    "ipow": _power,
    "lshift": _shift,
    "ilshift": _shift,
    "mul": _product,
    "imul": _product,
    "add": _sum,
    "iadd": _sum,
    "concat": _sum,
    "iconcat": _sum,
    "mod": _remainder,
    "imod": _remainder,
    "round": _round,
    "prod": _fold,
    "lcm": _several,
    "sum": _add_up,
}
