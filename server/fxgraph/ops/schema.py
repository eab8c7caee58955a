"""The schema strings of PyTorch's operators, taken apart.

A schema is what torch prints of a `FunctionSchema`
(`aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor`); the
grammar is that of torch/csrc/jit/frontend/function_schema_parser.cpp and of aten/src/ATen/native/README.md.
"""

from __future__ import annotations

import re
from typing import NamedTuple

#: Type names whose first parenthesis holds type parameters; behind any other type it holds an alias annotation.
_GENERIC = frozenset({"Await", "Dict", "Future", "List", "Optional", "RRef", "Tuple", "Union"})

_HEAD = re.compile(r"(?P<name>[\w:]+)(?:\.(?P<overload>\w+))?\(")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_TYPE_NAME = re.compile(r"[\w.]+|\.\.\.")


class SchemaError(ValueError):
    """A text that is no schema, with the place where it stops to be one."""


class Argument(NamedTuple):
    """One argument of a schema.

    name        as keyword arguments call it: `self`
    type        without annotations: `Tensor[]`, `int[1]?`
    annotation  the type as it stands in the schema: `Tensor(a!)[]`
    default     the text of the default value (`None`, `[0, 1]`, `"mean"`), or None where a value is required
    kwarg_only  it stands behind the `*`
    alias       the alias annotation: `a`, `a!`, `a -> *`; None where there is none
    writes      whether the operator may write to it (a `!` in the annotation)
    """

    name: str
    type: str
    annotation: str
    default: str | None
    kwarg_only: bool
    alias: str | None
    writes: bool

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is None

    def __str__(self) -> str:
        default = "" if self.default is None else f"={self.default}"
        return f"{self.annotation} {self.name}{default}"


class Return(NamedTuple):
    """One returned value of a schema; `name` is None where the schema gives none. The rest as in `Argument`."""

    name: str | None
    type: str
    annotation: str
    alias: str | None

    def __str__(self) -> str:
        return self.annotation if self.name is None else f"{self.annotation} {self.name}"


class Schema(NamedTuple):
    """A schema taken apart.

    name            `aten::sum`
    overload        `dim_IntList`, "" for the default overload
    arguments       in order, the ones that are keyword only last
    returns         in order
    takes_more      it ends in `...`: any further arguments are taken
    returns_more    it returns `...`: any number of values
    bare_return     a single return written without parentheses
    """

    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    takes_more: bool
    returns_more: bool
    bare_return: bool

    @property
    def is_mutable(self) -> bool:
        """Whether it may write to an argument: `FunctionSchema.is_mutable`."""
        return any(argument.writes for argument in self.arguments)

    @property
    def is_view(self) -> bool:
        """Whether it shares an argument's memory and writes none: `OpOverload.is_view` of torch/_ops.py."""
        return not self.is_mutable and any(argument.alias is not None for argument in self.arguments)

    @property
    def has_alias(self) -> bool:
        """Whether any argument or returned value carries an alias annotation, be it for a view or for a write."""
        values: list[Argument | Return] = [*self.arguments, *self.returns]
        return any(value.alias is not None for value in values)

    def __str__(self) -> str:
        items = [str(argument) for argument in self.arguments if not argument.kwarg_only]
        keyword = [str(argument) for argument in self.arguments if argument.kwarg_only]
        items += ["*", *keyword] if keyword else []
        items += ["..."] if self.takes_more else []
        name = f"{self.name}.{self.overload}" if self.overload else self.name
        returns = ", ".join([str(value) for value in self.returns] + (["..."] if self.returns_more else []))
        return f"{name}({', '.join(items)}) -> {returns if self.bare_return else f'({returns})'}"


def parse_schema(text: str) -> Schema:
    """Take a schema string apart.

    Raises SchemaError where the text is none.
    """
    head = _HEAD.match(text)
    if head is None:
        raise SchemaError(f"no operator name at the start of {text!r}")
    arguments, takes_more, at = _arguments(text, head.end())
    if not text.startswith(" -> ", at):
        raise SchemaError(f"no return type at column {at + 1} of {text!r}")
    returns, returns_more, bare, at = _returns(text, at + 4)
    if at != len(text):
        raise SchemaError(f"more text at column {at + 1} of {text!r}")
    return Schema(head["name"], head["overload"] or "", arguments, returns, takes_more, returns_more, bare)


