"""The hover: what there is to say of the thing under the cursor."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph.features.hovers.graph import graph_text
from fxgraph.features.hovers.kernel import kernel_text, source_name_text
from fxgraph.features.hovers.node import node_text, undefined_text
from fxgraph.features.hovers.opcode import opcode_text
from fxgraph.features.hovers.signature import ranges_text
from fxgraph.features.hovers.source import source_text
from fxgraph.features.hovers.target import target_text
from fxgraph.features.hovers.types import type_text
from fxgraph.features.hovers.users import count_text
from fxgraph.features.kernels import pointed_at
from fxgraph.features.locate import Place, What, locate
from fxgraph.features.markdown import paragraphs
from fxgraph.features.references import defining_node
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.told import Torch
from fxgraph.graph import Graph, Node, Span
from fxgraph.reading import source_of


class Hover(NamedTuple):
    """Markdown, and the document span that it speaks of."""

    markdown: str
    span: Span


def hover(snapshot: Snapshot, offset: int, torch: Torch | None = None) -> Hover | None:
    """What stands at a document offset, in short Markdown; None where there is nothing to say.

    `torch` adds what an installed torch says of it.
    """
    place = locate(snapshot, offset)
    if place is None:
        return _of_kernel(snapshot, offset)
    text = _text(snapshot, place, torch)
    if not text:
        return None
    # The sign in front of a name, `%`, belongs to it here: editors want the cursor inside of the hover's range.
    return Hover(text, Span(min(place.span.start, offset), max(place.span.end, offset)))


def _of_kernel(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover of a kernel's name, or of a name in the comment above its fragment."""
    pointed = pointed_at(snapshot, offset)
    if pointed is None:
        return None
    span, kernel, nodes = pointed
    word = snapshot.text[span.start : span.end]
    if word == kernel.name:
        return Hover(kernel_text(snapshot, kernel), span)
    if [node.name for node in nodes] == [word]:
        return Hover(node_text(snapshot, kernel.graph, nodes[0]), span)
    return Hover(source_name_text(snapshot, kernel, word, nodes), span)


def node_hover(snapshot: Snapshot, graph: Graph, node: Node) -> Hover:
    """The hover of a node's name, for those who have the node."""
    return Hover(node_text(snapshot, graph, node), graph.page.span(node.start, node.start + len(node.name)))


def _text(snapshot: Snapshot, place: Place, torch: Torch | None) -> str | None:
    graph, node = place.graph, place.node
    if place.what is What.HEAD:
        return graph_text(snapshot, graph)
    if place.name is not None:
        defined = defining_node(snapshot, place)
        return undefined_text(graph, place.name) if defined is None else node_text(snapshot, graph, defined, torch)
    if node is None:
        return None
    if place.what is What.OPCODE:
        return opcode_text(node.opcode)
    if place.what is What.USERS:
        return count_text(snapshot, graph, node)
    if place.what is What.TARGET:
        return target_text(snapshot, graph, node, torch)
    if place.what is What.TYPE:
        told = type_text(node), ranges_text(snapshot, graph, node.type)
        return paragraphs(told) or None
    if place.what is What.SOURCE:
        source = source_of(graph, node)
        return None if source is None else source_text(source)
    return None
