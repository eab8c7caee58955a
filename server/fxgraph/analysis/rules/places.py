"""Where in the document a report points, and how it names things."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fxgraph.graph import OUTPUT, Graph, Node, Span, Use

_BUILT_IN = re.compile(r"<(?:built-in )?(?:function|method) '?(\w+)")

#: So many other places a finding names at most: a node can have thousands of readers.
MOST = 10


def name_span(graph: Graph, node: Node) -> Span:
    """The bare name at a node's definition; the word `return` (or `output`) of the output node."""
    if node.opcode != OUTPUT:
        return graph.page.span(node.start, node.start + len(node.name))
    return graph.page.span(node.start, node.start + len("return"))


def use_span(graph: Graph, use: Use) -> Span:
    """The bare name where it is read."""
    return graph.page.span(use.start, use.start + len(use.name))


def head_span(graph: Graph) -> Span:
    """The first line of the head; of a graph without a head the name of its first node."""
    if graph.head_end <= graph.begin:
        return name_span(graph, graph.nodes[0]) if graph.nodes else graph.page.span(graph.begin, graph.end)
    text = graph.page.text
    end = text.find("\n", graph.begin, graph.head_end)
    return graph.page.span(graph.begin, min(end if end >= 0 else graph.head_end, graph.begin + 120))


def named(names: Sequence[str], most: int = 3, count: int | None = None) -> str:
    """Names in backticks, as a sentence lists them: "`a`, `b` and 4 more". `count`: how many there are in all."""
    count = len(names) if count is None else count
    shown = [f"`{name}`" for name in names[:most]]
    if count > most:
        return f"{', '.join(shown)} and {count - len(shown)} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]])) if shown else ""


def of_node(node: Node) -> str:
    """How a sentence calls the node that reads: "node `add`", "the return line"."""
    return "the return line" if node.opcode == OUTPUT else f"node `{node.name}`"


def target_words(node: Node) -> str:
    """A target in short: `aten.add.Tensor`, `mean` where a table has `<built-in method mean of ...>`."""
    found = _BUILT_IN.match(node.target)
    return found[1] if found else node.target.removeprefix("torch.ops.")
