"""Hovers of kernels, and of the names in the comment above the fragment that a kernel computes."""

from __future__ import annotations

from fxgraph.features.hovers.values import named
from fxgraph.features.kernels import Kernel, kernel_of, sources_of
from fxgraph.features.markdown import bullets, capped, code, paragraphs
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph, Node

MOST_NODES = 12


def kernel_text(snapshot: Snapshot, kernel: Kernel) -> str:
    """The nodes that a kernel computes, each with the names of the program that it comes from."""
    nodes = [node for node in kernel.graph.nodes if node.opcode not in (PLACEHOLDER, OUTPUT)]
    items = [named(snapshot, kernel.graph, node) + _from(sources_of(kernel, node)) for node in nodes]
    return paragraphs([f"Kernel **{code(kernel.name or '')}** computes:", bullets(capped(items, MOST_NODES))])


def source_name_text(snapshot: Snapshot, kernel: Kernel, name: str, nodes: list[Node]) -> str:
    """The nodes that a name of the program became."""
    if not nodes:
        return f"{code(name)} of the program: its nodes are not told here."
    became = ", ".join(capped([named(snapshot, kernel.graph, node) for node in nodes], MOST_NODES))
    return f"{code(name)} of the program became {became}."


def computed_text(snapshot: Snapshot, graph: Graph, node: Node) -> str | None:
    """Computed by the kernel `triton_poi_fused_0` (line 23), from `act` of the program."""
    if not graph.is_part or node.opcode in (PLACEHOLDER, OUTPUT):
        return None
    kernel = kernel_of(snapshot, graph)
    if kernel is None:
        return None
    sources = _from(sources_of(kernel, node)).removeprefix(", ")
    if kernel.name is None or kernel.span is None:
        return f"{sources[:1].upper()}{sources[1:]}." if sources else None
    line = snapshot.lines.line_of(kernel.span.start) + 1
    return f"Computed by the kernel {code(kernel.name)} (line {line}){', ' + sources if sources else ''}."


def _from(sources: list[str]) -> str:
    return f", from {', '.join(code(name) for name in sources)} of the program" if sources else ""
