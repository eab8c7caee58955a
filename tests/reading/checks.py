"""What a text is read as, one line a node, so that a test reads like the user's screen.

    x : f32[2] = placeholder x
    relu : f32[2] = call_function torch.relu(x) - x
    output = output (relu)

Name, type, opcode, target, the names it reads, the names it sets to None. A line in square brackets begins a graph:
name, form and container, and what it lacks.
"""

from __future__ import annotations

from textwrap import dedent

from fxgraph.graph import OUTPUT, Dump, Graph, Node
from fxgraph.reading import uses
from markers import marked
from reading.invariants import check_read


def line_of(node: Node) -> str:
    line = node.name
    if node.type is not None:
        line += f" : {node.type}"
    line += f" = {node.opcode} " + ("" if node.opcode == OUTPUT else node.target)
    if node.reads or node.opcode == OUTPUT:
        line += f"({', '.join(node.reads)})"
    if node.frees:
        line += f" - {', '.join(node.frees)}"
    return line


def head_of(graph: Graph) -> str:
    words = [graph.name, graph.form, graph.container]
    words += ["no head"] * (not graph.has_head) + ["no end"] * (not graph.has_end) + ["part"] * graph.is_part
    words += [f"{len(graph.broken)} broken"] * bool(graph.broken)
    words += [f"in {graph.parent}"] * (graph.parent is not None)
    return f"[{', '.join(word for word in words if word)}]"


def lines_of(dump: Dump) -> list[str]:
    return [line for graph in dump.graphs for line in (head_of(graph), *map(line_of, graph.nodes))]


def text_of(source: str) -> str:
    """A text from a test: one that begins with a line end is indented like the test, any other stands as it is."""
    return dedent(source).lstrip("\n") if source.startswith("\n") else source


def check_graphs(source: str, expected: str) -> Dump:
    """Reads a text and compares every graph and node of it."""
    dump = check_read(text_of(source))
    assert lines_of(dump) == dedent(expected).strip().splitlines()
    return dump


def check_nothing(source: str) -> None:
    """There is no graph in the text."""
    assert lines_of(check_read(text_of(source))) == []


def check_uses(source: str) -> None:
    """All uses of all nodes are the stretches marked by `^`, in any order, and no others."""
    text = marked(source)
    dump = check_read(text.text)
    found = [
        graph.page.span(use.start, use.start + len(use.name))
        for graph in dump.graphs
        for node in graph.nodes
        for use in uses(graph, node)
    ]
    assert text.show(sorted(found)) == text.show(sorted(text.spans()))
