"""What a dump may call. A target is looked up here by its name; what is not here is not called, whatever torch has."""

from __future__ import annotations

import contextlib
import importlib
import math
import operator
from typing import Any, Callable

import torch

from fxgraph_host import operators
from fxgraph_host.bounded import bounded
from fxgraph_host.torch_names import FUNCTIONS, METHODS

#: Attributes of tensors that `getattr` may take.
ATTRIBUTES = frozenset(
    "shape dtype device layout ndim T mT H mH real imag requires_grad is_cuda is_cpu is_sparse is_quantized itemsize "
    "nbytes data is_leaf is_nested is_mkldnn is_meta".split()
)

_OPERATOR = frozenset(
    "abs add and_ concat eq floordiv ge getitem gt iadd iand iconcat ifloordiv ilshift imatmul imod imul index inv "
    "invert ior ipow irshift is_ is_not isub itruediv ixor le lshift lt matmul mod mul ne neg not_ or_ pos pow rshift "
    "setitem sub truediv truth xor".split()
)
_MATH = frozenset(
    "acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees exp expm1 fabs floor fmod gcd hypot isclose "
    "isfinite isinf isnan isqrt lcm ldexp log log10 log1p log2 pow prod radians remainder sin sinh sqrt tan tanh "
    "trunc".split()
)
_BUILTINS: dict[str, Callable[..., Any]] = {
    "abs": abs, "bool": bool, "float": float, "int": int, "len": len, "list": list, "max": max, "min": min,
    "pow": pow, "round": round, "slice": slice, "sum": sum, "tuple": tuple,
}  # fmt: skip
#: These call graphs, or do bookkeeping around an operator.
_HIGHER_ORDER = frozenset(
    "associative_scan auto_functionalized auto_functionalized_v2 autograd_function_apply checkpoint cond dynamic_cond "
    "flex_attention flex_attention_backward foreach_map hints_wrapper invoke_subgraph map map_impl out_dtype "
    "run_and_save_rng_state run_with_rng_state scan strict_mode tag_activation_checkpoint while_loop "
    "while_loop_stack_output with_effects wrap wrap_activation_checkpoint wrap_with_autocast "
    "wrap_with_set_grad_enabled".split()
)
#: What pre-dispatch export leaves of vmap.
_VMAP = frozenset(
    "_add_batch_dim _remove_batch_dim _vmap_decrement_nesting _vmap_increment_nesting lazy_load_decompositions".split()
)
#: Operators that reach beyond their arguments.
_REFUSED_OPERATORS = frozenset({"aten.from_file", "aten._print", "debugprims.load_tensor", "debugprims.delete_tensor"})
_REFUSED_NAMESPACES = frozenset({"c10d", "rpc", "prim", "profiler", "static_runtime", "prepacked", "image", "video"})
#: torch's own modules that register the operators of a namespace when they are imported. The names are ours.
_REGISTERING = {
    "prims": ("torch._inductor.inductor_prims",),
    "inductor": ("torch._inductor.lowering",),
    "quantized_decomposed": ("torch.ao.quantization.fx._decomposed",),
    "_c10d_functional": ("torch.distributed._functional_collectives",),
    "rngprims": ("torch._prims.rng_prims",),
    "higher_order": (
        "torch._higher_order_ops",
        "torch._higher_order_ops.map",
        "torch._higher_order_ops.scan",
        "torch._higher_order_ops.while_loop",
        "torch._higher_order_ops.cond",
        "torch._higher_order_ops.wrap",
        "torch._higher_order_ops.effects",
        "torch._higher_order_ops.flex_attention",
        "torch._higher_order_ops.associative_scan",
        "torch._higher_order_ops.auto_functionalize",
        "torch._higher_order_ops.invoke_subgraph",
        "torch._higher_order_ops.strict_mode",
        "torch._higher_order_ops.out_dtype",
    ),
}
_autocasts: list[Any] = []
_levels: list[Callable[[], Any]] = []
_imported: set[str] = set()
_found: dict[str, Any] = {}


class NotAllowedError(Exception):
    """A target that is not called; the message says why."""


def function(target: str) -> Any:
    """What a `call_function` target names. Raises NotAllowedError."""
    found = _found.get(target)
    if found is None:
        found = _found[target] = _function(target)
    if isinstance(found, NotAllowedError):
        raise found
    return found


def _function(target: str) -> Any:
    module, _, name = target.rpartition(".")
    if target.startswith("torch.ops."):
        return _operator(target[len("torch.ops.") :])
    if module in ("operator", "_operator") and name in _OPERATOR:
        return bounded(name, getattr(operator, name))
    if module == "math" and name in _MATH:
        return bounded(f"math.{name}" if name == "pow" else name, getattr(math, name))
    if target == "builtins.getattr":
        return attribute
    if module in ("", "builtins") and name in _BUILTINS:
        return bounded(name, _BUILTINS[name])
    if target in FUNCTIONS:
        return _walk(target)
    if module in ("torch.Tensor", "torch._C.TensorBase", "torch._C._TensorBase") and name in METHODS:
        return getattr(torch.Tensor, name, None) or NotAllowedError(f"this torch has no {target}")
    if module in ("torch._functorch.predispatch", "torch._functorch.vmap", "torch._C._functorch") and name in _VMAP:
        found = getattr(importlib.import_module(module), name, None)
        return _counting(name, found) if found is not None else NotAllowedError(f"this torch has no {target}")
    if target in _AUTOCAST:
        return _AUTOCAST[target]
    if target == "torch._C._set_grad_enabled":
        return bool  # no gradients are computed here: nothing to switch
    return NotAllowedError(f"{target[:100]} is not among the functions that are called")


