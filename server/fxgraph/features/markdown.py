"""Markdown in which the text of a dump can do nothing: no links, no HTML, no line of its own.

All of a dump's text goes through `code`, or `prose` for sentences that may quote it. Nothing else of it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Longer pieces of a dump are cut: a target or a string argument may take thousands of characters.
LIMIT = 120

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")
_TICKS = re.compile("`+")
# What Markdown, or an editor's idea of it, could take for markup, a link or an address.
_MARKUP = re.compile(r"[`*_\[\]<>~&|\\#@]|://|\bwww\.|!\[", re.IGNORECASE)
_MARK = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\*\*")


def shortened(text: str, limit: int = LIMIT) -> str:
    """One line of the text, at most `limit` characters of it; what is left out shows as `...`."""
    if len(text) > limit or not text.isprintable():
        text = _UNPRINTABLE.sub(" ", text[: 4 * limit + 4])
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 3].rstrip() + "..."


def code(text: str, limit: int = LIMIT) -> str:
    """The text as a code span that it cannot leave (CommonMark 0.31, section 6.1)."""
    text = shortened(text, limit)
    if not text:
        return "` `"
    if "`" not in text:
        return f"`{text}`"
    longest = max((len(run[0]) for run in _TICKS.finditer(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def prose(sentence: str) -> str:
    """A sentence of ours that may quote a dump, names in backticks. What is in backticks becomes a code span; of the
    rest, each word that could be markup does.
    """
    pieces = _UNPRINTABLE.sub(" ", sentence).split("`")
    quoted = [index % 2 == 1 and index + 1 < len(pieces) for index in range(len(pieces))]
    return "".join(
        [code(piece, 400) if is_code else _plain_words(piece) for piece, is_code in zip(pieces, quoted, strict=True)]
    )


def _plain_words(piece: str) -> str:
    return " ".join([_word(word) for word in piece.split(" ")])


def _word(word: str) -> str:
    if not _MARKUP.search(word):
        return word
    bare = word.strip("(),.;:")
    if not bare:
        return word
    start = word.index(bare)
    return word[:start] + code(bare, 400) + word[start + len(bare) :]


def capped(items: Sequence[str], limit: int, count: int | None = None) -> list[str]:
    """The first items of a list, and "and N more" where it is longer than `limit` (one more is shown, not counted).

    `count` is the length of the whole list, where `items` are only its first `limit` + 1.
    """
    count = len(items) if count is None else count
    if count <= limit + 1:
        return list(items)
    return [*items[:limit], f"and {count - limit:,} more"]


def bullets(items: Sequence[str]) -> str:
    """A list, one item a line."""
    return "\n".join(f"- {item}" for item in items)


def paragraphs(parts: Sequence[str | None]) -> str:
    """The parts that say something, with a blank line between each."""
    return "\n\n".join(part for part in parts if part)


def plain(markdown: str) -> str:
    """What `code`, `bullets` and `**` wrote, as text for a pipe: without the marks."""
    return _MARK.sub(lambda found: _inside(found[2] or ""), markdown)


def _inside(text: str) -> str:
    padded = text.startswith(" `") or text.endswith("` ")
    return text[1:-1] if padded and len(text) > 2 else text
