"""How hovers name values, types and lines."""

from __future__ import annotations

from fxgraph.features.amounts import bytes_of, human_bytes
from fxgraph.features.logged import is_repro, logged_types
from fxgraph.features.markdown import code
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node


def typed(type_text: str | None) -> str:
    """`f32[2, 3]`, 24 B; nothing where no type is known."""
    if not type_text:
        return ""
    size = bytes_of(type_text)
    return code(type_text) if size is None else f"{code(type_text)}, {human_bytes(size)}"


def type_words(snapshot: Snapshot, graph: Graph, node: Node) -> str:
    """`typed` of what is printed beside a node, else of what the text tells elsewhere."""
    if node.type:
        return typed(node.type)
    logged = logged_types(snapshot, graph).get(node.name)
    return f"sizes {code(logged)}" if logged and logged.startswith("(") else typed(logged)


def origin_words(graph: Graph, node: Node) -> str:
    """Where `type_words` are from."""
    if node.type:
        return "printed in the dump"
    return "loaded by `load_args`" if is_repro(graph) else "logged"


def line_of(snapshot: Snapshot, graph: Graph, node: Node) -> int:
    """The line of a node's definition, from 1."""
    return snapshot.lines.line_of(graph.page.to_document(node.start)) + 1


def named(snapshot: Snapshot, graph: Graph, node: Node) -> str:
    """`relu` (line 9)."""
    return f"{code(node.name)} (line {line_of(snapshot, graph, node)})"
