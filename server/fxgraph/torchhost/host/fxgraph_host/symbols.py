"""Sizes that are symbols: expressions of a dump read by a reader of our own (sympy's own would execute them)."""

from __future__ import annotations

import re
from typing import Any

import torch
from torch._dynamo.source import ConstantSource
from torch.fx.experimental import symbolic_shapes

_TOKEN = re.compile(r"\s*(?:(\d+\.\d*(?:e[+-]?\d+)?|\d+)|([A-Za-z_]\w*)|(\*\*|//|<=|>=|==|!=|[-+*/%(),<>]))")
_WORD = re.compile(r"[A-Za-z_]\w*")
_UNBACKED = re.compile(r"[ui]\d+\Z")
_SYMBOL = re.compile(r"[A-Za-z_]\w*\Z")
_FLOAT = re.compile(r"z?u?f\d+\Z")
_LONGEST = 4000
_DEEPEST = 60
_LARGEST_POWER = 16


class UnreadableError(ValueError):
    """A text that is no expression of sizes."""


class Symbols:
    """The symbols of one run, each made when it is first read.

    env     torch's ShapeEnv
    ranges  allowed values by name, from an exported program's constraints
    equal   all symbols have the same example value, so that torch may take one for another where an operator needs it
    """

    def __init__(self, ranges: dict[str, Any], *, equal: bool = False) -> None:
        self.env = symbolic_shapes.ShapeEnv()
        self.ranges = ranges
        self.equal = equal
        self._known: dict[str, Any] = {}
        #: torch's symbol -> the dump's name
        self.names: dict[Any, str] = {}

    def knows(self, name: str) -> bool:
        """Whether a symbol of this name was made or bound."""
        return name in self._known

    def symbol(self, name: str) -> Any:
        """The SymInt of a name."""
        if name not in self._known:
            if not _SYMBOL.match(name) or _FLOAT.match(name):
                raise UnreadableError(f"{name!r} is no symbol of a size")
            made = self._unbacked() if _UNBACKED.match(name) else self._backed(name)
            self.bind(name, made)
        return self._known[name]

    def bind(self, name: str, value: Any) -> None:
        """Call a SymInt, which torch made, by the name that the dump gives it."""
        self._known[name] = value
        if isinstance(value, (torch.SymInt, torch.SymFloat)):
            self.names[value.node.expr] = name

    def _backed(self, name: str) -> Any:
        hint = self._hint(name)
        source = ConstantSource(f"__fxgraph_{len(self._known)}")
        symbol = self.env.create_symbol(hint, source=source, dynamic_dim=symbolic_shapes.DimDynamic.DYNAMIC)
        return self.env.create_symintnode(symbol, hint=hint, source=source)

    def _hint(self, name: str) -> int:
        """An example value, another one for each symbol: sizes that differ must not look equal."""
        hint = 16 * (2 if self.equal else len(self._known) + 2) + 8
        low, high = (self.ranges.get(name) or [2, 1 << 40])[:2]
        return hint if low <= hint <= high else max(2, min(high, low + len(self._known)))

    def _unbacked(self) -> Any:
        made = self.env.create_unbacked_symint()
        torch._check(made >= 0)
        return made

    def read(self, text: Any) -> Any:
        """An int, float, bool, or SymInt. Raises UnreadableError where the text is something else."""
        if isinstance(text, (int, float)):
            return text
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise UnreadableError("no size")
        reader = _Reader(text, self)
        value = reader.comparison(0)
        if reader.at < len(reader.tokens):
            raise UnreadableError(f"cannot read {text[:80]!r}")
        return value

    def text(self, value: Any) -> str:
        """A size with the dump's names for its symbols."""
        if not isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return str(value)
        expression = value.node.expr
        free = getattr(expression, "free_symbols", ())
        renamed = {one: type(one)(self.names[one], **one.assumptions0) for one in free if one in self.names}
        return str(expression.xreplace(renamed)) if renamed else str(expression)

    def renamed(self, text: str) -> str:
        """A message of torch with the dump's names for its symbols."""
        names = {str(symbol): name for symbol, name in self.names.items()}
        return _WORD.sub(lambda match: names.get(match[0], match[0]), text) if names else text


