"""The names behind a statement that are set to None: `;  x = relu = None`."""

from __future__ import annotations

import re

from fxgraph.graph import Graph, Node, Use

_LIST = re.compile(r"(?:[^\W\d]\w*\s*=\s*)+None(?!\w)")
_NAME = re.compile(r"[^\W\d]\w*(?=\s*=)")


def frees_of(graph: Graph, node: Node) -> list[Use]:
    """The names a node frees, with page offsets, in the order of the text."""
    if not node.frees:
        return []
    text, found = graph.page.text, []
    freed = set(node.frees)
    semicolon = text.find(";", node.begin, node.end)
    # a joining line may hold the list alone, behind no semicolon
    for stretch in _LIST.finditer(text, semicolon if semicolon >= 0 else node.begin, node.end):
        names = [Use(name[0], name.start()) for name in _NAME.finditer(text, *stretch.span())]
        found += [use for use in names if use.name in freed]
    return found
