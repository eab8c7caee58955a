"""At which level of the stack a graph stands: torch, aten, prims or edge.

A node belongs to a level by its target alone, or to none. What stands legally beside the operators of a level
(collectives, assertions, sizes, the prims that decompositions leave) belongs to none.
"""

from __future__ import annotations

import builtins
import math
import operator as python_operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fxgraph.analysis.gaps import has_gap
from fxgraph.analysis.picked import Picked
from fxgraph.analysis.signs import sign_of_dynamo
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, PLACEHOLDER, Graph, Node
from fxgraph.ops import catalogue, split_target, without_address
from fxgraph.reading import in_any_place

TORCH = "torch"
ATEN = "aten"
PRIMS = "prims"
EDGE = "edge"
MIXED = "mixed"

# Kinds that are no level of their own: which level they belong to depends on what stands around them.
_SIZE = "aten, at home in torch"  # dynamo puts these beside torch functions
_LEFT = "prims, at home in aten"  # decompositions leave these beside aten
_WRITE = "aten, at home in edge"  # to_executorch writes with these
_MODULE = "module"
_UNSURE = "torch or the user's"  # a table tells no module: `<function relu at 0x7f..>`

_EDGE_PREFIXES = ("executorch.exir.dialects.edge._ops.", "executorch_exir_dialects_edge__ops_")
_ASSERTION = re.compile(r"assert|constrain_range|_constrain_as|^_check")
_PARTITION = re.compile(r"(?:.*\.)?(?:_guards_fn|_run_on_(?:acc|cpu|gpu)_\d+|submod_\d+|fused_\d+|partition_\d+)$")
_LEFT_PRIMS = re.compile(
    r"convert_element_type$|device_put$|fma$|iota$|rev$|inductor_|_low_memory_|_make_token$|_sink_tokens$"
    r"|prepare_softmax_online$|_unsafe_index_put_$"
)
_NEUTRAL_TORCH = re.compile(
    r"torch\.(?:_?sym_|_assert|_check|_constrain_as|(?:set|is)_grad_enabled$|cond$|while_loop$|manual_seed$|device$|Size$"
    r"|compiler\.|ops\.)"
)
_TORCH_MODULES = frozenset(
    {"functional", "nn", "special", "fft", "linalg", "signal", "sparse", "nested", "masked", "Tensor"}
)
_TORCH_C_MODULES = frozenset(
    {"_nn", "_special", "_fft", "_linalg", "_sparse", "_nested", "_VariableFunctions", "TensorBase", "_TensorBase"}
)
_TABLE_TORCH = re.compile(r"<(?:built-in method \w+ of type object at |(?:method|slot wrapper) '\w+' of '[\w.]*Tensor)")
_TABLE_FUNCTION = re.compile(r"<(?:(built-in) )?function (?!_|sym_)(\w+)(?: at 0x[0-9a-f]+)?>$")
_BUILT_IN = frozenset(dir(python_operator)) | frozenset(dir(math)) | frozenset(dir(builtins))


#: Indices of nodes, ascending, by their kind or level.
_Indices = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Level:
    """The level of one graph.

    name    `aten`, `torch`, `prims`, `edge`, `mixed`, or None where no node tells
    nodes   the nodes that belong to a level, by level, in graph order
    reason  one sentence with the counts
    """

    name: str | None
    nodes: Mapping[str, Sequence[Node]]
    reason: str

    @property
    def majority(self) -> str | None:
        """Of a mixed graph the level with the most nodes: those of the others are the ones to look at; else None."""
        if self.name != MIXED:
            return None
        return max(reversed(list(self.nodes)), key=lambda level: len(self.nodes[level]))


def level_of(graph: Graph, path: str | None = None, *, dynamo: bool = False) -> Level:
    """The level of a graph, judged by its own nodes.

    path    the file's name where known: it may be a sign of dynamo
    dynamo  the graph is nested in one that dynamo made: the model's own aten calls may stand in it, too

    Only a whole graph is called mixed: of a fragment the other nodes are not known.
    """
    kinds = _by_kind(graph)
    if _is_loop_body(graph):
        return Level(None, {}, "the body of a loop that inductor generates has no level")
    return _judge(graph, kinds, lambda: dynamo or sign_of_dynamo(graph, path) is not None)


