"""The details of a record of `print(graph)`: looked up in its text only when somebody asks."""

from __future__ import annotations

import re

from fxgraph.graph import OUTPUT, Graph, Node
from fxgraph.reading.graph_str import PLAIN_READ, Read, bare_type, reads_of_arguments, reads_of_return, record_of
from fxgraph.reading.parts import Arguments, Parts, Stretch, argument


def reads_of_record(graph: Graph, node: Node) -> list[Read]:
    """(name, offset, doubtful) of each read of a record or a return line."""
    text = graph.page.text
    if node.opcode == OUTPUT:
        return reads_of_return(text, node.start + len("return"), node.end)
    args = parts_of_record(graph, node).args
    if args is None:
        return []
    found = reads_of_arguments(text, *args)
    if len(found) < len(node.reads):  # odd in a way that the quick look of the reader does not see
        found = [(match[1], match.start(1), False) for match in PLAIN_READ.finditer(text, *args)]
    return found


def parts_of_record(graph: Graph, node: Node) -> Parts:
    """The parts of a record. An output line has only `args`: what it returns."""
    text = graph.page.text
    if node.opcode == OUTPUT:
        return Parts(args=_stripped(text, node.start + len("return"), node.end))
    record = record_of(text, node.begin, node.end)
    if record is None:
        return Parts()
    kind, users = record.type, None
    if kind is not None:
        start = kind[0] + text[slice(*kind)].find(bare := bare_type(text[slice(*kind)]))
        kind = (start, start + len(bare))
    if record.users is not None:
        users = (text.rindex("[", node.begin, record.users[0]) + 1, record.users[1])
    args = record.args if record.args and text.startswith("(args = ", record.args[0]) else None
    return Parts(record.opcode, record.target, users, kind, args)


def arguments_of_record(graph: Graph, node: Node) -> Arguments:
    """`(args = (a, b), kwargs = {k: v})`: elements end at `, ` outside of brackets; strings have no quotes there."""
    args = parts_of_record(graph, node).args
    if args is None:
        return Arguments([], [])
    text = graph.page.text
    start, end = args
    reads = frozenset(node.reads)
    middle = text.rfind(", kwargs = {", start, end)
    if middle < 0 or not text.startswith("(args = (", start):
        return Arguments([], [])
    positional = [argument(text, a, b, reads) for a, b in _printed_elements(text, start + 9, middle - 1)]
    keyword = []
    for a, b in _printed_elements(text, middle + len(", kwargs = {"), end - 2):
        colon = text.find(": ", a, b)
        if colon > 0:
            keyword.append((text[a:colon], argument(text, colon + 2, b, reads)))
    return Arguments(positional, keyword)


_PRINTED = re.compile(r"[()\[\]{}]|,(?: |$)")


def _printed_elements(text: str, start: int, end: int) -> list[Stretch]:
    found = []
    depth = 0
    at = start
    for match in _PRINTED.finditer(text, start, end):
        sign = match[0][0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            found.append((at, match.start()))
            at = match.end()
    if at < end or (found and text[at - 2 : at] == ", "):
        found.append((at, end))
    return found


def _stripped(text: str, start: int, end: int) -> Stretch:
    while start < end and text[start] in " \t":
        start += 1
    return start, end
