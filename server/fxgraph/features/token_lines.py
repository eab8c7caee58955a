"""The words of records, put together from stretches that were told apart before: a tenth of what `token_records` costs.

The names of nodes change from record to record; what stands between them hardly does. A record is split at the names
that its node defines, reads and frees. Which words each stretch between them holds was learnt from the first record
with that stretch: dumps are read from the left to the right, so behind a name the same characters are the same words.
"""

from __future__ import annotations

from bisect import bisect_left

from fxgraph.analysis import Facts
from fxgraph.features.token_legend import DEAD, DEFINITION, FREED, LAST_USE, NAME_TYPES, VARIABLE, Piece
from fxgraph.graph import OUTPUT, Node

#: Words of one line: the document offsets of the first word, of the last one, and behind it; then as text the length,
#: type and modifiers of each word, and between two words a 0 for "the same line" and the distance from the start of the
#: one to the start of the next: what LSP wants behind the two numbers of the first.
Run = tuple[int, int, int, str]

#: So many stretches are remembered, of at most so many characters.
_MOST = 10_000
_LONGEST = 500


class _Known:
    """What was learnt of one notation. It holds for every graph: all that differs between graphs is in the names.

    stretches  a stretch -> its words, by offsets in it
    steps      (stretch, length of the name in front, length and look of the name behind) -> text of its words and of
               the name behind
    tails      (stretch behind the last name, length of that name) -> text, and as in `Run` where its last word starts
               and ends, counted from the start of that name
    """

    def __init__(self) -> None:
        self.stretches: dict[str, list[Piece]] = {}
        self.steps: dict[tuple[str, int, int, int], str] = {}
        self.tails: dict[tuple[str, int], tuple[str, int, int]] = {}


_PRINTED, _GENERATED = _Known(), _Known()


class _Told:
    """The words of one record, ascending, by page offsets."""

    def __init__(self, pieces: list[Piece]) -> None:
        self._pieces = pieces
        self._all = set(pieces)

    def has(self, start: int, length: int, look: int) -> bool:
        """Whether this is one of the words."""
        return (start, length, look & 255, look >> 8) in self._all

    def between(self, start: int, end: int) -> list[Piece] | None:
        """The words in [start, end), by offsets in it; None where some reach out of it or overlap."""
        found = []
        behind = start
        for place in range(max(bisect_left(self._pieces, (start,)) - 1, 0), len(self._pieces)):
            at, length, kind, modifiers = self._pieces[place]
            if at >= end:
                break
            if at + length > start:
                if at < behind or at + length > end:
                    return None
                found.append((at - start, length, kind, modifiers))
                behind = at + length
        return found


