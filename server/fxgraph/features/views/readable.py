"""A graph as generated code (torch/fx/graph.py `CodeGen._gen_python_code`, as `print_readable` shows it)."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from itertools import count

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views.operands import Operands, python_operands, python_return
from fxgraph.features.views.written import Pause, Written, nothing
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER, Graph, Node
from fxgraph.reading import source_of
from fxgraph.reading.expressions import INFIX, MODULES, PREFIX
from fxgraph.reading.names import CONSTANTS

_SIGNS = {name: sign for sign, name in INFIX.items() if name != "contains"} | {"div": "/"}
_PREFIXES = {name: sign if sign != "not" else "not " for sign, name in PREFIX.items()}
_BUILT_IN = re.compile(r"<(?:built-in )?(?:function|method) '?([\w.]+)")
_SIMPLE = re.compile(r"[\w.]+")
_FREES = re.compile(r"(?:;\s*(?:\w+\s*=\s*)+None\s*)+\Z")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_MARGIN = " " * 8


def as_readable(snapshot: Snapshot, graph: Graph, pause: Pause = nothing) -> Written:
    """The graph in the form `readable`, its types and source lines as far as the dump tells them."""
    written = Written(snapshot.lines, graph, pause)
    name = graph.name if graph.name.isidentifier() else "GraphModule"
    written.add(f"class {name}(torch.nn.Module):", graph.begin)
    names = _other_names(graph)
    inputs = [node for node in graph.nodes if node.opcode == PLACEHOLDER]
    head = f"    def forward({', '.join(['self', *[_parameter(node) for node in inputs]])}):"
    own = [node for node in inputs if not _is_joined(node, names)]
    written.place_inputs(own, head)
    written.add(head, graph.begin)
    for node in inputs:
        if _is_joined(node, names):
            name = names.get(node.name, node.name)
            written.add_node(node, f"{_MARGIN}{name} = {_target_name(node)}", len(_MARGIN))
    frees = last_reads(graph)
    source = None
    for node in graph.nodes:
        if node.opcode == PLACEHOLDER:
            continue
        here = source_of(graph, node) if graph.comments else None
        comment = None if here is None else graph.page.text[here.start : here.end].strip()
        if here is not None and comment != source:
            written.add("")
            written.add(f"{_MARGIN}{comment}", here.start)
        source = comment or source
        if node.opcode == OUTPUT:
            written.add_node(node, f"{_MARGIN}return {python_return(graph, node, names)}", len(_MARGIN))
            continue
        freed = frees.get(node.index)
        behind = f";  {' = '.join([*(names.get(name, name) for name in freed), 'None'])}" if freed else ""
        text, at = _statement(graph, node, names)
        written.add_node(node, _MARGIN + text + behind, len(_MARGIN) + at)
    if not any(node.opcode != PLACEHOLDER for node in graph.nodes):
        written.add(f"{_MARGIN}pass")
    return written


def last_reads(graph: Graph) -> dict[int, list[str]]:
    """By index of a node: the names that code generation sets to None behind it, in its order.

    What is read for the last time there, and the node itself if nothing reads it (`delete_unused_values`).
    """
    last: dict[str, int] = {}
    for node in graph.nodes:
        for name in node.reads:
            last[name] = node.index
    found: dict[int, list[str]] = {}
    for node in graph.nodes:
        if node.opcode in (PLACEHOLDER, OUTPUT):
            continue
        freed = [name for name in dict.fromkeys(node.reads) if last[name] == node.index]
        if node.name not in last:
            freed.append(node.name)
        if freed:
            found[node.index] = freed
    return found


def _other_names(graph: Graph) -> dict[str, str]:
    """Names that code generation replaces: those of Python's own functions (`_Namespace` makes `input` `input_1`)."""
    if graph.form in ("code", "readable"):
        return {}
    taken = {node.name for node in graph.nodes}
    found: dict[str, str] = {}
    for name in [node.name for node in graph.nodes if node.name in CONSTANTS and node.opcode != OUTPUT]:
        number = next(number for number in count(1) if f"{name}_{number}" not in taken)
        found[name] = f"{name}_{number}"
        taken.add(found[name])
    return found


