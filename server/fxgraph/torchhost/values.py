"""The text of an argument as plain data for the host: nothing in it is run, names stay names.

3, 0.5, true, null, [..]     themselves, and lists
{"n": "add"}                 the value of a node
{"s": "mean"}                a string that stands in quotes
{"w": "torch.float32"}       a word: a dtype, a device, an operator, or a string whose quotes print(graph) left out
{"f": "inf"}                 a number that JSON lacks
{"z": [re, im]}              a complex number
{"t": [..]}  {"d": [[k, v], ..]}  {"c": [start, stop, step]}  {"e": 1}     tuple, dict, slice, Ellipsis
{"x": ["device", [..], [[k, v], ..]]}     a device or range as code writes it
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import Any

Value = Any

_TOKEN = re.compile(
    r"\s*(?:(?P<string>[bBrRuU]{0,2}(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"))"
    r"|(?P<number>(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?)"
    r"|(?P<name>%?[A-Za-z_][\w.]*)"
    r"|(?P<sign>\.\.\.|[()\[\]{},:=+-]))"
)
_PRINTED_LEAF = re.compile(r"(?:(?!, |,[)\]}])[^)\]}])*")
_PRINTED_COMPLEX = re.compile(r"\(([^(), ]*\dj)\)")
_INTEGER = re.compile(r"-?\d+\Z")
_COMPLEX = re.compile(r"(-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan))?([+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan))j\Z")
_FLOAT = re.compile(r"-?(?:\d+\.\d*|\d*\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?\Z")
_CALLS = frozenset({"device", "torch.device", "range", "torch.Size", "slice", "complex"})
_DEEPEST = 50
_CONSTANTS: dict[str, Value] = {
    "True": True,
    "False": False,
    "None": None,
    "inf": {"f": "inf"},
    "nan": {"f": "nan"},
    "Ellipsis": {"e": 1},
    "NoneType": {"w": "NoneType"},
}


class UnreadableError(ValueError):
    """A text that no generated code holds at such a place."""


def python_value(text: str, nodes: Collection[str]) -> Value:
    """The value that generated code writes; `nodes` are the names that are nodes. Raises UnreadableError."""
    return _Python(text, nodes).whole()


def python_arguments(text: str) -> tuple[list[Value], list[list[Value]]]:
    """Positional and keyword arguments of a call without nodes, from what stands in its brackets. Raises
    UnreadableError.
    """
    reader = _Python(f"{text})", ())
    found = reader.arguments(0)
    if reader.kind is not None:
        raise UnreadableError(f"more text from {reader.token!r}")
    return found


def printed_value(text: str, nodes: Collection[str]) -> Value:
    """The value that print(graph) writes, where strings have no quotes. Raises UnreadableError."""
    reader = _Printed(text, nodes)
    value = reader.value(0)
    if reader.at != len(text):
        raise UnreadableError(f"more text behind {text[: reader.at]!r}")
    return value


class _Python:
    def __init__(self, text: str, nodes: Collection[str]) -> None:
        self.text, self.nodes, self.at = text, nodes, 0
        self.kind: str | None = None
        self.token = ""
        self.step()

    def step(self) -> None:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            if self.text[self.at :].strip():
                raise UnreadableError(f"cannot read {self.text[self.at : self.at + 20]!r}")
            self.kind, self.token = None, ""
            return
        self.kind, self.at = match.lastgroup, match.end()
        self.token = match[match.lastgroup or 0]

    def whole(self) -> Value:
        value = self.value(0)
        if self.kind is not None:
            raise UnreadableError(f"more text from {self.token!r}")
        return value

    def take(self, sign: str) -> None:
        if self.kind != "sign" or self.token != sign:
            raise UnreadableError(f"no {sign!r} where one belongs")
        self.step()

    def value(self, depth: int) -> Value:
        if depth > _DEEPEST:
            raise UnreadableError("nested too deeply")
        kind, token = self.kind, self.token
        self.step()
        if kind == "number":
            return self.number(token)
        if kind == "name":
            return self.name(token, depth)
        if kind == "string":
            return {"s": ast.literal_eval(token)} if token[0] not in "bB" else {"w": token}
        if token == "[":
            return self.items("]", depth)[0]
        if token == "(":
            return self.bracket(depth)
        if token == "{":
            return {"d": self.pairs(depth)}
        if token == "-":
            return _negative(self.value(depth + 1))
        if token == "...":
            return {"e": 1}
        raise UnreadableError(f"no value begins with {token!r}")

    def number(self, token: str) -> Value:
        if token.endswith("j"):
            return {"z": [0.0, float(token[:-1])]}
        return int(token) if token.isdecimal() else float(token)

    def bracket(self, depth: int) -> Value:
        values, comma = self.items(")", depth)
        if len(values) == 1 and not comma:
            return values[0]
        return {"t": values}

    def items(self, close: str, depth: int) -> tuple[list[Value], bool]:
        values: list[Value] = []
        comma = False
        while self.token != close or self.kind != "sign":
            value = self.value(depth + 1)
            if self.kind == "sign" and self.token in ("+", "-"):  # (1-2j)
                value = self.complex(value)
            values.append(value)
            comma = self.kind == "sign" and self.token == ","
            if comma:
                self.step()
            elif self.token != close:
                raise UnreadableError(f"neither comma nor {close!r}")
        self.step()
        return values, comma

    def complex(self, real: Value) -> Value:
        sign = self.token
        self.step()
        imaginary = self.value(_DEEPEST)
        if not isinstance(imaginary, dict) or "z" not in imaginary or not isinstance(real, (int, float)):
            raise UnreadableError("no complex number")
        return {"z": [float(real), imaginary["z"][1] * (-1 if sign == "-" else 1)]}

    def pairs(self, depth: int) -> list[list[Value]]:
        pairs = []
        while self.token != "}":
            key = self.value(depth + 1)
            self.take(":")
            pairs.append([key, self.value(depth + 1)])
            if self.token == ",":
                self.step()
            elif self.token != "}":
                raise UnreadableError("no end of a dict")
        self.step()
        return pairs

    def name(self, token: str, depth: int) -> Value:
        if self.kind == "sign" and self.token == "(":
            return self.call(token, depth)
        bare = token.removeprefix("%")
        if bare in self.nodes:
            return {"n": bare}
        return _CONSTANTS.get(token, {"w": token})

    def call(self, name: str, depth: int) -> Value:
        if name not in _CALLS:
            raise UnreadableError(f"a call of {name} inside of arguments")
        self.step()
        return _called(name.removeprefix("torch."), *self.arguments(depth))

    def arguments(self, depth: int) -> tuple[list[Value], list[list[Value]]]:
        """What stands between the brackets of a call; goes behind the closing one."""
        positional: list[Value] = []
        keyword: list[list[Value]] = []
        while self.token != ")":
            value = self.value(depth + 1)
            if self.token == "=":
                self.step()
                key = value if isinstance(value, dict) else {}
                keyword.append([key.get("w", key.get("n", "")), self.value(depth + 1)])
            else:
                positional.append(value)
            if self.token == ",":
                self.step()
            elif self.token != ")":
                raise UnreadableError("no end of a call")
        self.step()
        return positional, keyword


def _called(name: str, positional: list[Value], keyword: list[list[Value]]) -> Value:
    if name == "slice" and 1 <= len(positional) <= 3 and not keyword:
        if len(positional) == 1:
            return {"c": [None, positional[0], None]}
        return {"c": [*positional, None][:3]}
    if name == "Size" and len(positional) == 1:
        return positional[0]
    if name == "complex" and len(positional) == 2:
        return {"z": positional}
    return {"x": [name, positional, keyword]}


def _negative(value: Value) -> Value:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return -value
    if isinstance(value, dict) and "f" in value:
        return {"f": "-" + value["f"]}
    if isinstance(value, dict) and "z" in value:
        return {"z": [-part for part in value["z"]]}
    raise UnreadableError("a minus in front of no number")


class _Printed:
    def __init__(self, text: str, nodes: Collection[str]) -> None:
        self.text, self.nodes, self.at = text, nodes, 0

    def value(self, depth: int) -> Value:
        if depth > _DEEPEST:
            raise UnreadableError("nested too deeply")
        text, at = self.text, self.at
        first = text[at : at + 1]
        if first == "[":
            return self.items("]", depth)[0]
        if first == "(":
            values, comma = self.items(")", depth)
            return {"t": values} if comma or len(values) != 1 else values[0]
        if first == "{":
            return {"d": self.pairs(depth)}
        if text.startswith("slice(", at):
            self.at += len("slice")
            return _called("slice", self.items(")", depth)[0], [])
        number = _PRINTED_COMPLEX.match(text, at)
        if number:
            self.at = number.end()
            return self.leaf(number[1])
        leaf = _PRINTED_LEAF.match(text, at)
        self.at = leaf.end() if leaf else at
        return self.leaf(text[at : self.at])

    def leaf(self, word: str) -> Value:
        if word.startswith("%") and word[1:] in self.nodes:
            return {"n": word[1:]}
        if _INTEGER.match(word):
            return int(word)
        if _FLOAT.match(word):
            return float(word)
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        number = _COMPLEX.match(word) if word.endswith("j") else None
        if number and (number[1] is None or number[2][0] in "+-"):
            return {"z": [float(number[1] or 0), float(number[2])]}
        if word == "-inf":
            return {"f": "-inf"}
        # Inside of a slice, and on a return line, nodes have no sign. A string of the same name is told by the schema.
        return {"n": word, "w": word} if word in self.nodes else {"w": word}

    def items(self, close: str, depth: int) -> tuple[list[Value], bool]:
        self.at += 1
        values: list[Value] = []
        comma = False
        while not self.text.startswith(close, self.at):
            if self.at >= len(self.text):
                raise UnreadableError(f"no {close!r}")
            values.append(self.value(depth + 1))
            comma = self.text.startswith(",", self.at)
            if comma:
                self.at += 2 if self.text.startswith(", ", self.at) else 1
            elif not self.text.startswith(close, self.at):
                raise UnreadableError(f"neither comma nor {close!r}")
        self.at += 1
        return values, comma

    def pairs(self, depth: int) -> list[list[Value]]:
        self.at += 1
        pairs = []
        while not self.text.startswith("}", self.at):
            colon = self.text.find(": ", self.at)
            if colon < 0:
                raise UnreadableError("no key of a dict")
            key = self.leaf(self.text[self.at : colon])
            self.at = colon + 2
            pairs.append([key, self.value(depth + 1)])
            if self.text.startswith(", ", self.at):
                self.at += 2
        self.at += 1
        return pairs
