r"""Where the lines of a text begin, and from there positions: (line, column) both counted from 0.

Lines end at `\n`, `\r\n` and `\r`, as LSP says (section "Text Documents"), and nowhere else: `str.splitlines` also
splits at form feeds and at characters that real dumps hold inside a line.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Literal

from fxgraph.reading.edits import Edit

#: What a column counts: bytes, UTF-16 code units, or characters (LSP section "PositionEncodingKind").
Encoding = Literal["utf-8", "utf-16", "utf-32"]

#: Characters of a text that are split at once.
_BLOCK = 1 << 20
_one_more = (1).__add__
_LINE_END = re.compile("\r\n?|\n")


class LineIndex:
    """The line starts of one text. Building it reads the text once; a question costs a bisection.

    Offsets are document offsets, in characters. In a line of ASCII a column is the same in every encoding.
    """

    __slots__ = ("_ascii", "starts", "text")

    def __init__(self, text: str, starts: Iterable[int] | None = None) -> None:
        self.text = text
        starts = _line_starts(text) if starts is None else starts
        self.starts = starts if isinstance(starts, array) else array(_code(text), starts)
        self._ascii = text.isascii()

    def __len__(self) -> int:
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The line that holds an offset. Outside the text: the first or the last line."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def line_end(self, line: int) -> int:
        """The offset behind the last character of a line, in front of its line end."""
        if line + 1 >= len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        return end - 1 if end > self.starts[line] and self.text[end - 1 : end + 1] == "\r\n" else end

    def line_text(self, line: int) -> str:
        """The text of a line without its line end."""
        return self.text[self.starts[line] : self.line_end(line)]

    def position(self, offset: int, encoding: Encoding = "utf-32") -> tuple[int, int]:
        """Line and column of an offset. An offset outside the text counts as its nearest end."""
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        start = self.starts[line]
        if self._ascii or encoding == "utf-32":
            return line, offset - start
        return line, width(self.text[start:offset], encoding)

    def offset(self, line: int, column: int, encoding: Encoding = "utf-32") -> int:
        """The offset of a position. Behind the end of a line: the line's end; below the last line: the text's end.

        A column in the middle of a character (half a surrogate pair) is taken back to the character's start.
        """
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.line_end(line)
        column = max(column, 0)
        if not (self._ascii or encoding == "utf-32"):
            # A character is at least one unit wide: what lies further right than `column` characters cannot matter.
            column = _characters(self.text[start : min(end, start + column)], column, encoding)
        return min(start + column, end)

    def edited(self, text: str, edits: Sequence[Edit]) -> LineIndex:
        """The index of `text`, which is this text with these edits, ascending and apart.

        Only the lines around the changes are looked at again.
        """
        starts = self.starts
        kept = array(_code(text))
        at = by = 0  # lines in front are done; those behind are `by` characters further on
        pending = deque(edits)
        while pending:
            edit = pending.popleft()
            behind = bisect_right(starts, edit.end)
            if pending and (behind >= len(starts) or pending[0].start <= starts[behind]):
                pending[0] = edit.joined(pending[0])
                continue
            # One line more in front: a `\r` at its end may become one with a `\n` that the edit brings to it.
            first = max(self.line_of(edit.start) - 1, 0)
            kept.extend(_moved(starts[at : first + 1], by))
            by += edit.by
            stop = starts[behind] + by if behind < len(starts) else len(text)
            kept.extend([found.end() for found in _LINE_END.finditer(text, kept[-1], stop)])
            at = behind + 1
        kept.extend(_moved(starts[at:], by))
        return LineIndex(text, kept)


def _moved(starts: array[int], by: int) -> Iterable[int]:
    return [start + by for start in starts] if by else starts


def _code(text: str) -> Literal["I", "Q"]:
    """The kind of array that holds offsets of a text: of several versions each has its own."""
    return "I" if len(text) < 1 << 32 else "Q"


def _line_starts(text: str) -> array[int]:
    starts = array(_code(text), [0])
    if "\r" in text:
        starts.extend([found.end() for found in _LINE_END.finditer(text)])
        return starts
    at = 0
    while at < len(text):  # block by block: the lines of the whole text would take its memory twice
        end = text.find("\n", at + _BLOCK) + 1 or len(text)
        lengths = map(len, text[at:end].split("\n"))
        # the last piece has no line end, or is the empty one behind it
        starts.extend(list(accumulate(map(_one_more, lengths), initial=at))[1:-1])
        at = end
    return starts


def width(text: str, encoding: Encoding) -> int:
    """How many units a text takes. Lone surrogates, which JSON can bring, count as one unit, or three bytes."""
    if text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(text: str, units: int, encoding: Encoding) -> int:
    """How many characters of a text are whole within its first `units` units; more units than it has count on."""
    if text.isascii():
        return units
    missing = units - width(text, encoding)
    if missing >= 0:
        return len(text) + missing
    # The widest prefix that fits, by bisection: widths only grow.
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle], encoding) <= units:
            low = middle
        else:
            high = middle - 1
    return low
