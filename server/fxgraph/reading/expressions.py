"""What one expression of generated code says: opcode, target, and the names it reads.

torch/fx/graph.py `CodeGen._gen_python_code` writes one operation a statement. An expression that it cannot have written
(`torch.relu(x) + torch.relu(y)`) is none.
"""

from __future__ import annotations

import builtins
import re
from typing import NamedTuple

from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, PLACEHOLDER
from fxgraph.reading.names import CONSTANTS, NAME, names
from fxgraph.reading.scan import closing, without_strings

#: torch/fx/graph.py `magic_methods`, by their sign; `/` is written for truediv and div, which leave the same text.
INFIX = {
    "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge", "+": "add", "-": "sub", "*": "mul",
    "//": "floordiv", "/": "truediv", "%": "mod", "**": "pow", "<<": "lshift", ">>": "rshift", "&": "and_", "|": "or_",
    "^": "xor", "@": "matmul", "is": "is_", "in": "contains",
}  # fmt: skip
PREFIX = {"+": "pos", "-": "neg", "~": "invert", "not": "not_"}
#: torch/fx/graph.py `inplace_methods`.
IN_PLACE = {
    "+": "iadd", "&": "iand", "//": "ifloordiv", "<<": "ilshift", "%": "imod", "*": "imul", "@": "imatmul", "|": "ior",
    "**": "ipow", ">>": "irshift", "-": "isub", "/": "itruediv", "^": "ixor",
}  # fmt: skip

#: Names in front of a dot that are no nodes. Generated code keeps the dots of torch's own functions only and mangles
#: all other globals (torch/fx/graph.py `add_global`).
MODULES = frozenset({"torch", "fx_pytree", "pytree", "self", "math", "operator"})

_CALL = re.compile(r"([A-Za-z_][\w.]*)\((.*)\)", re.DOTALL)
_ATTRIBUTE = re.compile(r"([A-Za-z_]\w*)\.([A-Za-z_]\w*)")
_ITEM = re.compile(r"([A-Za-z_]\w*)\[")
_NAME_ONLY = re.compile(r"[A-Za-z_]\w*")
_SELF_PATH = re.compile(r"self((?:\.\w+)+)")
#: The front of a path below the module itself: `self.fc`, `getattr(self.layers, "0")`.
THROUGH_SELF = re.compile(r"(?:\s*getattr\()*\s*self\b")
_GETATTR = re.compile(r"getattr\(\s*")
_PATH_STEP = re.compile(r"\.(\w+)|\s*,\s*(?:\"([^\"]*)\"|'([^']*)')\s*(?:,\s*)?\)")
_INFIX_OR_BRACKET = re.compile(
    r" (==|!=|<=|>=|<<|>>|\*\*|//|[<>+\-*/%&|^@]|is|in) |(?<=[\w)\]])(\*\*)(?=\S)|[()\[\]{}]"
)
_PREFIX = re.compile(r"([-+~]|not )(?=\S)")
_MANGLED_OPERATOR = re.compile(r"_operator_(\w+)")
_EDGE = "executorch_exir_dialects_edge__ops_"


class Meaning(NamedTuple):
    """opcode, target as print(graph) spells it, and the names read, in the order of the text."""

    opcode: str
    target: str
    reads: list[str]


def meaning(expression: str) -> Meaning | None:
    """The one operation that an expression is, or None where code generation writes nothing like it."""
    call = _CALL.fullmatch(expression)
    if call:
        callee, args = call.groups()
        if ")" not in args or closing(expression, call.end(1), len(expression)) == len(expression) - 1:
            return _call(expression, callee, args)
    if THROUGH_SELF.match(expression):
        return _through_self(expression)
    item = _ITEM.match(expression)
    if (
        item
        and item[1] not in CONSTANTS
        and closing(expression, item.end() - 1, len(expression)) == len(expression) - 1
    ):
        return Meaning(CALL_FUNCTION, "operator.getitem", [item[1], *names(expression[item.end() : -1])])
    attribute = _ATTRIBUTE.fullmatch(expression)
    if attribute and attribute[1] not in MODULES:
        return Meaning(CALL_FUNCTION, "builtins.getattr", [attribute[1]])
    return _method_of_literal(expression) or _operator(expression)


