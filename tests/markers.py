"""Input and expectation in one text: `|` is the cursor, a line of `^` marks what is expected in the line above it.

    graph():
        %x : [num_users=1] = placeholder[target=x]
         ^ definition
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%|x,), kwargs = {})

A word behind the `^` names the mark. Columns are those of the line as it stands there, its cursor included.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from textwrap import dedent

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span

_MARK = re.compile(r"^\s*(\^+[ \w]*)+\s*$")


@dataclass
class Marked:
    text: str
    cursor: int | None = None
    marks: list[tuple[Span, str]] = field(default_factory=list)

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(self.text)

    def spans(self, label: str | None = None) -> list[Span]:
        return [span for span, name in self.marks if label is None or name == label]

    def at(self, words: str) -> int:
        """The offset of some words, which stand once in the text."""
        assert self.text.count(words) == 1, words
        return self.text.index(words)

    def show(self, spans: list[Span]) -> list[tuple[int, str]]:
        """Spans as (line from 1, their text), for messages that a person can read."""
        return [(self.text.count("\n", 0, span.start) + 1, self.text[span.start : span.end]) for span in spans]


def marked(source: str) -> Marked:
    """Take the cursor and the marks out of a text."""
    lines: list[str] = []
    result = Marked("")
    start = length = 0
    cursor_column: int | None = None
    for line in dedent(source).strip("\n").split("\n"):
        if lines and _MARK.match(line):
            for found in re.finditer(r"(\^+) ?([ \w]*\w)?", line):
                begin, end = found.span(1)
                if cursor_column is not None:
                    begin -= begin > cursor_column
                    end -= end > cursor_column
                result.marks.append((Span(start + begin, start + end), found[2] or ""))
            continue
        cursor_column = line.index("|") if "|" in line else None
        if cursor_column is not None:
            assert result.cursor is None, "two cursors"
            result.cursor = length + cursor_column
            line = line.replace("|", "", 1)
        start = length
        lines.append(line)
        length += len(line) + 1
    result.text = "\n".join(lines) + "\n"
    return result
