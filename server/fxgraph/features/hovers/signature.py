"""What a signature says of a value: which parameter an input is, which buffer an output is written to, what is known
of a size. The kinds are those of torch/export/graph_signature.py `InputKind` and `OutputKind`.
"""

from __future__ import annotations

import re

from fxgraph.features.markdown import code
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node

_INPUTS = {
    "PARAMETER": "Parameter",
    "BUFFER": "Buffer",
    "CONSTANT_TENSOR": "Constant",
    "CUSTOM_OBJ": "Object",
}
_OUTPUTS = {
    "BUFFER_MUTATION": "the new value of the buffer",
    "PARAMETER_MUTATION": "the new value of the parameter",
    "USER_INPUT_MUTATION": "the new value of the input",
    "GRADIENT_TO_PARAMETER": "the gradient of the parameter",
    "GRADIENT_TO_USER_INPUT": "the gradient of the input",
}
_ALONE = {"LOSS_OUTPUT": "the loss", "USER_OUTPUT": "an output of the user's", "TOKEN": "a token that keeps an order"}
_SYMBOL = re.compile(r"\b[a-z]+\d+\b")


def input_text(graph: Graph, node: Node) -> str | None:
    """Parameter `fc.weight` of the exported module."""
    attributes, kinds = graph.signature.get("inputs_to"), graph.signature.get("input_kinds")
    kind = kinds.get(node.name) if isinstance(kinds, dict) else None
    attribute = attributes.get(node.name) if isinstance(attributes, dict) else None
    if attribute:
        word = _INPUTS.get(str(kind))
        return f"{word or 'Stands for'} {code(str(attribute))} of the exported module."
    if kind == "USER_INPUT":
        return "An input of the user's."
    return "A token that keeps effects in their order." if kind == "TOKEN" else None


def output_words(graph: Graph, name: str) -> list[str]:
    """What becomes of a returned value: "the new value of the buffer `seen`"; empty where nothing says so."""
    words = []
    outputs = graph.signature.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        returned, kind, target = output
        if returned != name:
            continue
        if kind in _OUTPUTS and target:
            words.append(f"{_OUTPUTS[kind]} {code(target)}")
        elif kind in _ALONE:
            words.append(_ALONE[kind])
    return list(dict.fromkeys(words))


def output_text(graph: Graph, node: Node) -> str | None:
    """Returned as the new value of the buffer `seen`."""
    words = output_words(graph, node.name)
    return f"Returned as {' and as '.join(words)}." if words else None


def ranges_text(snapshot: Snapshot, graph: Graph, type_text: str | None) -> str | None:
    """`s17` lies in `[2, 64]`: what the program around the graph says of the symbols of a type."""
    top = graph
    while top.parent is not None:
        top = snapshot.dump.graphs[top.parent]
    ranges = top.signature.get("range_constraints")
    if not type_text or not isinstance(ranges, dict):
        return None
    told = [symbol for symbol in dict.fromkeys(_SYMBOL.findall(type_text)) if symbol in ranges]
    words = [f"{code(symbol)} lies in {code(str(ranges[symbol]).removeprefix('VR'))}" for symbol in told]
    return ", ".join(words) + "." if words else None
