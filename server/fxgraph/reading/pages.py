"""From the document to pages of bare text: byte order mark, carriage returns, colours, comment leaders go."""

from __future__ import annotations

import re

from fxgraph.graph import Page

#: Control sequences of a terminal: CSI ... final byte, OSC ... bell or string terminator.
_NOISE = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\r(?=\n)|\A\ufeff")

#: What quotes a whole line: comment signs, e-mail and Markdown quotes, pytest's `E   `, a doctest prompt.
_LEADER = re.compile(r"[ \t]*(?:(?:\#+|//+!?|>>>|>|\.\.\.|\*|\||E|--|;+|%%)(?:[ \t]+|(?=>)|$))+[ \t]*", re.MULTILINE)


#: A comment for fxgraph that silences findings: it may stand behind a node of any form, also in a table.
SILENCE = re.compile(r"(?:\#|//)[ \t]*fxgraph:[ \t]*ignore(?:\[([^\]\r\n]*)\])?[ \t]*(?=[\r\n]|\Z)")
_NOISE_AND_SILENCE = re.compile(f"{_NOISE.pattern}|{SILENCE.pattern}", re.MULTILINE)


def clean_page(text: str) -> Page:
    """The document without what changes how it looks but not what it says. A lone carriage return ends a line."""
    page = Page(text)
    has_comments = "fxgraph:" in text and SILENCE.search(text) is not None
    if has_comments or "\r" in text or "\x1b" in text or text.startswith("\ufeff"):
        pieces = []
        at = 0
        for match in (_NOISE_AND_SILENCE if has_comments else _NOISE).finditer(text):
            if match.start() > at:
                pieces.append((at, match.start()))
            at = match.end()
        if at:
            pieces.append((at, len(text)))
            page = page.of_pieces(pieces)
        if "\r" in page.text:
            page.text = page.text.replace("\r", "\n")
    if "\xa0" in page.text:  # text copied from a web page
        page = page.of_pieces([(0, len(page.text))])
        page.text = page.text.replace("\xa0", " ")
    return page


#: A record of print(graph) on a line of its own.
RECORD_LINE = r"[ \t]+%\w+ : "
_RECORD_LINES = re.compile(rf"\n{RECORD_LINE}.*")


def without_records(text: str) -> str:
    """The lines that are no records of print(graph), as far as they look like it, for finding what no record holds.

    Most lines of a big graph are records. Looking for ten words in all of them would take as long as reading them.
    """
    return _RECORD_LINES.sub("", text) if "%" in text else text


def is_leader(text: str) -> bool:
    """Whether this front part of a line is a comment sign or a quote, and not blank."""
    match = _LEADER.match(text)
    return match is not None and match.end() == len(text)


def leader_of_block(text: str, line: int, leader: str) -> str:
    """What stands in front of a line and of the next one, too, or nothing.

    It is the comment sign or quote in front of other words (pytest's `E       AssertionError: ...`), or whatever a
    launcher of jobs writes: `[1,0]<stdout>:`, `worker | `.
    """
    match = _LEADER.match(leader)
    core = match[0].rstrip() if match else ""
    following = text.find("\n", line) + 1
    if match is not None and core.strip():
        return match[0] if following and text.startswith(core, following) else ""
    same = leader.rstrip()
    return leader if same and following and text.startswith(same, following) else ""


def quoted_region(page: Page, line_start: int, leader: str, limit: int) -> tuple[Page, int]:
    """The lines from `line_start` on that begin with this leader, as a page without it, and where they end."""
    text = page.text
    core = leader.rstrip()
    pieces = []
    at = line_start
    while at < limit and text.startswith(core, at):
        end = text.find("\n", at, limit)
        end = limit if end < 0 else end + 1
        if text.startswith(leader, at):
            start = at + len(leader)
        else:
            start = at + len(core)
            while start < end and start < at + len(leader) and text[start] in " \t":
                start += 1
        pieces.append((min(start, end), end))
        at = end
    return page.of_pieces(pieces), at
