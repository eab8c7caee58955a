"""What is wrong with a header line `# fxgraph: inputs=x:f32[2,3]`, in words for whoever wrote it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from fxgraph.graph import GET_ATTR, PLACEHOLDER, Dump, Graph
from fxgraph.reading import tensor_type
from fxgraph.reading.scan import elements
from fxgraph.reading.tensor_type import ITEM_SIZE
from fxgraph.torchhost.inputs import ABBREVIATIONS, NAMED, header_inputs
from fxgraph.torchhost.plain import is_same_type, plain_type

_SYM = re.compile(r"Sym\(.+\)\Z", re.DOTALL)
_DTYPE = re.compile(r"(?:torch\.)?([A-Za-z_]\w*)\[")
_PAIRS = {")": "(", "]": "["}
_MOST = 10
_LONGEST = 60


def header_problems(dump: Dump, graph: Graph) -> list[str]:
    """One line each for what cannot be taken as it stands, and for types that the graph prints otherwise."""
    text = dump.header.get("inputs", "")
    if not text:
        return []
    if not _is_closed(text):
        return [f"inputs={_short(text)}: a bracket is not closed, or a blank stands inside: inputs=x:f32[2,3] has none"]
    found: list[str] = []
    seen: Counter[str] = Counter()
    known = _names(dump)
    for start, end in elements(text, 0, len(text)):
        piece = text[start:end]
        match = NAMED.fullmatch(piece)
        if match is None:
            found.append(f"inputs: {_short(piece)!r} is no NAME:TYPE")
            continue
        name, kind = match[1], match[2]
        seen[name] += 1
        if seen[name] == 2:
            found.append(f"inputs: {_short(name)} stands there twice, the last one counts")
        wrong = _wrong_type(kind)
        if wrong is not None:
            found.append(f"inputs: {_short(name)}: {wrong}")
        elif name not in known:
            found.append(f"inputs: no graph of this text has an input {_short(name)}")
    return [*found[:_MOST], *_contradictions(graph, header_inputs(text))]


def _contradictions(graph: Graph, told: Mapping[str, str]) -> list[str]:
    """Inputs with a type beside them that is not the one of the line: the one beside them counts."""
    found = []
    for node in graph.nodes:
        kind = told.get(node.name) or told.get(node.target)
        if kind is None or node.opcode not in (PLACEHOLDER, GET_ATTR):
            continue
        printed, other = plain_type(node.type), plain_type(kind)
        if printed is not None and other is not None and not is_same_type(printed, other):
            found.append(
                f"inputs: {_short(node.name)} is printed as {_short(node.type or '')}, "
                f"which counts: {_short(kind)} is not taken"
            )
    return found[:_MOST]


def rests_on(graph: Graph, told: Mapping[str, str]) -> bool:
    """Whether the graph has an input whose type only the line tells."""
    return any(
        node.opcode in (PLACEHOLDER, GET_ATTR)
        and plain_type(node.type) is None
        and (node.name in told or node.target in told)
        for node in graph.nodes
    )


def _names(dump: Dump) -> set[str]:
    inputs = [node for graph in dump.graphs for node in graph.nodes if node.opcode in (PLACEHOLDER, GET_ATTR)]
    return {name for node in inputs for name in (node.name, node.target)}


def _wrong_type(text: str) -> str | None:
    if _SYM.match(text):
        return None
    tensor = tensor_type(text)
    if tensor is not None and tensor.wrapper is None and tensor.dtype in ITEM_SIZE:
        return None
    word = _DTYPE.match(text)
    if word is None:
        return f"{_short(text)!r} is no printed type such as f32[2,3]cuda:0 or Sym(s0)"
    if word[1] in ABBREVIATIONS:
        return f"no dtype {word[1]} in a printed type: {ABBREVIATIONS[word[1]]} is meant"
    if word[1] in ITEM_SIZE:
        return f"{_short(text)!r} is no printed type such as f32[2,3]cuda:0 or Sym(s0)"
    return f"no dtype {_short(word[1])} is known"


def _is_closed(text: str) -> bool:
    """Whether each bracket has its other one."""
    opened: list[str] = []
    for sign in text:
        if sign in "([":
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return False
    return not opened


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
