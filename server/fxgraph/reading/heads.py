"""Where graphs begin: `graph():`, `class X(torch.nn.Module):`, `def forward(`, the head of a table, a fragment.

Found by looking for fixed words, which is many times faster than one expression over a text of ten million characters.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from fxgraph.reading.pages import RECORD_LINE, without_records


class Head(NamedTuple):
    """The head of a graph, in page offsets. `leader` is what stands in front of it on its line, shortened if long."""

    kind: str  # graph, class, def, table, fragment
    line: int
    begin: int
    end: int
    name: str
    leader: str


_WORDS = {
    "graph": ("graph()", re.compile(r"graph\(\)(?: -> [^\n]{1,200}?)?:[ \t]*$", re.MULTILINE)),
    "class": ("torch.nn.Module):", re.compile(r"class ([^\n]+?)\(torch\.nn\.Module\):[ \t]*$", re.MULTILINE)),
    "def": ("def forward(", re.compile(r"def forward\(")),
    "table": ("opcode", re.compile(r"opcode +name +target +args +kwargs[ \t]*$", re.MULTILINE)),
    "fragment": ("Graph fragment:", re.compile(r"Graph fragment:[ \t]*$", re.MULTILINE)),
}
#: What makes `graph():` a part of somebody's program: `def graph():`, `dump_graph():`, `self.graph():`.
_PROGRAM = re.compile(r"(?:[\w.]|\bdef[ \t]+)\Z")
_RECORD = re.compile(RECORD_LINE)
_CLASS_END = re.compile(r"torch\.nn\.Module\):[ \t]*$", re.MULTILINE)
#: What stands in front of a head is kept up to this many characters: a file name, a comment sign, the indentation.
_LONGEST_LEADER = 300


def find_heads(text: str, others: str | None = None) -> list[Head]:
    """All heads of a page, ascending. `others` are its lines `without_records` where they are known."""
    if others is None:
        others = without_records(text)
    heads: list[Head] = []
    for kind, (word, expression) in _WORDS.items():
        if word not in others:
            continue
        line = before = 0
        at = text.find(word)
        while at >= 0:
            # from the last word on, not from the begin of the text: a line may be very long and full of them
            line = text.rfind("\n", before, at) + 1 or line
            before = at + len(word)
            match = expression.match(text, at) if kind != "class" else _class_in(text, line, at, expression)
            leader = text[line : min(match.start(), line + _LONGEST_LEADER)] if match else ""
            # `# File: net.py:3 in forward, code: def forward(self, x): return x.relu()` quotes the user's program, and
            # a record has it in a string
            is_quoted = ", code: " in leader or _RECORD.match(leader) is not None
            if match and not is_quoted and not (kind == "graph" and _PROGRAM.search(leader)):
                name = match[1].strip() if kind == "class" else ""
                heads.append(Head(kind, line, match.start(), match.end(), name, leader))
            at = text.find(word, before)
    heads.sort(key=lambda head: head.begin)
    return heads


def _class_in(text: str, line: int, at: int, expression: re.Pattern[str]) -> re.Match[str] | None:
    if not _CLASS_END.match(text, at):
        return None  # no line is looked through more than once
    start = text.rfind("class ", line, at)
    first = text.find("class ", line, at)
    # a class may be called `class`: the first of the words is the keyword unless it is part of a path
    for place in (first, start):
        if place >= 0 and (place == line or not text[place - 1].isalnum()):
            match = expression.match(text, place)
            if match:
                return match
    return None
