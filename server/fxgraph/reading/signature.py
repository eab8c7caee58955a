"""What stands beside a graph about its inputs and outputs: the signature of an exported program, values saved for the
backward, the mapping above a kernel's fragment.

The keys of `Graph.signature`, as far as the text tells them:

    inputs_to           input name -> attribute (parameters, buffers, constants)
    input_kinds         input name -> `PARAMETER`, `USER_INPUT`, ... (torch/export/graph_signature.py `InputKind`)
    user_inputs         names
    buffers_to_mutate   output name -> buffer
    output_kinds        output name -> `USER_OUTPUT`, `BUFFER_MUTATION`, ... (`OutputKind`)
    user_outputs        names
    outputs             [name, kind, target or None] of each, in their order; None for the name of a constant
    range_constraints   symbol -> text (`VR[2, 64]`)
    saved_for_backward  names a forward graph returns for its backward graph
    source_nodes        name in the program -> names of its ATen nodes
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph

_SIGNATURE = re.compile(r"^[ \t]*Graph signature:", re.MULTILINE)
_CONSTRAINTS = re.compile(r"^[ \t]*Range constraints: \{(.*)\}[ \t]*$", re.MULTILINE)
#: 2.7 and later: `p_fc_weight: PARAMETER target='fc.weight'`. A constant that is returned has no name.
_LINE = re.compile(r"^[ \t]*(\w*): ([A-Z_]+)(?: target='([^'\n]*)')?", re.MULTILINE)
_SECTION = re.compile(r"^[ \t]*# (inputs|outputs)[ \t]*$", re.MULTILINE)
#: Before: `InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p'), target='fc.weight', ...)`. A constant
#: is `ConstantArgument(name='', value=3)`; torch 2.2 says `ConstantArgument(value=3)`, also of a node: `(value=f3)`.
_SPEC = re.compile(
    r"(Input|Output)Spec\(kind=<(?:Input|Output)Kind\.(\w+): \d+>, "
    r"arg=\w+\((?:name='([^']*)'|value=([A-Za-z_]\w*)(?=\)))?.{0,500}?\), target=(?:'([^']*)'|None)"
)
#: `VR[2, 64]`, `VR[2, int_oo]`; torch 2.2 writes `ValueRanges(lower=2, upper=5, is_bool=False)`.
_RANGE = re.compile(r"(\w+): (\w+\[[^\]]*\]|ValueRanges\([^)]*\))")
_MAPPING = re.compile(r"^[ \t]*(?:(?:#|//)[ \t]+)?([\w.]+) => (\w(?:[\w, ]*\w)?)[ \t]*$", re.MULTILINE)


def add_export_signature(graph: Graph, limit: int) -> None:
    """Reads the signature and the range constraints that stand below the graph, before `limit` (a page offset)."""
    text = graph.page.text
    start = _SIGNATURE.search(text, graph.end, limit)
    if start is None:
        return
    told: list[tuple[bool, str, str, str | None]] = []
    constraints = _CONSTRAINTS.search(text, start.end(), limit)
    end = constraints.start() if constraints else limit
    line_end = text.find("\n", start.end(), end)
    if "ExportGraphSignature(" in text[start.end() : line_end if line_end >= 0 else end]:
        specs = _SPEC.findall(text, start.end(), end)
        nodes = {node.name for node in graph.nodes}
        told = [
            (side == "Input", name or (value if value in nodes else ""), kind, target or None)
            for side, kind, name, value, target in specs
        ]
    else:
        outputs = next((m.start() for m in _SECTION.finditer(text, start.end(), end) if m[1] == "outputs"), end)
        for match in _LINE.finditer(text, start.end(), end):
            told.append((match.start() < outputs, match[1], match[2], match[3]))
    if told:
        names = _names_of_inputs(graph)
        told = [(first, names.get(name, name) if first else name, kind, to) for first, name, kind, to in told]
        graph.signature.update(_by_kind(told))
    if constraints and constraints[1]:
        graph.signature["range_constraints"] = dict(_RANGE.findall(constraints[1]))


def _names_of_inputs(graph: Graph) -> dict[str, str]:
    """From the name of a parameter to its node's: an input called `input` is the node `input_1`."""
    return {node.target: node.name for node in graph.nodes if node.opcode == PLACEHOLDER}


def _by_kind(told: list[tuple[bool, str, str, str | None]]) -> dict[str, object]:
    inputs = [(name, kind, target) for is_input, name, kind, target in told if is_input and name]
    outputs = [(name, kind, target) for is_input, name, kind, target in told if not is_input]
    named = [(name, kind, target) for name, kind, target in outputs if name]
    return {
        "inputs_to": {name: target for name, _, target in inputs if target is not None},
        "input_kinds": {name: kind for name, kind, _ in inputs},
        "user_inputs": [name for name, kind, _ in inputs if kind == "USER_INPUT"],
        "buffers_to_mutate": {name: target for name, kind, target in named if kind == "BUFFER_MUTATION"},
        "output_kinds": {name: kind for name, kind, _ in named},
        "user_outputs": [name for name, kind, _ in named if kind == "USER_OUTPUT"],
        "outputs": [[name or None, kind, target] for name, kind, target in outputs],
    }


def add_source_mapping(graph: Graph, text: str, start: int, end: int) -> None:
    """Reads `#   linear_2 => add_tensor_2` from the comment lines [start, end) above a fragment."""
    mapping = {name: nodes.split(", ") for name, nodes in _MAPPING.findall(text, start, end)}
    if mapping:
        graph.signature["source_nodes"] = mapping


def add_saved_values(graphs: list[Graph]) -> None:
    """Tells each forward graph which of its returned values its backward graph reads."""
    for forward, backward in _pairs(graphs):
        if not forward.nodes or forward.nodes[-1].opcode != OUTPUT:
            continue
        inputs = {node.name for node in backward.nodes if node.opcode == PLACEHOLDER}
        saved = [name for name in dict.fromkeys(forward.nodes[-1].reads) if name in inputs]
        if saved:
            forward.signature["saved_for_backward"] = saved


def forward_of(graphs: list[Graph], graph: Graph) -> Graph | None:
    """The forward graph of a backward graph, or None."""
    return next((forward for forward, backward in _pairs(graphs) if backward is graph), None)


def _pairs(graphs: list[Graph]) -> Iterator[tuple[Graph, Graph]]:
    """Forward and backward graphs that belong together: of one compilation, with titles that differ in that one word.

    A log that was appended to tells both several times: each backward goes with the nearest forward above it.
    """
    latest: dict[object, Graph] = {}
    for graph in graphs:
        if key := _pair_key(graph, "forward"):
            latest[key] = graph
        elif (key := _pair_key(graph, "backward")) and (forward := latest.pop(key, None)) is not None:
            yield forward, graph


def _pair_key(graph: Graph, word: str) -> tuple[int | None, str | None, str | None, str] | None:
    if graph.title is None or graph.parent is not None or word not in graph.title.lower():
        return None
    return *graph.compilation, graph.title.lower().replace(word, "")
