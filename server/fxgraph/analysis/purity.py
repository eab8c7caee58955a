"""Whether leaving a node out could be noticed, told by its opcode and target.

A node is known to be pure where this module says None; anything else is a phrase that completes "it ...": what the
node does besides making a value, or that nobody here knows. torch's own `Node.is_impure` (torch/fx/node.py) is no
guide: it calls every method, every `relu_` and every `batch_norm` pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from fxgraph.analysis import pure_names
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, OUTPUT, PLACEHOLDER, Graph, Node
from fxgraph.ops import Overload, Target, catalogue, split_target
from fxgraph.reading import arguments

WRITES = "writes in place"
RANDOM = "draws random numbers"
CHECKS = "checks a condition at run time"
COLLECTIVE = "talks to other processes"
MODE = "switches a mode of torch"
STATISTICS = "updates running statistics when it trains"
VALUE = "takes a value out of a tensor, which can fail or make a new size"
PRINTS = "prints"
NOTHING = "returns nothing, so it is there for an effect"
GRAPHS = "runs graphs of its own, whose effects are not known here"
CUSTOM = "is a custom operator, whose effects are not known here"
UNKNOWN_OPERATOR = "is an operator that fxgraph does not know"
FUNCTION = "calls a function that is not known to be pure"
METHOD = "calls a method that is not known to be pure"
MODULE = "calls a module, whose code is not known here"
OUT = "writes to its argument `out`"

#: Schemas of these namespaces tell what an operator writes; of others they may tell less than the truth.
_TRUSTED = frozenset({"aten", "prims", "quantized_decomposed"})
_COLLECTIVES = frozenset(
    {"_c10d_functional", "c10d_functional", "_c10d_functional_autograd", "c10d", "_dtensor", "symm_mem"}
)
_CHECK = re.compile(r"assert|constrain_range|check_errors|^_validate_")
_OVERLOAD = re.compile(r"torch\.ops\.\w+\.\w+\.\w+$")
_TABLE_FUNCTION = re.compile(r"<built-in function (\w+)>$")
_TABLE_TORCH = re.compile(r"<built-in method (\w+) of type object at ")
_TABLE_METHOD = re.compile(r"<(?:method|slot wrapper) '(\w+)' of '[\w.]*Tensor\w*' objects>$")


def effect_of(graph: Graph, node: Node) -> str | None:
    """What a node does besides making a value, as a phrase after "it"; None where it is known to be pure."""
    opcode = node.opcode
    if opcode == CALL_FUNCTION:
        effect = function_effect(node.target)
        if effect is None and _may_take_out(node.target):
            return _argument_effect(graph, node)
        return effect
    if opcode == CALL_METHOD:
        return method_effect(node.target)
    if opcode == CALL_MODULE:
        return "checks the inputs" if node.target == "_guards_fn" else MODULE
    return _OF_OPCODE.get(opcode)


_OF_OPCODE = {PLACEHOLDER: "is an input of the graph", OUTPUT: "is what the graph returns"}


@lru_cache(maxsize=8192)
def _may_take_out(target: str) -> bool:
    """Functions of torch and packets take `out`; an overload that takes it is one of its own (`mm.out`)."""
    return (
        not target.startswith(("operator.", "math.", "builtins.", "<built-in function"))
        and _OVERLOAD.match(target) is None
    )


def _argument_effect(graph: Graph, node: Node) -> str | None:
    """What a torch function does because of the arguments it is given: `out=`, `inplace=True`."""
    given = arguments(graph, node)
    for name, argument in given.keyword:
        if name == "out" and argument.text != "None":
            return OUT
        if name == "inplace" and argument.text != "False":
            return WRITES
    if pure_names.may_be_in_place(node.target) and any(argument.text == "True" for argument in given.positional):
        return WRITES
    return None


@lru_cache(maxsize=8192)
def method_effect(name: str) -> str | None:
    """The effect of `x.name(...)` where x is a tensor or a number. A trailing `_` writes: torch's own convention."""
    if _writes_by_name(name):
        return WRITES
    if name in pure_names.METHODS:
        return None
    if name in pure_names.VALUE_METHODS:
        return VALUE
    return RANDOM if name in pure_names.RANDOM else METHOD


