"""Where graphs begin: `graph():`, `class X(torch.nn.Module):`, `def forward(`, the head of a table, a fragment.

Found by looking for fixed words, which is many times faster than one expression over a text of ten million characters.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Head(NamedTuple):
    """The head of a graph, in page offsets. `leader` is what stands in front of it on its line."""

    kind: str  # graph, class, def, table, fragment
    line: int
    begin: int
    end: int
    name: str
    leader: str


_WORDS = {
    "graph": ("graph()", re.compile(r"graph\(\)(?: -> [^\n]*?)?:[ \t]*$", re.MULTILINE)),
    "class": ("torch.nn.Module):", re.compile(r"class ([^\n]+?)\(torch\.nn\.Module\):[ \t]*$", re.MULTILINE)),
    "def": ("def forward(", re.compile(r"def forward\(")),
    "table": ("opcode", re.compile(r"opcode +name +target +args +kwargs[ \t]*$", re.MULTILINE)),
    "fragment": ("Graph fragment:", re.compile(r"Graph fragment:[ \t]*$", re.MULTILINE)),
}


def find_heads(text: str) -> list[Head]:
    """All heads of a page, ascending."""
    heads: list[Head] = []
    for kind, (word, expression) in _WORDS.items():
        at = text.find(word)
        while at >= 0:
            line = text.rfind("\n", 0, at) + 1
            match = expression.match(text, at) if kind != "class" else _class_in(text, line, at, expression)
            leader = text[line : match.start()] if match else ""
            # `# File: net.py:3 in forward, code: def forward(self, x): return x.relu()` quotes the user's program
            if match and ", code: " not in leader:
                name = match[1].strip() if kind == "class" else ""
                heads.append(Head(kind, line, match.start(), match.end(), name, leader))
            at = text.find(word, at + len(word))
    heads.sort(key=lambda head: head.begin)
    return heads


def _class_in(text: str, line: int, at: int, expression: re.Pattern[str]) -> re.Match[str] | None:
    start = text.rfind("class ", line, at)
    first = text.find("class ", line, at)
    # a class may be called `class`: the first of the words is the keyword unless it is part of a path
    for place in (first, start):
        if place >= 0 and (place == line or not text[place - 1].isalnum()):
            match = expression.match(text, place)
            if match:
                return match
    return None