def _call(expression: str, callee: str, args: str) -> Meaning | None:
    if callee.startswith("torch."):
        return Meaning(CALL_FUNCTION, callee, names(args))
    if callee.startswith("self."):
        return Meaning(CALL_MODULE, callee[5:], names(args))
    if callee == "getattr" and THROUGH_SELF.match(args):
        return _through_self(expression)
    receiver, _, method = callee.rpartition(".")
    if not receiver:
        if callee == "next":
            return Meaning(PLACEHOLDER, "", [])
        if hasattr(builtins, callee):
            return Meaning(CALL_FUNCTION, f"builtins.{callee}", names(args))
        mangled = _MANGLED_OPERATOR.fullmatch(callee)
        return Meaning(CALL_FUNCTION, f"operator.{mangled[1]}" if mangled else callee, names(args))
    if receiver.split(".", 1)[0] in MODULES:
        return Meaning(CALL_FUNCTION, callee, names(args))
    if "." in receiver:
        return None
    return Meaning(CALL_METHOD, method, [receiver, *names(args)])


def _through_self(expression: str) -> Meaning | None:
    """`self.a.b`, `self.a(x)`, `getattr(self.layers, "0")(x)`, `getattr(getattr(self.seq, "2"), "0").weight`."""
    path, end = self_path(expression)
    if path is None:
        return None
    if end == len(expression):
        return Meaning(GET_ATTR, path, [])
    if expression[end] == "(" and closing(expression, end, len(expression)) == len(expression) - 1:
        return Meaning(CALL_MODULE, path, names(expression[end + 1 : -1]))
    return None


def self_path(expression: str) -> tuple[str | None, int]:
    """The dotted path below `self` at the front of an expression, and where it ends; (None, 0) where none stands."""
    at = 0
    depth = 0
    while step := _GETATTR.match(expression, at):
        at = step.end()
        depth += 1
    if not expression.startswith("self", at):
        return None, 0
    at += len("self")
    steps: list[str] = []
    while True:
        step = _PATH_STEP.match(expression, at)
        if step is None:
            break
        if step[1] is None:
            if depth == 0:
                break
            depth -= 1
        steps.append(next(part for part in step.groups() if part is not None))
        at = step.end()
    return (".".join(steps), at) if steps and depth == 0 else (None, 0)


def _method_of_literal(expression: str) -> Meaning | None:
    """A method of something that is no name: `(a, b).count(x)`, `'x'.join(y)`."""
    if expression[:1] not in "([{'\"" or not expression.endswith(")"):
        return None
    plain = without_strings(expression)
    if expression[0] in "'\"":
        start = len(plain) - len(plain.lstrip())
    else:
        close = closing(expression, 0, len(expression))
        if close is None:
            return None
        start = close + 1
    match = re.compile(r"\.(\w+)\(").match(expression, start)
    if match is None or closing(expression, match.end() - 1, len(expression)) != len(expression) - 1:
        return None
    return Meaning(CALL_METHOD, match[1], names(expression[:start]) + names(expression[match.end() : -1]))


def _operator(expression: str) -> Meaning | None:
    """An infix or prefix expression of names, literals and brackets."""
    plain = without_strings(expression)
    sign = top_level_sign(plain)
    if sign is not None:
        if _has_call(plain):
            return None
        return Meaning(CALL_FUNCTION, f"operator.{INFIX[sign[1]]}", _bare(plain))
    prefix = _PREFIX.match(plain)
    if prefix and not _has_call(plain) and (_NAME_ONLY.fullmatch(plain, prefix.end()) or plain[prefix.end()] in "(["):
        return Meaning(CALL_FUNCTION, f"operator.{PREFIX[prefix[1].strip()]}", _bare(plain))
    return None


def top_level_sign(plain: str) -> tuple[int, str] | None:
    """The only infix sign outside of brackets: (offset, sign), or None where there is none or more than one."""
    found = None
    depth = 0
    for match in _INFIX_OR_BRACKET.finditer(plain):
        sign = match[1] or match[2]
        if sign is None:
            depth += 1 if match[0] in "([{" else -1
        elif depth == 0:
            if found is not None:
                return None
            found = match.start(match.lastindex or 0), sign
    return found


_CALLEE = re.compile(r"(?:(?<![\w.])[A-Za-z_][\w.]*|[\])])\(")


def _has_call(plain: str) -> bool:
    """Whether something else than a literal is called: code generation writes one operation a statement."""
    return any(match[0][:-1] not in LITERAL_CALLS for match in _CALLEE.finditer(plain))


#: Callees inside of arguments that print a value, not an operation.
LITERAL_CALLS = frozenset({"slice", "device", "torch.device", "complex", "range", "torch.Size"})


def nested_call(arguments: str) -> bool:
    """Whether arguments hold an operation of their own, which code generation never writes."""
    return _has_call(without_strings(arguments))


def _bare(plain: str) -> list[str]:
    return [name for name in NAME.findall(plain) if name not in CONSTANTS]
