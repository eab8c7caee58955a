"""The words of records as torch writes most of them, taken in one step: a tenth of what `token_records` costs.

Whatever is not written just so is left to `token_records`; where both know a record they agree.
"""

from __future__ import annotations

import re

from fxgraph.analysis import Facts
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
    TYPE,
    VARIABLE,
)
from fxgraph.features.token_targets import target_pieces
from fxgraph.graph import CALL_FUNCTION, Node

_RECORD = re.compile(
    r'%(\w+) : (?:Tensor "([^"\n]+)")?\[num_users=\d+\] = (\w+)\[target=([^\]\n]+)\]'
    r"(?:\(args = [^\n]* kwargs = \{[^\n]*\}\))?\Z"
)
_STATEMENT = re.compile(
    r'(\w+)(?:: "([^"\n]+)")? = (?:(torch\.[\w.]+)\(([^;\n"\'#<]*)\)|(\w+\[\d+\]))(?:;  ((?:\w+ = )+)None)?\Z'
)
#: Words among operands; a keyword with the `:` or ` =` behind it.
_PRINTED_WORD = re.compile(r"%?[\w.\-:]+(?:(?<=\de)\+\d+)?")
_GENERATED_WORD = re.compile(r"[\w.\-]+(?:(?<=\de)\+\d+)?(?: =)?")

_NUMBER = re.compile(r"-?\d[\w.]*(?:(?<=[eE])[-+]\d+)?")
_CONSTANT = re.compile(r"True|False|None|Ellipsis|-?(?:inf|nan)|torch\.[a-z]\w*|[a-z]+:\d+")
_KEYWORD = re.compile(r"[^\W\d]\w*(?::| =)")
_NAME = re.compile(r"[^\W\d]\w*")

#: What a word can be besides: a name that is not read here, or nothing.
_NAMED, _NOTHING = -1, -2


class Liner:
    """Tells the words of one graph's ordinary records apart."""

    def __init__(self, facts: Facts) -> None:
        graph = facts.graph
        self._text = graph.page.text
        self._definitions = facts.links.definitions
        self._users = facts.links.users
        self._dead = facts.dead
        self._whole = graph.is_whole
        self._words: dict[str, tuple[int, int]] = {}
        self._fronts: dict[tuple[str, str, int], tuple[list[int], int]] = {}
        self._printed = graph.form == "graph_str"
        self.run = {"graph_str": self._record, "code": self._statement, "readable": self._statement}.get(graph.form)

    def _record(self, node: Node) -> tuple[int, list[int]] | None:
        """The page offset of a record's first word, and its words as in a `Run`; None where it is no ordinary one."""
        match = _RECORD.match(self._text, node.begin, node.end)
        if match is None:
            return None
        start, opcode = match.start(1), match.start(3)
        kind = NAME_TYPES.get(node.opcode, VARIABLE)
        numbers = [len(match[1]), kind, DEFINITION | DEAD if node.index in self._dead else DEFINITION]
        if match[2] is not None:
            at = match.start(2)
            numbers += (0, at - start, len(match[2]), TYPE, 0)
            gap = opcode - at
        else:
            gap = opcode - start
        front, last = self._front(match[3], match[4], gap)
        numbers += front
        return self._with_operands(node, start, numbers, opcode + last, match.end(4) + len("](args = "), node.end)

    def _front(self, opcode: str, target: str, gap: int) -> tuple[list[int], int]:
        """The words of `opcode[target=...]`, or of a target alone, `gap` behind the word in front.

        Beside them: how far in the last of them begins.
        """
        front = self._fronts.get((opcode, target, gap))
        if front is None:
            numbers: list[int] = []
            last, shift = -gap, 0
            if opcode:
                numbers = [0, gap, len(opcode), KEYWORD, OPCODE_MODIFIERS.get(opcode, 0)]
                last, shift = 0, len(opcode) + len("[target=")
            for offset, length, kind, modifiers in target_pieces(opcode or CALL_FUNCTION, target):
                numbers += (0, shift + offset - last, length, kind, modifiers)
                last = shift + offset
            front = self._fronts[opcode, target, gap] = (numbers, last)
        return front

    def _statement(self, node: Node) -> tuple[int, list[int]] | None:
        """The same for a statement that calls one of torch's functions, or takes one of several results."""
        if node.opcode != CALL_FUNCTION:
            return None
        match = _STATEMENT.match(self._text, node.begin, node.end)
        if match is None or (match[3] or "operator.getitem") != node.target:
            return None
        start = at = match.start(1)
        numbers = [len(match[1]), VARIABLE, DEFINITION | DEAD if node.index in self._dead else DEFINITION]
        if match[2] is not None:
            at = match.start(2)
            numbers += (0, at - start, len(match[2]), TYPE, 0)
        if match[3] is not None:
            begin = match.start(3)
            front, last = self._front("", match[3], begin - at)
            numbers += front
            at = begin + last
        found = self._with_operands(node, start, numbers, at, *match.span(4 if match[3] is not None else 5))
        if found is None or match[6] is None:
            return found
        at = start + sum(numbers[4::5])
        free = match.start(6)
        for name in match[6].split(" = ")[:-1]:
            definition = self._definitions.get(name)
            kind = VARIABLE if definition is None else NAME_TYPES.get(definition.opcode, VARIABLE)
            numbers += (0, free - at, len(name), kind, FREED)
            at = free
            free += len(name) + len(" = ")
        return found

    def _with_operands(
        self, node: Node, start: int, numbers: list[int], at: int, begin: int, end: int
    ) -> tuple[int, list[int]] | None:
        """`numbers` with the words of the operands in [begin, end), the last word so far at `at`.

        None where the names there are not those that the node reads: some stand in a string, or are sizes.
        """
        printed = self._printed
        reads = iter(node.reads)
        expected = next(reads, None)
        words, definitions, users, whole = self._words, self._definitions, self._users, self._whole
        for match in (_PRINTED_WORD if printed else _GENERATED_WORD).finditer(self._text, begin, end):
            word = match[0]
            place = match.start()
            modifiers = 0
            if printed and word[0] == "%":
                word = word[1:]
                place += 1
                if word != expected:
                    return None
            elif printed or word != expected:
                known = words.get(word)
                if known is None:
                    known = words[word] = self._word(word)
                kind, length = known
                if kind == _NAMED:
                    return None
                if kind != _NOTHING:
                    numbers += (0, place - at, length, kind, 0)
                    at = place
                continue
            expected = next(reads, None)
            definition = definitions.get(word)
            kind = VARIABLE
            if definition is not None:
                kind = NAME_TYPES.get(definition.opcode, VARIABLE)
                readers = users[definition.index]
                if whole and readers and readers[-1] is node:
                    modifiers = LAST_USE
            numbers += (0, place - at, len(word), kind, modifiers)
            at = place
        return (start, numbers) if expected is None else None

    def _word(self, word: str) -> tuple[int, int]:
        """Type and length of a word that is no read."""
        if _CONSTANT.fullmatch(word):
            return CONSTANT, len(word)
        if _NUMBER.fullmatch(word):
            return NUMBER, len(word)
        if _KEYWORD.fullmatch(word):
            return PARAMETER, len(word) - (1 if self._printed else 2)
        return (_NAMED if not self._printed and _NAME.fullmatch(word) else _NOTHING), 0
