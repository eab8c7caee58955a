"""The names behind a statement that are set to None: `;  x = relu = None`."""

from __future__ import annotations

import re

from fxgraph.graph import Graph, Node, Use

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*(?=[ \t]*=(?!=))")


def frees_of(graph: Graph, node: Node) -> list[Use]:
    """The names a node frees, with page offsets, in the order of the text."""
    if not node.frees:
        return []
    text, freed = graph.page.text, frozenset(node.frees)
    behind = max(text.find(";", node.begin, node.end), node.begin)
    names = [Use(match[0], match.start()) for match in _NAME.finditer(text, behind, node.end)]
    return [use for use in names if use.name in freed and use.start != node.start]
