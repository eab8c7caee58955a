"""The operands of a node's call, written as another form writes them.

print(graph) marks nodes by `%` and writes strings without quotes (torch/fx/node.py `_format_arg`); generated code and
tables write Python.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from fxgraph.graph import Graph, Node, Use
from fxgraph.reading import Argument, arguments, parts, uses
from fxgraph.reading.names import CONSTANTS, NAME
from fxgraph.reading.scan import closing, elements

_DEVICE = re.compile(r"(?:torch\.)?device\(type=['\"](\w+)['\"](?:, index=(\d+))?\)")
_PLAIN_DEVICE = re.compile(r"(cpu|cuda|meta|mps|xpu)(?::(\d+))?")
_PLAIN_STRING = re.compile(r"'([A-Za-z_][\w+\-]*)'|\"([A-Za-z_][\w+\-]*)\"")
_SLICE = re.compile(r"\bslice\([^()]*\)")
#: Signs that print(graph) writes of a value only where that is no plain Python: a string, an object.
_ODD = re.compile(r"[\"'#;\\\n`?$!@%]|<|->|,[^\s)]|\w:\w|\w\s+\w")
_LINE_END = re.compile(r"\s*\n\s*")
_NUMBER = re.compile(r"-?[\d.]+|None|True|False")
_SETITEM = re.compile(r"(\w+)\[(.*)\]\s*=(?!=)\s*(.*)", re.DOTALL)
_ATTRIBUTE = re.compile(r"(\w+)\.(\w+)")
_TREE = re.compile(r"(?:fx_)?pytree\.tree_unflatten\((\[.*\]), self\._out_spec\)", re.DOTALL)
_REMARK = re.compile(r"(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|#[^\n]*")


class Operands(NamedTuple):
    """The operands of a call as text, in their order. `known` is False where the text does not tell all of them."""

    positional: list[str]
    keyword: list[tuple[str, str]]
    known: bool = True


#: Takes a text, the page offset where it begins, and the reads in it.
_Convert = Callable[[str, int, Sequence[Use]], str]


def printed_operands(graph: Graph, node: Node) -> Operands:
    """As print(graph) writes them."""
    return _operands(graph, node, _to_printed)


def python_operands(graph: Graph, node: Node, names: Mapping[str, str]) -> Operands:
    """As generated code writes them. `names` gives the names of nodes that are called otherwise there."""
    if graph.form != "graph_str":
        return _operands(graph, node, lambda text, start, reads: _renamed(text, start, reads, names))
    found = _operands(graph, node, lambda text, start, reads: _to_python(text, start, reads, names))
    keyword = [(name, _device(text) if name == "device" else text) for name, text in found.keyword]
    return Operands(found.positional, keyword, found.known)


def printed_return(graph: Graph, node: Node) -> str:
    """What the output node returns, as print(graph) writes it: without marks."""
    start, end = _returned(graph, node)
    text = _on_one_line(graph.page.text[start:end])
    tree = _TREE.fullmatch(text)
    return tree[1] if tree else text


def python_return(graph: Graph, node: Node, names: Mapping[str, str]) -> str:
    """What the output node returns, as generated code writes it."""
    start, end = _returned(graph, node)
    text, reads = graph.page.text[start:end], uses(graph, node)
    # print(graph) writes `str(args[0])` there (torch/fx/node.py `Node.format_node`): what is in brackets is Python.
    is_printed = graph.form == "graph_str" and not text.startswith(("(", "[", "{"))
    return _on_one_line((_to_python if is_printed else _renamed)(text, start, reads, names))


def _on_one_line(text: str) -> str:
    """Without line ends, and without the remarks in front of them: `# PlainAOTOutput(idx=0)`."""
    if "\n" not in text:
        return text
    return _LINE_END.sub(" ", _REMARK.sub(lambda match: match[1] or "", text))


def _returned(graph: Graph, node: Node) -> tuple[int, int]:
    stretch = parts(graph, node).args
    if stretch is None:
        return node.end, node.end
    if graph.form != "tabular":
        return stretch
    text, (start, end) = graph.page.text, stretch  # a tuple of one value in the cell of the operands
    close = closing(text, start, end)
    inside = elements(text, start + 1, end if close is None else close)
    return inside[0] if inside else (end, end)


def _operands(graph: Graph, node: Node, convert: _Convert) -> Operands:
    found = arguments(graph, node)
    given = [*found.positional, *(argument for _, argument in found.keyword)]
    # Most operands are a node or a number: where those are all reads, their places need not be looked for.
    is_simple = sum(argument.node is not None for argument in given) == len(node.reads)
    reads = [] if is_simple and graph.form == "graph_str" else uses(graph, node)
    if graph.form in ("code", "readable"):
        special = _special_statement(graph, node, reads, convert)
        if special is not None:
            return special

    def text_of(argument: Argument) -> str:
        if argument.node is not None:
            use = Use(argument.node, argument.end - len(argument.node))
            return convert(argument.text, argument.start, [use])
        if _NUMBER.fullmatch(argument.text):
            return argument.text
        inside = [use for use in reads if argument.start <= use.start < argument.end]
        return convert(argument.text, argument.start, inside)

    positional = [text_of(argument) for argument in found.positional]
    keyword = [(name, text_of(argument)) for name, argument in found.keyword]
    if node.reads and not given:
        return Operands([convert(use.name, use.start, [use]) for use in uses(graph, node)], [], known=False)
    return Operands(positional, keyword)


def _special_statement(graph: Graph, node: Node, reads: list[Use], convert: _Convert) -> Operands | None:
    """`x.shape` and `t[0] = y`, which are calls of `getattr` and `setitem`."""
    text = graph.page.text[node.begin : node.end]
    if node.target == "builtins.getattr":
        match = _ATTRIBUTE.search(text, text.find("=") + 1)
        return (
            None
            if match is None
            else Operands([convert(match[1], reads[0].start, reads), convert(f"'{match[2]}'", 0, [])], [])
        )
    if node.target != "operator.setitem":
        return None
    match = _SETITEM.match(text.split(";")[0])
    if match is None:
        return None
    pieces = []
    for group in (1, 2, 3):
        start, end = node.begin + match.start(group), node.begin + match.end(group)
        inside = [use for use in reads if start <= use.start < end]
        pieces.append(convert(match[group].strip(), start, inside))
    return Operands(pieces, [])


def _to_printed(text: str, start: int, reads: Sequence[Use]) -> str:
    """Python text as `_format_arg` writes the value, as far as one can tell it without running it."""
    slices = [match.span() for match in _SLICE.finditer(text)]
    pieces, at = [], 0
    for use in reads:
        place = use.start - start
        if place > 0 and text[place - 1] == "%":  # it is printed already
            place -= 1
        in_slice = any(begin < place < end for begin, end in slices)
        pieces += [_bare_strings(text[at:place]), use.name if in_slice else f"%{use.name}"]
        at = use.start - start + len(use.name)
    pieces.append(_bare_strings(text[at:]))
    return " ".join("".join(pieces).split("\n"))


def _bare_strings(text: str) -> str:
    text = _DEVICE.sub(lambda match: match[1] + (f":{match[2]}" if match[2] else ""), text)
    return _PLAIN_STRING.sub(lambda match: match[1] or match[2], text)


def _renamed(text: str, start: int, reads: Sequence[Use], names: Mapping[str, str]) -> str:
    for use in reversed(reads):
        if use.name in names:
            place = use.start - start
            text = text[:place] + names[use.name] + text[place + len(use.name) :]
    return text


def _to_python(text: str, start: int, reads: Sequence[Use], names: Mapping[str, str]) -> str:
    """What print(graph) writes, as Python: names without marks, and in quotes the words that are no names."""
    if len(reads) == 1 and text.removeprefix("%") == reads[0].name:
        return names.get(reads[0].name, reads[0].name)
    read, others, at = [], [], 0
    for use in reads:
        place = use.start - start
        others.append(text[at:place].removesuffix("%"))
        read.append(names.get(use.name, use.name))
        at = place + len(use.name)
    others.append(text[at:])
    if not _ODD.search("".join(others)) and _is_balanced("".join(others)):
        return "".join([_quoted_words(piece) + name for piece, name in zip(others, [*read, ""], strict=True)])
    if _is_literal(text) and not reads:
        return text
    return f"({', '.join([*read, repr(text)])})" if reads else repr(text)


def _quoted_words(text: str) -> str:
    return NAME.sub(lambda match: match[0] if match[0] in CONSTANTS else repr(match[0]), text)


def _is_balanced(text: str) -> bool:
    return all(text.count(left) == text.count(right) for left, right in ("()", "[]", "{}"))


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return "\n" not in text


def _device(text: str) -> str:
    match = _PLAIN_DEVICE.fullmatch(text.strip("'"))
    if match is None:
        return text
    return f"device(type='{match[1]}', index={match[2]})" if match[2] else f"device(type='{match[1]}')"