class _Reader:
    def __init__(self, text: str, symbols: Symbols) -> None:
        self.tokens: list[tuple[str, str]] = []
        self.at = 0
        self.symbols = symbols
        place = 0
        while place < len(text.rstrip()):
            match = _TOKEN.match(text, place)
            if match is None:
                raise UnreadableError(f"cannot read {text[:80]!r}")
            kind = "number" if match[1] else "name" if match[2] else "sign"
            self.tokens.append((kind, match[1] or match[2] or match[3]))
            place = match.end()

    def sign(self, *signs: str) -> str | None:
        if self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if kind == "sign" and text in signs:
                self.at += 1
                return text
        return None

    def comparison(self, depth: int) -> Any:
        left = self.sum(depth)
        sign = self.sign("<", "<=", ">", ">=", "==", "!=")
        return left if sign is None else _COMPARE[sign](left, self.sum(depth))

    def sum(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise UnreadableError("nested too deeply")
        value = self.product(depth)
        while True:
            sign = self.sign("+", "-")
            if sign is None:
                return value
            other = self.product(depth)
            value = value + other if sign == "+" else value - other

    def product(self, depth: int) -> Any:
        value = self.factor(depth)
        while True:
            sign = self.sign("*", "//", "/", "%")
            if sign is None:
                return value
            other = self.factor(depth)
            if sign == "*":
                value = value * other
            elif sign == "//":
                value = value // other
            elif sign == "%":
                value = value % other
            else:
                value = value / other

    def factor(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise UnreadableError("nested too deeply")
        if self.sign("-"):
            return -self.factor(depth + 1)
        value = self.atom(depth)
        if self.sign("**"):
            power = self.factor(depth + 1)
            if not isinstance(power, int) or not 0 <= power <= _LARGEST_POWER:
                raise UnreadableError("a power that no size has")
            value = value**power
        return value

    def atom(self, depth: int) -> Any:
        if self.sign("("):
            value = self.comparison(depth + 1)
            if not self.sign(")"):
                raise UnreadableError("no closing bracket")
            return value
        if self.at >= len(self.tokens):
            raise UnreadableError("an expression without its end")
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            if len(text) > 30:
                raise UnreadableError("a number that no size has")
            return int(text) if text.isdigit() else float(text)
        if kind != "name":
            raise UnreadableError(f"no value begins with {text!r}")
        if not self.sign("("):
            return {"True": True, "False": False}[text] if text in ("True", "False") else self.symbols.symbol(text)
        function = _FUNCTIONS.get(text)
        if function is None:
            raise UnreadableError(f"unknown function {text[:40]!r}")
        values = [self.comparison(depth + 1)]
        while self.sign(","):
            values.append(self.comparison(depth + 1))
        if not self.sign(")"):
            raise UnreadableError("no closing bracket")
        try:
            return function(*values)
        except TypeError:
            raise UnreadableError(f"{text} of {len(values)} values") from None


def _largest(*values: Any) -> Any:
    found = values[0]
    for value in values[1:]:
        found = torch.sym_max(found, value)
    return found


def _smallest(*values: Any) -> Any:
    found = values[0]
    for value in values[1:]:
        found = torch.sym_min(found, value)
    return found


_COMPARE = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
#: torch/utils/_sympy/functions.py, as far as sizes are made of them.
_FUNCTIONS = {
    "FloorDiv": lambda a, b: a // b,
    "CleanDiv": lambda a, b: a // b,
    "CeilDiv": lambda a, b: -(-a // b),
    "Mod": lambda a, b: a % b,
    "PythonMod": lambda a, b: a % b,
    "ModularIndexing": lambda a, b, c: (a // b) % c,
    "IntTrueDiv": lambda a, b: a / b,
    "FloatTrueDiv": lambda a, b: a / b,
    "ToFloat": lambda a: torch.sym_float(a),
    "TruncToInt": lambda a: torch.sym_int(a),
    "Max": _largest,
    "Min": _smallest,
    "Identity": lambda a: a,
    "Eq": lambda a, b: a == b,
    "Ne": lambda a, b: a != b,
}
