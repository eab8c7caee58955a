"""What a graph is made of: how often each opcode and each target stands in it, and how many bytes their values take."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from fxgraph.features.amounts import bytes_of
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, OPCODES, OUTPUT, Graph
from fxgraph.ops import without_address

_CALLS = frozenset({CALL_FUNCTION, CALL_METHOD, CALL_MODULE})


class TargetCount(NamedTuple):
    """A target that is called `calls` times. `sized` of those calls have a type with a known size, `bytes` together."""

    opcode: str
    target: str
    calls: int
    sized: int
    bytes: int


def opcode_counts(graph: Graph) -> list[tuple[str, int]]:
    """Number of nodes by opcode, in torch's order of the six; opcodes without nodes are left out."""
    counts = Counter(node.opcode for node in graph.nodes)
    return [(opcode, counts[opcode]) for opcode in OPCODES if counts[opcode]]


def target_counts(graph: Graph) -> list[TargetCount]:
    """All targets that are called, the most frequent first, equal ones in the order of the graph."""
    counts: dict[tuple[str, str], list[int]] = {}
    for node in graph.nodes:
        if node.opcode not in _CALLS:
            continue
        entry = counts.setdefault((node.opcode, node.target), [0, 0, 0])
        entry[0] += 1
        size = bytes_of(node.type)
        if size is not None:
            entry[1] += 1
            entry[2] += size
    found = [TargetCount(opcode, target, *entry) for (opcode, target), entry in counts.items()]
    return sorted(found, key=lambda item: -item.calls)


def returned_names(graph: Graph) -> list[str]:
    """Names of the nodes that the output returns, each once, in order."""
    output = next((node for node in reversed(graph.nodes) if node.opcode == OUTPUT), None)
    return list(dict.fromkeys(output.reads)) if output else []


def short_target(target: str) -> str:
    """A target as people say it: without `torch.ops.` and without addresses."""
    return without_address(target).removeprefix("torch.ops.")