def _by_kind(graph: Graph) -> _Indices:
    kinds: _Indices = {}
    of_target: dict[str, list[int]] = {}  # where the calls of a function go, looked up once for each target
    neutral: list[int] = []
    for index, node in enumerate(in_any_place(graph.nodes)):
        opcode = node.opcode
        if opcode == CALL_FUNCTION:
            target = node.target
            indices = of_target.get(target)
            if indices is None:
                kind = _function_kind(target)
                indices = of_target[target] = neutral if kind is None else kinds.setdefault(kind, [])
            indices.append(index)
        elif opcode == CALL_METHOD:
            kinds.setdefault(TORCH, []).append(index)
        elif opcode == CALL_MODULE and not _PARTITION.match(node.target):
            kinds.setdefault(_MODULE, []).append(index)
    return kinds


def _is_loop_body(graph: Graph) -> bool:
    """The graphs of torch/_inductor/bounds.py take `ops` and call its methods `load`, `store`, `reduction`."""
    return bool(graph.nodes) and graph.nodes[0].opcode == PLACEHOLDER and graph.nodes[0].target == "ops"


@lru_cache(maxsize=8192)
def _function_kind(target: str) -> str | None:
    if target.startswith(_EDGE_PREFIXES):
        return EDGE
    operator = split_target(target)
    if operator is None:
        if _may_be_of_torch(target):
            return _UNSURE
        return TORCH if _is_torch_function(target) else None
    name = operator.packet
    if operator.namespace == ATEN:
        if _ASSERTION.search(name):
            return None
        if operator.overload is None:
            return None if name.startswith("sym_") else TORCH
        if name.startswith("sym_") or name == "scalar_tensor":
            return _SIZE
        return _WRITE if operator.overload.endswith("out") or name == "copy_" else ATEN
    if operator.namespace == PRIMS:
        return _LEFT if _LEFT_PRIMS.match(name) else PRIMS
    return None


def _may_be_of_torch(target: str) -> bool:
    """A function as tables print it that is none of Python's own: one of torch, or one of the program."""
    found = _TABLE_FUNCTION.match(target)
    return found is not None and not (found[1] and found[2] in _BUILT_IN)


def _is_torch_function(target: str) -> bool:
    if target.startswith("<"):
        return _TABLE_TORCH.match(target) is not None
    parts = target.split(".")
    if parts[0] != TORCH or len(parts) < 2 or _NEUTRAL_TORCH.match(target):
        return False
    if len(parts) == 2:
        return True
    return parts[1] in _TORCH_MODULES or (parts[1] == "_C" and parts[2] in _TORCH_C_MODULES)


def _judge(graph: Graph, kinds: _Indices, made_by_dynamo: Callable[[], bool]) -> Level:
    """Put the kinds together: first torch against operators, then the operators among themselves."""
    unsure = kinds.pop(_UNSURE, None)
    if unsure is None:
        return _judge_known(graph, kinds, made_by_dynamo)
    known = _judge_known(graph, kinds, made_by_dynamo)
    torch_nodes = {TORCH: _merged(kinds.get(TORCH, []), unsure)}
    otherwise = _judge_known(graph, kinds | torch_nodes, made_by_dynamo)
    if (known.name, known.majority) == (otherwise.name, otherwise.majority):
        return known
    what = "torch's or the program's: a table does not tell"
    many = f"{_many(len(unsure), 'function')}, {without_address(graph.nodes[unsure[0]].target)} say, may be {what}"
    return Level(None, known.nodes, f"{known.reason}; {many}" if known.nodes else many)


