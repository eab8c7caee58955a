"""What an input of a graph that AOTAutograd made is in the program: `primals_7` is `L_x_`, `fc.weight`, argument 6.

Said only where the text proves it: by a signature, by the comment `PlainAOTInput(idx=N)`, or by dynamo's graph of the
same compilation whose inputs are as many and of the same types.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.symbols import graph_title
from fxgraph.graph import PLACEHOLDER, Graph, Node
from fxgraph.reading import tensor_type
from fxgraph.reading.signature import forward_of

#: torch/_functorch/_aot_autograd/descriptors.py `PlainAOTInput`: the place among the flat inputs.
_PLAIN = re.compile(r"^[ \t]*(\w+): \"[^\"\n]*\",?[ \t]*# PlainAOTInput\(idx=(\d{1,9})\)[ \t]*$", re.MULTILINE)
#: The names that AOTAutograd's partitioner sorts inputs by (torch/_functorch/partitioners.py `_is_primal`).
_PRIMAL = re.compile(r"(?:primals_([1-9]\d{0,8})|arg(\d{1,9})_1)")


class Origin(NamedTuple):
    """What an input is, and by what it is known, in words."""

    name: str
    ground: str


def origins(snapshot: Snapshot, graph: Graph) -> dict[str, Origin]:
    """By name of an input: what it is in the program. Inputs of which nothing is proven are left out."""
    inputs = inputs_of(graph)
    found = _by_dynamo(snapshot, graph, inputs)
    names = {node.name for node in inputs}
    first = next((node.begin for node in graph.nodes if node.opcode != PLACEHOLDER), graph.end)
    told = {name: int(place) for name, place in _PLAIN.findall(graph.page.text, graph.begin, first) if name in names}
    if any(_place(name) != place for name, place in told.items() if name in found):
        found = {}  # the inputs are not in the order of the program
    for name, place in told.items():
        found.setdefault(name, Origin(f"input {place}", "PlainAOTInput, counted from 0"))
    attributes = graph.signature.get("inputs_to")
    if isinstance(attributes, dict):
        found.update({name: Origin(str(target), "the graph's signature") for name, target in attributes.items()})
    return found


def inputs_of(graph: Graph) -> list[Node]:
    """The inputs of a graph, in its order."""
    return [node for node in graph.nodes if node.opcode == PLACEHOLDER]


def _by_dynamo(snapshot: Snapshot, graph: Graph, inputs: list[Node]) -> dict[str, Origin]:
    """By dynamo's graph of the compilation; a backward graph's inputs by those of its forward graph."""
    stage = snapshot.facts[graph.index].stage
    if graph.compile_id is None or graph.parent is not None or stage is None:
        return {}
    compiled = _compilations(snapshot)[graph.compilation]
    if stage.name == "aot_backward":
        forward = forward_of(compiled, graph)
        known = {} if forward is None else _by_dynamo(snapshot, forward, inputs_of(forward))
        return {node.name: known[node.name] for node in inputs if node.name in known}
    if stage.name not in ("aot_forward", "aot_inference", "aot_joint"):
        return {}
    primals = [node for node in inputs if _PRIMAL.fullmatch(node.name)]
    places = [_place(node.name) for node in primals]
    if not primals or places != list(range(len(primals))):
        return {}
    agreeing = [
        dynamo
        for dynamo in compiled
        if dynamo.index < graph.index  # what stands below is a later compilation under the same id
        and _is_of_dynamo(snapshot, dynamo)
        and len(program := inputs_of(dynamo)) == len(primals)
        and all(map(_same_type, program, primals))
    ]
    if len({tuple(node.target for node in inputs_of(dynamo)) for dynamo in agreeing}) != 1:
        return {}
    dynamo = agreeing[0]
    program = inputs_of(dynamo)
    ground = f"{graph_title(dynamo)}: as many inputs, of the same types"
    return {node.name: Origin(source.target, ground) for node, source in zip(primals, program, strict=True)}


def _place(name: str) -> int:
    """The place among the inputs that a name tells, from 0; -1 where it is no name of that kind."""
    match = _PRIMAL.fullmatch(name)
    if match is None:
        return -1
    return int(match[1]) - 1 if match[1] else int(match[2])


def _is_of_dynamo(snapshot: Snapshot, graph: Graph) -> bool:
    stage = snapshot.facts[graph.index].stage
    return stage is not None and stage.name == "dynamo"


_Compilations = dict[tuple[int | None, str | None, str | None], list[Graph]]
_known: WeakKeyDictionary[Snapshot, _Compilations] = WeakKeyDictionary()


def _compilations(snapshot: Snapshot) -> _Compilations:
    """The graphs by rank and compile id, nested ones left out."""
    found = _known.get(snapshot)
    if found is None:
        found = _known[snapshot] = {}
        for graph in snapshot.dump.graphs:
            if graph.parent is None:
                found.setdefault(graph.compilation, []).append(graph)
    return found


def _same_type(one: Node, other: Node) -> bool:
    """Whether both types are printed and equal; strides and devices count where both print them."""
    if one.type is None or other.type is None:
        return False
    left, right = tensor_type(one.type), tensor_type(other.type)
    if left is None or right is None:
        return one.type == other.type
    return (left.dtype, left.shape) == (right.dtype, right.shape) and all(
        a is None or b is None or a == b for a, b in ((left.stride, right.stride), (left.device, right.device))
    )
