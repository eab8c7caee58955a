"""Whether somebody left lines out of a printed graph."""

from __future__ import annotations

import re

from fxgraph.graph import Graph

#: `...`, `[...]`, `… 120 more lines`, `<snip>`, `# (truncated)`: a line of its own, as people and loggers write it.
_GAP = re.compile(
    r"^[ \t]*(?:#[ \t]*)?[\[(<{-]*[ \t]*"
    r"(?:\.\.\.|…|(?:snip(?:ped)?|truncated|omitted|elided)\b|\d+ (?:more )?lines\b)",
    re.MULTILINE | re.IGNORECASE,
)


def has_gap(graph: Graph) -> bool:
    """Whether a line inside the graph says that others were left out.

    Then the readers and definitions that are missing may have stood there: as with a graph without its end, nothing is
    said about them.
    """
    text = graph.page.text
    at = graph.head_end
    for node in graph.nodes:
        begin = node.begin
        # one line end and the margin stand between most nodes
        if begin > at and not (between := text[at:begin]).isspace() and _GAP.search(between):
            return True
        at = max(at, node.end)
    return False
