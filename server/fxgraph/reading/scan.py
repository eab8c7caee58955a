"""Walking over brackets, quoted strings and comments of Python text, without recursion and without failing."""

from __future__ import annotations

import re

_OPEN = {"(": ")", "[": "]", "{": "}"}
#: What decides about structure: quoted strings (triple ones first), comments, brackets, commas, semicolons, line ends.
_PYTHON = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|\#[^\n]*"
    r"|\\."
    r"|[()\[\]{},;\n]",
    re.DOTALL,
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
#: What holds no names of nodes: strings with their prefix, comments, and the `repr` of objects: `<function f at 0x7f>`.
_NAMELESS = re.compile(
    r'(?:(?<!\w)[bru]{1,2})?"(?:[^"\\\n]|\\.)*"'
    r"|(?:(?<!\w)[bru]{1,2})?'(?:[^'\\\n]|\\.)*'"
    r"|\#[^\n]*"
    r"|<[A-Za-z_](?:[^<>\n]|<[^<>\n]*>)*>",
    re.DOTALL,
)

#: Brackets around one expression: a formatter writes one pair.
_MOST_WRAPPERS = 4


def closing(text: str, start: int, end: int) -> int | None:
    """Offset of the bracket that closes the one at `start`, or None where none does before `end`."""
    depth = 0
    for match in _PYTHON.finditer(text, start, end):
        sign = match[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth <= 0:
                return match.start()
    return None


def elements(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches between the top-level commas of [start, end), blanks and comments at their edges left out."""
    found: list[tuple[int, int]] = []
    depth = 0
    at = seen = start
    blank = True
    for match in _PYTHON.finditer(text, start, end):
        sign = match[0]
        blank = blank and not text[seen : match.start()].strip()
        seen = match.end()
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and sign == ",":
            found.append(trimmed(text, at, match.start()))
            at = match.end()
            blank = True
            continue
        elif sign[0] == "#" and blank:
            at = match.end()  # the remark behind the comma before this element
            continue
        blank = blank and sign == "\n"
    last = trimmed(text, at, end)
    if last[0] < last[1]:
        found.append(last)
    return found


_NEXT_LINE = re.compile(r"\n([ \t]*)(?=[^\s)\]}])")


def statement_end(text: str, start: int, limit: int, is_whole: bool = False) -> tuple[int, bool, int]:
    """Where the statement that begins at `start` ends: before the first line end outside of brackets.

    Returns the offset, whether the brackets are balanced there, and how far the text was looked at. Lines that go on
    with an open bracket are indented deeper or close it; at any other line the bracket was forgotten. An unbalanced
    statement ends with its first line. A statement that is known to be whole is not looked at in this way.
    """
    depth = 0
    first_line = text.find("\n", start, limit)
    if first_line < 0:
        first_line = limit
    indent = start - (text.rfind("\n", 0, start) + 1)
    for match in _PYTHON.finditer(text, start, limit):
        sign = match[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if depth < 0:
                return first_line, False, match.end()
        elif sign == "\n":
            if depth == 0:
                return match.start(), True, match.end()
            following = _NEXT_LINE.match(text, match.start(), limit)
            if following and len(following[1]) <= indent and not is_whole:
                return first_line, False, match.end()
    return (limit, True, limit) if depth == 0 else (first_line, False, limit)


def unwrapped(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the brackets that a formatter puts around an expression which it broke over lines."""
    start, end = trimmed(text, start, end)
    for _ in range(_MOST_WRAPPERS):
        if not text.startswith("(", start) or "\n" not in text[start:end] or closing(text, start, end) != end - 1:
            break
        inner = trimmed(text, start + 1, end - 1)
        if elements(text, *inner) != [inner]:
            break
        start, end = inner
    return start, end


def clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The stretches between the semicolons of one statement, comments and outer blanks left out."""
    found: list[tuple[int, int]] = []
    depth = 0
    at = start
    for match in _PYTHON.finditer(text, start, end):
        sign = match[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and (sign == ";" or sign[0] == "#"):
            found.append(trimmed(text, at, match.start()))
            at = match.end()
    found.append(trimmed(text, at, end))
    return [(a, b) for a, b in found if a < b]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the blanks at its edges."""
    piece = text[start:end]
    bare = piece.strip()
    if not bare:
        return end, end
    start += piece.index(bare[0]) if piece[0].isspace() else 0
    return start, start + len(bare)


def without_strings(text: str) -> str:
    """The same text with strings, comments and `<...>` objects blanked: offsets stay, names inside of them go."""
    if '"' not in text and "'" not in text and "#" not in text and "<" not in text:
        return text
    return _NAMELESS.sub(lambda match: " " * len(match[0]), text)


def unquoted(text: str) -> str:
    """A quoted string without its quotes; anything else as it is."""
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"" and _STRING.fullmatch(text):
        return text[1:-1]
    return text
