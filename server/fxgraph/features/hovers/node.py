"""The hover of a node's name."""

from __future__ import annotations

import re

from fxgraph.features.binding import Bound, bind, release_named
from fxgraph.features.hovers.kernel import computed_text
from fxgraph.features.hovers.life import fate_text, last_use_text, users_text
from fxgraph.features.hovers.propagated import propagated_text
from fxgraph.features.hovers.signature import input_text, output_text, output_words, ranges_text
from fxgraph.features.hovers.source import source_text
from fxgraph.features.hovers.values import line_of, origin_words, type_words, typed
from fxgraph.features.markdown import bullets, capped, code, paragraphs, prose
from fxgraph.features.nested import graph_named_by
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.told import Torch
from fxgraph.graph import GET_ATTR, OUTPUT, PLACEHOLDER, Graph, Node, Use
from fxgraph.reading import source_of, uses

MOST_OPERANDS = 12
MOST_RETURNED = 12
MOST_IN_A_LIST = 4
_ARGUMENT = 80


def node_text(snapshot: Snapshot, graph: Graph, node: Node, torch: Torch | None = None) -> str:
    """Opcode, target, type, operands, users, the last of them, whether it is dead, source line."""
    release = release_named(snapshot.dump.header)
    title = f"**{code(node.name)}** {node.opcode}"
    if node.opcode != OUTPUT:
        title += f" {code(node.target)}"
    source = source_of(graph, node)
    kind = type_words(snapshot, graph, node)
    return paragraphs(
        [
            title,
            f"{kind} ({origin_words(graph, node)})" if kind else None,
            ranges_text(snapshot, graph, node.type),
            None if torch is None else propagated_text(torch, snapshot, graph, node),
            _role(snapshot, graph, node),
            _returned(snapshot, graph, node) if node.opcode == OUTPUT else _operands(snapshot, graph, node, release),
            users_text(snapshot, graph, node),
            last_use_text(snapshot, graph, node, release),
            output_text(graph, node),
            computed_text(snapshot, graph, node),
            fate_text(snapshot, graph, node),
            source_text(source) if source is not None else None,
        ]
    )


def undefined_text(graph: Graph, name: str) -> str:
    """The hover of a name that is read and has no definition in its graph."""
    if graph.is_whole:
        return f"{code(name)} is not defined in this graph."
    return f"{code(name)} has no definition in this text, which does not hold the whole graph."


def _role(snapshot: Snapshot, graph: Graph, node: Node) -> str | None:
    """What a signature says of an input, or where the graph that a node names stands."""
    if node.opcode == PLACEHOLDER:
        return input_text(graph, node)
    nested = graph_named_by(snapshot, graph, node) if node.opcode == GET_ATTR else None
    if nested is None:
        return None
    line = snapshot.lines.line_of(nested.span().start) + 1
    return f"Names the nested graph {code(nested.name)} (line {line})."


def _operands(snapshot: Snapshot, graph: Graph, node: Node, release: str | None) -> str | None:
    bound = bind(graph, node, release)
    if not bound:
        return None
    reads = uses(graph, node) if any(one.argument.node is None for one in bound) else []
    return bullets(capped([_operand(snapshot, graph, one, reads) for one in bound], MOST_OPERANDS))


def _operand(snapshot: Snapshot, graph: Graph, bound: Bound, reads: list[Use]) -> str:
    definitions = snapshot.facts[graph.index].definitions
    name = f"{code(bound.name)} = " if bound.name else ""
    value = bound.argument.node
    if value is not None:
        node = definitions.get(value)
        kind = _known_type(snapshot, graph, node) if node is not None else ""
        return f"{name}{code(value)}{': ' + kind if kind else ''}"
    text = re.sub(r"%(?=\w)", "", bound.argument.text) if graph.form == "graph_str" else bound.argument.text
    inside = dict.fromkeys(use.name for use in reads if bound.argument.start <= use.start < bound.argument.end)
    nodes = [definitions[read] for read in inside if read in definitions]
    kinds = capped([f"{code(one.name)}: {typed(one.type)}" for one in nodes if one.type], MOST_IN_A_LIST)
    return f"{name}{code(text, _ARGUMENT)}{' with ' + '; '.join(kinds) if kinds else ''}"


def _known_type(snapshot: Snapshot, graph: Graph, node: Node) -> str:
    """The type of a node that the text tells, else what somebody has worked out."""
    told = type_words(snapshot, graph, node)
    if told:
        return told
    for types, ground in snapshot.worked_out(graph):
        if node.index in types:
            return f"{typed(types[node.index])} ({prose(ground)})"
    return ""


def _returned(snapshot: Snapshot, graph: Graph, node: Node) -> str:
    definitions = snapshot.facts[graph.index].definitions
    items = []
    for name in dict.fromkeys(node.reads):
        value = definitions.get(name)
        kind = _known_type(snapshot, graph, value) if value is not None else ""
        where = f" (line {line_of(snapshot, graph, value)})" if value is not None else ""
        role = output_words(graph, name)
        items.append(f"{code(name)}{where}{': ' + kind if kind else ''}{', ' + ' and '.join(role) if role else ''}")
    return bullets(capped(items, MOST_RETURNED)) if items else "Returns no node's value."