def _walk(target: str) -> Any:
    found: Any = torch
    for part in target.split(".")[1:]:
        found = getattr(found, part, None)
    return found if callable(found) else NotAllowedError(f"this torch has no {target}")


def _operator(name: str) -> Any:
    namespace, _, rest = name.partition(".")
    packet_name, _, overload_name = rest.partition(".")
    if namespace in _REFUSED_NAMESPACES or f"{namespace}.{packet_name}" in _REFUSED_OPERATORS:
        return NotAllowedError(f"{name} reaches beyond its arguments and is not called")
    found = _registered(namespace, packet_name, overload_name)
    if found is None and namespace in _REGISTERING and namespace not in _imported:
        _imported.add(namespace)
        for module in _REGISTERING[namespace]:
            with contextlib.suppress(Exception):  # another release has it elsewhere
                importlib.import_module(module)
        found = _registered(namespace, packet_name, overload_name)
    if found is None:
        return NotAllowedError(f"{name[:100]} is not registered in this torch")
    return found


def _registered(namespace: str, packet_name: str, overload_name: str) -> Any:
    if namespace == "higher_order":
        return operators.higher_order(packet_name) if packet_name in _HIGHER_ORDER and not overload_name else None
    if overload_name:
        found = operators.overload(namespace, packet_name, overload_name)
        return found if found is not None and operators.is_dispatched(found) else None
    packet = operators.packet(namespace, packet_name)
    if packet is None:
        return None
    overloads = [getattr(packet, one) for one in packet.overloads()]
    dispatched = [one for one in overloads if operators.is_dispatched(one)]
    if len(dispatched) == len(overloads):
        return packet
    return _choosing(packet, dispatched) if dispatched else None


def _choosing(packet: Any, overloads: list[Any]) -> Callable[..., Any]:
    """A packet that chooses among some of its overloads only: those of TorchScript may do anything."""

    def choose(*args: Any, **kwargs: Any) -> Any:
        for overload in overloads:
            try:
                return overload(*args, **kwargs)
            except (RuntimeError, TypeError) as error:
                if overload._schema.name not in str(error):
                    raise
        raise NotAllowedError(f"no overload of {packet} takes these arguments")

    return choose


def _enter_autocast(*args: Any) -> Any:
    check_autocast(args[0])
    entered = torch.amp.autocast_mode._enter_autocast(*args)
    _autocasts.append(entered)
    return entered


def _exit_autocast(entered: Any) -> None:
    if entered not in _autocasts:
        raise NotAllowedError("no autocast was entered here")
    _autocasts.remove(entered)
    torch.amp.autocast_mode._exit_autocast(entered)


def check_autocast(device: Any) -> None:
    """Raises NotAllowedError where torch, without such a device, would leave autocast off: types would be wrong."""
    kind = torch.device(str(device)).type
    module = getattr(torch, kind, None)
    if kind not in ("cpu", "cuda", "xpu", "mps") or (kind != "cpu" and not module.is_available()):
        raise NotAllowedError(f"autocast for {kind} needs such a device")


def _counting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of vmap; levels that are entered are remembered, and none is left that was not entered here."""
    if name == "_vmap_increment_nesting":

        def enter(*args: Any) -> Any:
            level = function(*args)
            _levels.append(torch._C._functorch._vmap_decrement_nesting)
            return level

        return enter
    if name == "_vmap_decrement_nesting":

        def leave_one() -> Any:
            if not _levels:
                raise NotAllowedError("no level of vmap was entered here")
            _levels.pop()
            return function()

        return leave_one
    return function


def leave() -> None:
    """Put back what a graph has switched and left: autocast, levels of vmap."""
    while _autocasts:
        torch.amp.autocast_mode._exit_autocast(_autocasts.pop())
    while _levels:
        _levels.pop()()


_AUTOCAST = {
    "torch.amp.autocast_mode._enter_autocast": _enter_autocast,
    "torch.amp.autocast_mode._exit_autocast": _exit_autocast,
}


def attribute(value: Any, name: Any) -> Any:
    """`getattr` for the few attributes that tell of a tensor."""
    if isinstance(value, torch.Tensor) and isinstance(name, str) and name in ATTRIBUTES:
        return getattr(value, name)
    raise NotAllowedError(f"the attribute {str(name)[:40]!r} is not among those that are taken")


def method(receiver: Any, name: str) -> Any:
    """What a `call_method` target names on this receiver. Raises NotAllowedError."""
    if isinstance(receiver, torch.Tensor) and name in METHODS and hasattr(torch.Tensor, name):
        return getattr(torch.Tensor, name)
    if isinstance(receiver, torch.Size) and name == "numel":
        return torch.Size.numel
    raise NotAllowedError(f"the method {name[:40]!r} is not among those that are called")
