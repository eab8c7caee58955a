"""What the functions of Python's `operator`, `builtins` and `math` do that stand in graphs."""

from __future__ import annotations

import re

_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^", "lt": "<", "le": "<=", "eq": "==",
    "ne": "!=", "gt": ">", "ge": ">=", "is_": "is", "is_not": "is not",
}  # fmt: skip
_IN_PLACE = {
    "iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/=", "ifloordiv": "//=", "imod": "%=", "ipow": "**=",
    "imatmul": "@=", "ilshift": "<<=", "irshift": ">>=", "iand": "&=", "ior": "|=", "ixor": "^=",
}  # fmt: skip
_PREFIX = {"neg": "-", "pos": "+", "invert": "~", "inv": "~", "not_": "not "}
_OTHERS = {
    "operator.getitem": "`a[b]` in Python: one item of a tuple or list, or indexing.",
    "operator.setitem": "`a[b] = c` in Python: writes into `a`.",
    "operator.abs": "`abs(a)` in Python.",
    "builtins.getattr": "`getattr(a, name)` in Python: fetches an attribute of a value.",
    "builtins.setattr": "`setattr(a, name, b)` in Python: sets an attribute of a value.",
}
_BUILT_IN = re.compile(r"<built-in (?:function|method) (\w+)[^>]*>")


def python_text(target: str) -> str | None:
    """What a Python function does, or None where the target is none that is known here."""
    if target in _OTHERS:
        return _OTHERS[target]
    module, _, name = target.rpartition(".")
    if module in ("operator", "_operator"):
        if name in _INFIX:
            return f"`a {_INFIX[name]} b` in Python."
        if name in _IN_PLACE:
            return f"`a {_IN_PLACE[name]} b` in Python: writes into `a` where its type can do that."
        if name in _PREFIX:
            return f"`{_PREFIX[name]}a` in Python."
        return "A function of Python's `operator` module."
    if module in ("builtins", "math"):
        return f"A function of Python's `{module}` module." if module == "math" else "A built-in function of Python."
    return None


def table_spelling(target: str) -> str | None:
    """The bare name in a table's `<built-in function add>`, where the module is not told; None for other targets."""
    found = _BUILT_IN.fullmatch(target)
    return found[1] if found else None