def _writes_by_name(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


@lru_cache(maxsize=8192)
def function_effect(target: str) -> str | None:
    """The effect of a `call_function` on this target, as print(graph) or a table spells it."""
    if target.startswith("<"):
        return _table_effect(target)
    operator = split_target(target)
    if operator is not None:
        return _operator_effect(operator)
    return _python_effect(target)


def _table_effect(target: str) -> str | None:
    """Tables print `str(callable)`, which leaves out the module: every function of that name has to be pure."""
    if found := _TABLE_FUNCTION.match(target):
        return None if found[1] in pure_names.BUILT_IN else FUNCTION
    if found := _TABLE_TORCH.match(target):
        return _python_effect(f"torch.{found[1]}")
    if found := _TABLE_METHOD.match(target):
        return method_effect(found[1])
    return FUNCTION


def _python_effect(target: str) -> str | None:
    if target in pure_names.FUNCTIONS:
        return None
    module, _, name = target.rpartition(".")
    if module in ("torch.Tensor", "torch._C.TensorBase", "torch._C._TensorBase"):
        return method_effect(name)
    if target.startswith("torch."):
        if _writes_by_name(name):
            return WRITES
        if name.startswith(("_assert", "_check", "_constrain")):
            return CHECKS
        if name in pure_names.RANDOM:
            return RANDOM
        if name in pure_names.STATISTICS:
            return STATISTICS
        if name.endswith(("set_grad_enabled", "_enter_autocast", "_exit_autocast")):
            return MODE
    if target in pure_names.WRITING_OPERATORS:
        return WRITES
    return PRINTS if target == "builtins.print" else FUNCTION


def _operator_effect(target: Target) -> str | None:
    if target.namespace == "higher_order":
        return None if target.packet in pure_names.HIGHER_ORDER else GRAPHS
    if target.namespace in _COLLECTIVES:
        return COLLECTIVE
    qualified = f"{target.namespace}.{target.packet}"
    if target.namespace not in _TRUSTED:
        return CUSTOM if catalogue().packet(qualified) is None else UNKNOWN_OPERATOR
    if target.overload is not None:
        overload = catalogue().overload(f"{qualified}.{target.overload}")
        return UNKNOWN_OPERATOR if overload is None else overload_effect(target.packet, overload)
    packet = catalogue().packet(qualified)
    if packet is None:
        return UNKNOWN_OPERATOR
    effects = [overload_effect(target.packet, o) for o in packet.overloads.values() if _can_be_meant(o)]
    return next((effect for effect in effects if effect is not None), None)


def _can_be_meant(overload: Overload) -> bool:
    """Whether a call of the packet without `out` can end here; TorchScript has overloads of its own."""
    return not overload.is_script_only and not any(a.kwarg_only and a.writes for a in overload.arguments)


def overload_effect(name: str, overload: Overload) -> str | None:
    """The effect of an operator overload of aten, prims or quantized_decomposed; `name` is its packet's bare name."""
    written = [argument.name for argument in overload.arguments if argument.writes]
    if written:
        return f"writes to its argument{'s' if len(written) > 1 else ''} {', '.join(f'`{w}`' for w in written)}"
    if _writes_by_name(name) or overload.is_mutable:
        return WRITES
    if "nondeterministic_seeded" in overload.tags or name in pure_names.RANDOM:
        return RANDOM
    if name in pure_names.STATISTICS:
        return STATISTICS
    if _CHECK.search(name):
        return CHECKS
    if name in pure_names.WRITES_UNMARKED:
        return "writes to an argument, though its schema does not say so"
    return _result_effect(name, overload)


def _result_effect(name: str, overload: Overload) -> str | None:
    if not overload.returns:
        return PRINTS if name in ("_print", "warn") else NOTHING
    if any("Tensor" in returned.type for returned in overload.returns):
        return None
    if name in pure_names.QUERIES:
        return None
    return VALUE
