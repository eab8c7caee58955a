"""Paths in a dump that lead to source code: `# File:` comments, prefixes of logs, lines of a traceback, of pytest, of a
dynamo trace.

Whether such a file exists is not asked here: a dump may name any path, and looking would touch it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span
from fxgraph.reading import source_in

_PREFIX_PATH = re.compile(r" (\d+) (\S{1,512}\.py:\d+)\]")
_TRACEBACK = re.compile(r'File "([^"\n]{1,1024})", line (\d+)')
#: What torch/_inductor/codegen/triton.py writes above a kernel of its own: the file that holds it alone.
_KERNEL = re.compile(r"# kernel path: (\S{1,1000}\.py)(?!\S)")
#: `net.py:12`, but not the end of a log's prefix.
_PLACE = re.compile(r"\.py:(\d{1,9})(?![\d\]])")
_LONGEST_PATH = 1000
_ENDS_A_PATH = frozenset(" \t\r\n:\"'`<>|*?()[]{}=,;#\xa0")
_DRIVE = re.compile(r"(?<![A-Za-z])[A-Za-z]\Z")
#: What stands in front of a relative path that is meant as a place (torch/_dynamo/symbolic_convert.py writes the words
#: of a trace; guards quote paths that lack their first letters, and are left alone) ...
_BEFORE = re.compile(
    r"(?:File: |starts_line |start tracing \S{1,200} |in user code at |inlined call \S{1,200} from )\Z"
)
#: ... or that begins a line: `tests/test_net.py:12: AssertionError`.
_LINE_BEGIN = re.compile(r"(?:^|\n)[ \t>|]*\Z")
_MESSAGE = re.compile(r": \w")


class Link(NamedTuple):
    """A path and a line (from 1) that the text at `span` names."""

    span: Span
    path: str
    line: int


def links(snapshot: Snapshot) -> list[Link]:
    """All links of a document, in the order of the text."""
    text = snapshot.text
    found = [*_comment_links(snapshot), *_log_links(text), *_traceback_links(text), *_kernel_links(text)]
    found = sorted(found, key=lambda link: link.span)
    others = _other_links(text, [link.span for link in found])
    return sorted([*found, *others], key=lambda link: link.span)


def _comment_links(snapshot: Snapshot) -> list[Link]:
    found = []
    for graph in snapshot.dump.graphs:
        for start, end in graph.comments:
            source = source_in(graph.page.text, start, end)
            if source is not None:
                found.append(Link(graph.page.span(source.path_start, source.path_end), source.path, source.line))
    return found


def _log_links(text: str) -> list[Link]:
    """Every line of a message repeats the prefix: only the first of such lines gets the link."""
    found = []
    previous, previous_line = "", -1
    line, counted = 0, 0
    for match in _PREFIX_PATH.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if match[2] != previous or line > previous_line + 1:
            path, _, number = match[2].rpartition(":")
            found.append(Link(Span(*match.span(2)), path, int(number)))
        previous, previous_line = match[2], line
    return found


def _traceback_links(text: str) -> list[Link]:
    return [
        Link(Span(match.start(1), match.end()), match[1], int(match[2]))
        for match in _TRACEBACK.finditer(text)
        if not match[1].startswith("<")
    ]


def _kernel_links(text: str) -> list[Link]:
    return [Link(Span(*match.span(1)), match[1], 1) for match in _KERNEL.finditer(text)]


def _other_links(text: str, taken: list[Span]) -> list[Link]:
    """Paths in the text around the graphs, and in comments outside of them; `taken` are links already, ascending."""
    found = []
    starts = [span.start for span in taken]
    for match in _PLACE.finditer(text):
        place = bisect_right(starts, match.start()) - 1
        if place >= 0 and taken[place].end > match.start():
            continue
        start = _path_start(text, match.start())
        path = text[start : match.start() + len(".py")]
        if start < match.start() and (_is_absolute(path) or _is_meant(text, start, match.end())):
            found.append(Link(Span(start, match.end()), path, int(match[1])))
    return found


def _path_start(text: str, end: int) -> int:
    """Where the path begins that ends in front of `end`."""
    start, limit = end, max(end - _LONGEST_PATH, 0)
    while start > limit and text[start - 1] not in _ENDS_A_PATH:
        start -= 1
    if text[start - 1 : start] == ":" and text[start : start + 1] in "/\\":
        drive = _DRIVE.search(text, max(start - 3, 0), start - 1)
        start = drive.start() if drive else start
    return start


def _is_absolute(path: str) -> bool:
    return (path.startswith("/") and not path.startswith("//")) or path[1:3] in (":/", ":\\")


def _is_meant(text: str, start: int, end: int) -> bool:
    """Whether a relative path [start, end) names a place in a program rather than something else."""
    front = text[max(start - _LONGEST_PATH, 0) : start]
    if _BEFORE.search(front):
        return True
    return _LINE_BEGIN.search(front) is not None and _MESSAGE.match(text, end) is not None