def _judge_known(graph: Graph, kinds: _Indices, made_by_dynamo: Callable[[], bool]) -> Level:
    """The level where each node's kind is known."""
    operators, notes = _operator_levels(graph, kinds)
    count = sum(map(len, operators.values()))
    torch_nodes = kinds.get(TORCH, [])
    modules = kinds.get(_MODULE, [])
    if modules and len(torch_nodes) < count:  # unflattened or partitioned: each module holds a graph of its own
        notes.append(f"{_many(len(modules), 'call')} of modules beside them")
    elif modules:
        torch_nodes = _merged(torch_nodes, modules)
    levels = dict(operators)
    if torch_nodes:
        if _SIZE in kinds and len(torch_nodes) > count:
            levels = _without(levels, kinds[_SIZE])
            count = sum(map(len, levels.values()))
        levels[TORCH] = torch_nodes
    if not levels:
        return Level(None, {}, "no node of it belongs to a level")
    dynamo = TORCH in levels and len(levels) > 1 and made_by_dynamo()
    whole = len(levels) > 1 and graph.is_whole and not has_gap(graph)
    name = _name(graph, levels, count, dynamo, whole)
    nodes = {level: Picked(graph.nodes, indices) for level, indices in levels.items()}
    return Level(name, nodes, _reason(name, levels, notes, dynamo))


def _without(levels: _Indices, others: list[int]) -> _Indices:
    left_out = set(others)
    kept = {level: [index for index in of if index not in left_out] for level, of in levels.items()}
    return {level: of for level, of in kept.items() if of}


def _operator_levels(graph: Graph, kinds: _Indices) -> tuple[_Indices, list[str]]:
    """The operators by level, with what is neutral beside them left out, and a note of what that is."""
    aten = _merged(kinds.get(ATEN, []), kinds.get(_SIZE, []))
    writes = kinds.get(_WRITE, [])
    edge = kinds.get(EDGE, [])
    prims = kinds.get(PRIMS, [])
    left = kinds.get(_LEFT, [])
    notes: list[str] = []
    if edge and writes:
        notes.append(f"{_many(len(writes), 'aten operator')} that write beside them")
    else:
        aten = _merged(aten, writes)
    if len(aten) > len(prims) and left:
        notes.append(f"{len(left)} prims that decompositions leave beside them")
    elif left and (prims or not aten):
        prims = _merged(prims, left)
    if aten and len(prims) >= len(aten):
        offered = [index for index in aten if _has_prim(graph.nodes[index].target)]
        if len(offered) < len(aten):
            notes.append(f"{_many(len(aten) - len(offered), 'aten operator')} without a prim beside them")
        aten = offered
    levels = {ATEN: aten, PRIMS: prims, EDGE: edge}
    return {level: indices for level, indices in levels.items() if indices}, notes


def _merged(some: list[int], others: list[int]) -> list[int]:
    """Both, in graph order."""
    return sorted(some + others) if some and others else some or others


@lru_cache(maxsize=8192)
def _has_prim(target: str) -> bool:
    operator = split_target(target)
    return operator is not None and catalogue().packet(f"prims.{operator.packet}") is not None


def _name(graph: Graph, levels: _Indices, operators: int, dynamo: bool, whole: bool) -> str:
    torch_count = len(levels.get(TORCH, ()))
    if torch_count and operators:
        if dynamo:
            return TORCH
        if whole and operators * 10 >= torch_count + operators:
            return MIXED
        if torch_count >= operators:
            return TORCH
    elif torch_count:
        return TORCH
    if EDGE in levels:
        return EDGE
    if PRIMS in levels and ATEN in levels:
        if whole and any(_has_prim(graph.nodes[index].target) for index in levels[ATEN]):
            return MIXED
        return max(levels, key=lambda level: len(levels[level]))
    return next(level for level in levels if level != TORCH)


_WORDS = {TORCH: "torch call", ATEN: "aten operator", PRIMS: "prim", EDGE: "edge operator"}


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _reason(name: str, levels: _Indices, notes: list[str], dynamo: bool) -> str:
    counts = Counter({level: len(indices) for level, indices in levels.items()})
    parts = [_many(count, _WORDS[level]) for level, count in counts.most_common()]
    text = " and ".join(parts) if len(parts) < 3 else ", ".join(parts)
    if name == TORCH and dynamo and len(levels) > 1:
        notes = ["dynamo keeps the operators that a model calls itself", *notes]
    return "; ".join([text, *notes])