def _arguments(text: str, at: int) -> tuple[tuple[Argument, ...], bool, int]:
    """Arguments, whether `...` follows them, and the place behind the closing parenthesis."""
    arguments: list[Argument] = []
    kwarg_only = takes_more = False
    while not text.startswith(")", at):
        if text.startswith("...", at):
            takes_more = True
            at += 3
        elif text.startswith("*", at):
            kwarg_only = True
            at += 1
        else:
            type_, annotation, alias, at = _type(text, at)
            name, at = _name(text, at)
            default = None
            if text.startswith("=", at):
                default, at = _default(text, at + 1)
            writes = alias is not None and "!" in alias
            arguments.append(Argument(name, type_, annotation, default, kwarg_only, alias, writes))
        at = _behind_comma(text, at)
    return tuple(arguments), takes_more, at + 1


def _returns(text: str, at: int) -> tuple[tuple[Return, ...], bool, bool, int]:
    """Returned values, whether `...` follows them, whether they stand without parentheses, and the place behind."""
    if text.startswith("...", at):
        return (), True, True, at + 3
    if not text.startswith("(", at):
        value, at = _return(text, at)
        return (value,), False, True, at
    at += 1
    values: list[Return] = []
    returns_more = False
    while not text.startswith(")", at):
        if text.startswith("...", at):
            returns_more = True
            at += 3
        else:
            value, at = _return(text, at)
            values.append(value)
        at = _behind_comma(text, at)
    return tuple(values), returns_more, False, at + 1


def _return(text: str, at: int) -> tuple[Return, int]:
    type_, annotation, alias, at = _type(text, at)
    name = None
    if text.startswith(" ", at):
        name, at = _name(text, at)
    return Return(name, type_, annotation, alias), at


def _type(text: str, at: int) -> tuple[str, str, str | None, int]:
    """A type without annotations, as written, its alias annotation, and the place behind it."""
    start = at
    bare: list[str] = []
    alias: str | None = None
    takes_parameters = True
    if not text.startswith("(", at):
        name = _TYPE_NAME.match(text, at)
        if name is None:
            raise SchemaError(f"no type at column {at + 1} of {text!r}")
        takes_parameters = name[0] in _GENERIC
        bare.append(name[0])
        at = name.end()
    while at < len(text):
        if text[at] == "(":
            end = _closing(text, at)
            if takes_parameters:
                bare.append(text[at:end])
                takes_parameters = False
            else:
                alias = text[at + 1 : end - 1]
            at = end
        elif text[at] == "[":
            end = _closing(text, at)
            bare.append(text[at:end])
            at = end
        elif text[at] == "?":
            bare.append("?")
            at += 1
        else:
            break
    return "".join(bare), text[start:at], alias, at


def _name(text: str, at: int) -> tuple[str, int]:
    name = _IDENTIFIER.match(text, at + 1) if text.startswith(" ", at) else None
    if name is None:
        raise SchemaError(f"no name at column {at + 1} of {text!r}")
    return name[0], name.end()


def _default(text: str, at: int) -> tuple[str, int]:
    """The text of a default value, up to the comma or parenthesis behind it."""
    start = at
    while at < len(text) and text[at] not in ",)":
        if text[at] in "\"'":
            at = _behind_string(text, at)
        elif text[at] in "([":
            at = _closing(text, at)
        else:
            at += 1
    if at == start:
        raise SchemaError(f"no default value at column {at + 1} of {text!r}")
    return text[start:at], at


def _closing(text: str, at: int) -> int:
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(text):
        character = text[at]
        if character in "\"'":
            at = _behind_string(text, at)
            continue
        depth += (character in "([") - (character in ")]")
        at += 1
        if depth == 0:
            return at
    raise SchemaError(f"an open bracket in {text!r}")


def _behind_string(text: str, at: int) -> int:
    quote = text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    if at >= len(text):
        raise SchemaError(f"an open string in {text!r}")
    return at + 1


def _behind_comma(text: str, at: int) -> int:
    if text.startswith(", ", at):
        return at + 2
    if text.startswith(")", at):
        return at
    raise SchemaError(f"neither comma nor parenthesis at column {at + 1} of {text!r}")
