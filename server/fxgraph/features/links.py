"""Paths in a dump that lead to source code: `# File:` comments, prefixes of logs, lines of a traceback.

Whether such a file exists is not asked here: a dump may name any path, and looking would touch it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span
from fxgraph.reading import source_in

_PREFIX_PATH = re.compile(r" (\d+) (\S{1,512}\.py:\d+)\]")
_TRACEBACK = re.compile(r'File "([^"\n]{1,1024})", line (\d+)')


class Link(NamedTuple):
    """A path and a line (from 1) that the text at `span` names."""

    span: Span
    path: str
    line: int


def links(snapshot: Snapshot) -> list[Link]:
    """All links of a document, in the order of the text."""
    found = [*_comment_links(snapshot), *_log_links(snapshot.text), *_traceback_links(snapshot.text)]
    return sorted(found, key=lambda link: link.span)


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