class Liner:
    """Tells the words of one graph's records, as far as they are like others that were told before."""

    def __init__(self, facts: Facts) -> None:
        graph = facts.graph
        self._text = graph.page.text
        self._nodes = graph.nodes
        self._places = facts.links.places
        self._readers = facts.links.readers
        self._dead = facts.dead
        self._whole = graph.is_whole
        self._knows = graph.form != "tabular"  # columns move with the widest cell
        printed = graph.form == "graph_str"
        self._sign, self._opening = ("%", "](args = (") if printed else ("", " = ")
        self._known = _PRINTED if printed else _GENERATED
        self._braces = 1 if printed else 0  # `kwargs = {}`

    def run(self, node: Node, pieces: list[Piece] | None = None) -> Run | None:
        """The words of a record, by page offsets; None where some stretch of it was never seen.

        pieces  the words of this very record, ascending: what is not known yet is learnt from them
        """
        if node.opcode == OUTPUT or not self._knows:
            return None
        begin, start, name, index = node.begin, node.start, node.name, node.index
        record = self._text[begin : node.end]
        at, size = start - begin, len(name)
        if at != len(self._sign) or not record.startswith(name, at):
            return None
        opened = record.count("{")
        if opened > self._braces or record.count("}") != opened:
            return None  # behind a brace a word with a colon is a keyword: the record decides, not a stretch of it
        look = NAME_TYPES.get(node.opcode, VARIABLE) | (DEFINITION << 8)
        if index in self._dead:
            look |= DEAD << 8
        words = f"{size},{look & 255},{look >> 8}"
        told = None if pieces is None else _Told(pieces)
        if told is not None and not told.has(start, size, look):
            return None
        behind = at + size
        sign, whole, known = self._sign, self._whole, self._known
        steps, places, nodes, readers = known.steps, self._places, self._nodes, self._readers
        search = record.find(self._opening, behind) + len(self._opening)  # where reads may stand
        if search < behind:
            search = behind
        elif not sign and node.reads and not record.startswith(node.reads[0], search):
            search = max(record.find("(", search), search)
        for name in node.reads:
            place = record.find(sign + name, search) + len(sign)
            if place < search:
                return None
            definition = places.get(name)
            look = VARIABLE
            if definition is not None:
                look = NAME_TYPES.get(nodes[definition].opcode, VARIABLE)
                if whole and readers.last(definition) == index:
                    look |= LAST_USE << 8
            key = (record[behind:place], size, len(name), look)
            step = steps.get(key) or self._step(key, begin + behind, told)
            if step is None:
                return None
            words += step
            at, size = place, len(name)
            search = behind = place + size
        if node.frees:
            search = max(record.find(";", search), search)
        for name in node.frees:
            place = record.find(name, search)
            if place < 0:
                return None
            definition = places.get(name)
            look = VARIABLE if definition is None else NAME_TYPES.get(nodes[definition].opcode, VARIABLE)
            key = (record[behind:place], size, len(name), look | (FREED << 8))
            step = steps.get(key) or self._step(key, begin + behind, told)
            if step is None:
                return None
            words += step
            at, size = place, len(name)
            search = behind = place + size
        rest = record[behind:]
        tail = known.tails.get((rest, size)) or self._tail(rest, size, begin + behind, told)
        if tail is None:
            return None
        return start, begin + at + tail[1], begin + at + tail[2], words + tail[0]

    def _step(self, key: tuple[str, int, int, int], begin: int, told: _Told | None) -> str | None:
        """The text of a stretch that begins at this page offset, and of the name behind it."""
        stretch, before, size, look = key
        if told is not None and not told.has(begin + len(stretch), size, look):
            return None  # only a part of another word
        pieces = self._words(stretch, begin, told)
        if pieces is None:
            return None
        if len(self._known.steps) >= _MOST:
            self._known.steps.clear()
        text, last = _chained(pieces, before)
        step = self._known.steps[key] = f"{text},0,{len(stretch) + before - last},{size},{look & 255},{look >> 8}"
        return step

    def _tail(self, stretch: str, before: int, begin: int, told: _Told | None) -> tuple[str, int, int] | None:
        """The text of the stretch behind the last name."""
        pieces = self._words(stretch, begin, told)
        if pieces is None:
            return None
        if len(self._known.tails) >= _MOST:
            self._known.tails.clear()
        text, last = _chained(pieces, before)
        end = last + pieces[-1][1] if pieces else before
        self._known.tails[stretch, before] = text, last, end
        return text, last, end

    def _words(self, stretch: str, begin: int, told: _Told | None) -> list[Piece] | None:
        """The words of a stretch that begins at this page offset; None where nobody has told them, or some do not lie
        between two names.
        """
        stretches = self._known.stretches
        pieces = stretches.get(stretch)
        if pieces is None and told is not None and len(stretch) <= _LONGEST and "\n" not in stretch:
            pieces = told.between(begin, begin + len(stretch))
            if pieces is not None:
                if len(stretches) >= _MOST:
                    stretches.clear()
                stretches[stretch] = pieces
        return pieces


def _chained(pieces: list[Piece], before: int) -> tuple[str, int]:
    """The words of a stretch as text that follows a name of that length, and where the last of them, or the name,
    starts: counted from the start of the name.
    """
    text, last = "", 0
    for at, length, kind, modifiers in pieces:
        text += f",0,{before + at - last},{length},{kind},{modifiers}"
        last = before + at
    return text, last
