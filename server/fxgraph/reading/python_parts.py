"""The details of a statement of generated Python: looked up in its text only when somebody asks."""

from __future__ import annotations

import re

from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph, Node
from fxgraph.reading.expressions import MODULES, THROUGH_SELF, top_level_sign
from fxgraph.reading.names import names_with_offsets
from fxgraph.reading.parts import Argument, Arguments, Parts, Stretch, argument, python_arguments
from fxgraph.reading.python_body import ASSIGN
from fxgraph.reading.scan import clauses, closing, statement_end, trimmed, unwrapped, without_strings

_TYPE = re.compile(r"\w*\s*:\s*(?:\(\s*(?=[\"']))?(\"[^\"]*\"|'[^']*'|[^=\s\"'](?:[^=]*[^=\s])?)(?:\s*\))?\s*(?:=|\Z)")
_RECEIVER = re.compile(r"([A-Za-z_]\w*)\s*\.")
_CALLEE = re.compile(r"[\w.]+(?=\()")

Read = tuple[str, int, bool]


def expression_of(graph: Graph, node: Node) -> Stretch:
    """Where the operation of a statement stands: behind its `=`, or all of `t += y` and `t[0] = y`."""
    text = graph.page.text
    end, _, _ = statement_end(text, node.begin, node.end, is_whole=True)
    pieces = clauses(text, node.begin, end)
    start, end = pieces[0] if pieces else (node.begin, node.begin)
    if node.begin == node.start:
        assign = ASSIGN.match(text, start, end)
        start = assign.end() if assign else start
    return unwrapped(text, start, end)


def reads_of_statement(graph: Graph, node: Node) -> list[Read]:
    """(name, offset, doubtful) of each read of a statement or a return."""
    text = graph.page.text
    if node.opcode == PLACEHOLDER:
        return []
    if node.opcode == OUTPUT:
        return [(name, at, False) for name, at in names_with_offsets(text, node.start + len("return"), node.end)]
    start, end = expression_of(graph, node)
    found = names_with_offsets(text, start, end)
    receiver = _RECEIVER.match(text, start, end)
    if receiver and receiver[1] not in MODULES:
        found.insert(0, (receiver[1], receiver.start(1)))
    return [(name, at, False) for name, at in found]


def parts_of_statement(graph: Graph, node: Node) -> Parts:
    """The parts of a statement: its annotation, what is called, and the operands."""
    text = graph.page.text
    if node.opcode == OUTPUT:
        return Parts(args=trimmed(text, node.start + len("return"), node.end))
    match = _TYPE.match(text, node.start, node.end)
    kind = match.span(1) if match else None
    if kind and text[kind[0]] in "\"'":
        kind = (kind[0] + 1, kind[1] - 1)
    if node.opcode == PLACEHOLDER:
        return Parts(type=kind)
    start, end = expression_of(graph, node)
    target, args = _target_and_operands(text, start, end)
    return Parts(target=target, type=kind, args=args)


def _target_and_operands(text: str, start: int, end: int) -> tuple[Stretch | None, Stretch]:
    callee = _CALLEE.match(text, start, end)
    if callee and not text.startswith("getattr(", start):
        receiver = _RECEIVER.match(text, start, end)
        if receiver and receiver[1] not in MODULES:
            return (receiver.end(), callee.end()), (start, end)
        return callee.span(), (callee.end(), end)
    if THROUGH_SELF.match(text, start, end):
        opened = start
        while text.startswith("getattr(", opened):
            close = closing(text, opened + len("getattr"), end)
            if close is None:
                return None, (start, end)
            opened = close + 1
        stop = re.compile(r"[\w.]*").match(text, opened, end)
        stop_at = stop.end() if stop else opened
        return (start, stop_at), (stop_at, end)
    sign = top_level_sign(without_strings(text[start:end]))
    if sign:
        return (start + sign[0], start + sign[0] + len(sign[1])), (start, end)
    attribute = re.compile(r"\w+\.(\w+)\Z").match(text, start, end)
    if attribute:
        return attribute.span(1), (start, end)
    return None, (start, end)


def arguments_of_statement(graph: Graph, node: Node) -> Arguments:
    """The arguments of a call; the operands of an infix expression; a method's receiver first."""
    text = graph.page.text
    if node.opcode in (OUTPUT, PLACEHOLDER):
        return Arguments([], [])
    start, end = expression_of(graph, node)
    reads = frozenset(node.reads)
    target, (args_start, args_end) = _target_and_operands(text, start, end)
    receivers: list[Argument] = []
    if target and args_start == start and text.startswith("(", target[1]):
        receiver = _RECEIVER.match(text, start, end)
        if receiver:
            receivers.append(argument(text, *receiver.span(1), reads))
        args_start = target[1]
    if text.startswith("(", args_start) and closing(text, args_start, args_end) == args_end - 1 and target:
        found = python_arguments(text, args_start + 1, args_end - 1, reads)
        return Arguments(receivers + found.positional, found.keyword)
    if target and args_start == start and text[target[0] : target[1]].strip():
        sides = [trimmed(text, start, target[0]), trimmed(text, target[1], end)]
        return Arguments([argument(text, a, b, reads) for a, b in sides if a < b], [])
    item = re.compile(r"(\w+)\[").match(text, start, end)
    if item:
        inside = trimmed(text, item.end(), end - 1)
        return Arguments([argument(text, *item.span(1), reads), argument(text, *inside, reads)], [])
    return Arguments([], [])