def _parameter(node: Node) -> str:
    stars = node.target[: len(node.target) - len(node.target.lstrip("*"))]
    kind = f": {_type(node)}" if _type(node) else ""
    return f"{stars}{_target_name(node)}{kind}"


def _target_name(node: Node) -> str:
    target = node.target.lstrip("*")
    return target if target.isidentifier() and not keyword.iskeyword(target) else node.name


def _is_joined(node: Node, names: Mapping[str, str]) -> bool:
    return _target_name(node) != names.get(node.name, node.name)


def _type(node: Node) -> str:
    if not node.type or "\n" in node.type or '"' in node.type:
        return ""
    return f'"{node.type}"'


def _statement(graph: Graph, node: Node, names: Mapping[str, str]) -> tuple[str, int]:
    """The statement without what it sets to None, and where its name stands in it."""
    if graph.form in ("code", "readable"):
        front, rest = graph.page.text[node.begin : node.start], graph.page.text[node.start : node.end]
        if node.frees:
            rest = _FREES.sub("", rest)
        front = _LINE_END.sub(f"\n{_MARGIN}", front)
        return front + _LINE_END.sub(f"\n{_MARGIN}    ", rest), len(front)
    kind = f": {_type(node)}" if _type(node) else ""
    return f"{names.get(node.name, node.name)}{kind} = {_expression(graph, node, names)}", 0


def _expression(graph: Graph, node: Node, names: Mapping[str, str]) -> str:
    if node.opcode == GET_ATTR:
        return _path(node.target)
    operands = python_operands(graph, node, names)
    if node.opcode == CALL_METHOD and operands.positional:
        receiver, *rest = operands.positional
        return f"{receiver}.{node.target}{_call(operands._replace(positional=rest))}"
    if node.opcode == CALL_MODULE:
        return _path(node.target) + _call(operands)
    return (_operator(node, operands) or _callee(node.target) + _call(operands)) if node.opcode == CALL_FUNCTION else ""


def _operator(node: Node, operands: Operands) -> str | None:
    """The sign of an operator between its operands, an item, an attribute; None for other functions."""
    match = _BUILT_IN.match(node.target)
    name = match[1] if match else node.target.removeprefix("operator.") if node.target.startswith("operator.") else ""
    given = operands.positional
    if operands.keyword:
        return None
    if node.target == "builtins.getattr" and len(given) == 2 and (word := given[1].strip("'\"")).isidentifier():
        return f"{given[0]}.{word}"
    if len(given) == 2 and all(_is_atom(text) for text in given):
        if name in _SIGNS:
            return f"{given[0]} {_SIGNS[name]} {given[1]}"
    if len(given) == 2 and name == "getitem" and given[0].isidentifier():
        return f"{given[0]}[{given[1]}]"
    if len(given) == 1 and name in _PREFIXES and given[0].isidentifier():
        return f"{_PREFIXES[name]}{given[0]}"
    return None


def _is_atom(text: str) -> bool:
    return _SIMPLE.fullmatch(text) is not None


def _callee(target: str) -> str:
    match = _BUILT_IN.match(target)
    name = match[1] if match else target
    if name.startswith("operator."):
        return "_" + name.replace(".", "_")
    if name.split(".")[0] in MODULES and _SIMPLE.fullmatch(name):
        return name
    return re.sub(r"\W", "_", name)


def _call(operands: Operands) -> str:
    keywords = [f"{name} = {value}" for name, value in operands.keyword]
    return f"({', '.join([*operands.positional, *keywords])})"


def _path(target: str) -> str:
    """`self.layers`, `getattr(self.layers, "0")` (torch/fx/graph.py `_format_target`)."""
    path = "self"
    for step in target.split("."):
        path = f"{path}.{step}" if step.isidentifier() else f'getattr({path}, "{step}")'
    return path
