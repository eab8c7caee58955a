"""Unified diffs of dumps: each hunk is a piece of the newer text, with the lines that it takes away beside it.

The format is that of POSIX `diff -u`, which git writes, too: `@@ -1,7 +1,9 @@` says how many lines of either side
follow, and the first column says which side a line is of.
"""

from __future__ import annotations

import re

from fxgraph.graph import Page

_HUNK = re.compile(r"^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@[^\n]*\n", re.MULTILINE)


def split_diff(page: Page) -> tuple[Page, list[Page]]:
    """The text outside of hunks, and one page for the newer side of each hunk and for the lines that it takes away.

    A text that is no diff gives itself and no pages.
    """
    text = page.text
    if "@" not in text or "@@ -" not in text:  # a single character is found ten times as fast
        return page, []
    outside: list[tuple[int, int]] = []
    pages: list[Page] = []
    at = 0
    for hunk in _HUNK.finditer(text):
        if hunk.start() < at:
            continue
        outside.append((at, hunk.start()))
        newer, older, at = _sides(text, hunk)
        pages += [page.of_pieces(pieces) for pieces in (newer, older) if pieces]
    outside.append((at, len(text)))
    return (page.of_pieces(outside), pages) if pages else (page, [])


def _sides(text: str, hunk: re.Match[str]) -> tuple[list[tuple[int, int]], list[tuple[int, int]], int]:
    """Pieces of the newer side of a hunk and of the lines it takes away, without their first column; where it ends."""
    left, right = [int(count) if count is not None else 1 for count in hunk.groups()]
    newer: list[tuple[int, int]] = []
    older: list[tuple[int, int]] = []
    at = hunk.end()
    while (left > 0 or right > 0) and at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        sign = text[at]
        if sign == "-":
            older.append((at + 1, end))
        elif sign in "+ ":
            newer.append((at + 1, end))
        elif sign == "\n":  # an editor took the blank of a blank line away
            newer.append((at, end))
        elif sign != "\\":  # `\ No newline at end of file`
            break
        left -= sign in "- \n"
        right -= sign in "+ \n"
        at = end
    return newer, older, at
