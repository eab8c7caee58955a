"""Whether somebody left lines out of a printed graph."""

from __future__ import annotations

import re

from fxgraph.graph import Graph
from fxgraph.reading import stretches

#: The begin of a line behind its margin: `...`, `[...]`, `… 120 more lines`, `<snip>`, `# (truncated)`, as people and
#: loggers write it.
_GAP = re.compile(
    r"(?:#[ \t]*)?[\[(<{-]*[ \t]*"
    r"(?:\.\.\.|…|(?:snip(?:ped)?|truncated|omitted|elided)\b|\d+ (?:more )?lines\b)",
    re.IGNORECASE,
)


def has_gap(graph: Graph) -> bool:
    """Whether a line inside the graph says that others were left out.

    Then the readers and definitions that are missing may have stood there: as with a graph without its end, nothing is
    said about them.
    """
    text = graph.page.text
    at = graph.head_end
    for begin, end in stretches(graph.nodes):
        # one line end and the margin stand between most nodes
        if begin > at and not (between := text[at:begin]).isspace():
            for line in between.split("\n"):
                if _GAP.match(line.lstrip(" \t")):
                    return True
        if end > at:
            at = end
    return False
