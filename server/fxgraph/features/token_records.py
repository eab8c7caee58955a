"""The words of one record or statement, with what they are."""

from __future__ import annotations

import re

from fxgraph.analysis import Facts
from fxgraph.features.frees import frees_of
from fxgraph.features.token_legend import (
    CONSTANT,
    DEAD,
    DEFINITION,
    FREED,
    KEYWORD,
    LAST_USE,
    NAME_TYPES,
    NUMBER,
    OPCODE_MODIFIERS,
    PARAMETER,
    STRING,
    TYPE,
    VARIABLE,
    Piece,
)
from fxgraph.features.token_targets import target_pieces
from fxgraph.graph import OUTPUT, Node
from fxgraph.reading import parts, uses

_NUMBER = r"(?:(?:(?<=[(\[{])|(?<=[,=:] )|(?<=\w=))-)?(?<![\w.%])\d[\w.]*(?:(?<=[eE])[-+]\d+)?"
_CONSTANT = (
    r"(?<![\w.%])(?:(?:True|False|None|Ellipsis|inf|nan)(?![\w.(])|(?:torch\.[a-z]\w*|[a-z]+:\d+)(?=[,)\]}])|\.\.\.)"
    r"|(?<=[ (])-(?:inf|nan)\b"
)
_NAME = r"(?<![\w.])[^\W\d]\w*(?![\w.(\"'])"
#: What stands among the operands of print(graph): strings have no quotes there.
_PRINTED = re.compile(
    rf"%(?P<name>\w+)|(?P<number>{_NUMBER})|(?P<constant>{_CONSTANT})|(?P<bare>{_NAME})(?P<colon>: )?"
)
_GENERATED = re.compile(
    r"(?P<string>(?:(?<!\w)[bru]{1,2})?(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))(?P<key>: )?|(?P<remark>\#[^\n]*)"
    rf"|(?P<number>{_NUMBER})|(?P<constant>{_CONSTANT})|(?P<name>{_NAME})(?P<equals>\s*=(?!=))?"
)


class Painter:
    """Tells the words of one graph's records apart."""

    def __init__(self, facts: Facts) -> None:
        graph = facts.graph
        self._graph = graph
        self._text = graph.page.text
        self._definitions = facts.links.definitions
        self._readers = facts.links.readers
        self._dead = facts.dead
        self._whole = graph.is_whole
        self._printed = graph.form == "graph_str"

    def pieces(self, node: Node) -> list[Piece]:
        """The words of a node's record in any order: (page offset, length, type, modifiers)."""
        text, opcode = self._text, node.opcode
        found = parts(self._graph, node)
        if opcode == OUTPUT:
            pieces = [(node.start, 6, KEYWORD, 0)]
        else:
            modifiers = DEFINITION | DEAD if node.index in self._dead else DEFINITION
            pieces = [(node.start, len(node.name), NAME_TYPES.get(opcode, VARIABLE), modifiers)]
        if found.opcode is not None and found.opcode[0] != node.start:
            start, end = found.opcode
            pieces.append((start, end - start, KEYWORD, OPCODE_MODIFIERS[opcode]))
        if found.target is not None:
            start, end = found.target
            for offset, length, kind, modifiers in target_pieces(opcode, text[start:end]):
                pieces.append((start + offset, length, kind, modifiers))
        if found.type is not None and found.type[0] < found.type[1]:
            start, end = found.type
            if "\n" not in text[start:end]:
                pieces.append((start, end - start, TYPE, 0))
        if found.args is not None:
            self._add_operands(pieces, node, *found.args)
        for use in frees_of(self._graph, node):
            pieces.append((use.start, len(use.name), self._name_type(use.name), FREED))
        return pieces

    def _add_operands(self, pieces: list[Piece], node: Node, start: int, end: int) -> None:
        reads = node.reads
        add = pieces.append
        named: list[tuple[str, int]] = []
        for match in (_PRINTED if self._printed else _GENERATED).finditer(self._text, start, end):
            kind = match.lastgroup
            if kind == "name":
                named.append((match["name"], match.start("name")))
            elif kind == "number":
                add((match.start(), match.end() - match.start(), NUMBER, 0))
            elif kind == "constant":
                add((match.start(), match.end() - match.start(), CONSTANT, 0))
            elif kind == "colon":
                if match["bare"] not in ("args", "kwargs"):
                    add((match.start(), match.end("bare") - match.start(), PARAMETER, 0))
            elif kind == "equals":
                add((match.start(), match.end("name") - match.start(), PARAMETER, 0))
            elif kind == "key":
                add((match.start(), match.end("string") - match.start(), PARAMETER, 0))
            elif kind == "string":
                add((match.start(), match.end() - match.start(), STRING, 0))
        if [name for name, _ in named] != list(reads):  # words in a string, sizes that are no nodes
            named = [(use.name, use.start) for use in uses(self._graph, node)]
        for name, at in named:
            modifiers = self._last_use(name, node)
            add((at, len(name), self._name_type(name), modifiers))

    def _name_type(self, name: str) -> int:
        node = self._definitions.get(name)
        return VARIABLE if node is None else NAME_TYPES.get(node.opcode, VARIABLE)

    def _last_use(self, name: str, reader: Node) -> int:
        """`LAST_USE` where torch would free the value behind this node: its last reader, unless it is returned."""
        if not self._whole or reader.opcode == OUTPUT:
            return 0
        node = self._definitions.get(name)
        if node is None:
            return 0
        return LAST_USE if self._readers.last(node.index) == reader.index else 0
