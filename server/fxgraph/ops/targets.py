"""Which operator a node's target names, in any of the spellings in which torch prints one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from fxgraph.ops.operators import Packet, catalogue

#: Namespaces that need no proof: `aten.add.Tensor` in a table is an operator, `layers.0.weight` is none.
#: Those of the catalogue (a test compares), and those of executorch.
NAMESPACES = frozenset(
    {
        "_c10d_functional",
        "_c10d_functional_autograd",
        "_dtensor",
        "_native",
        "_quantized",
        "ao",
        "aten",
        "c10d",
        "c10d_functional",
        "cplib",
        "debug_mode_ops",
        "debugprims",
        "device_mesh",
        "dim_order_ops",
        "executorch_prim",
        "export",
        "flex_lib",
        "fsdp",
        "higher_order",
        "inductor",
        "inductor_prims",
        "mkl",
        "mkldnn",
        "mkldnn_prepacked",
        "onednn",
        "onnx",
        "onnx_symbolic",
        "pippy",
        "prim",
        "prims",
        "profiler",
        "quantization",
        "quantized",
        "quantized_decomposed",
        "rngprims",
        "sparse",
        "streams",
        "symm_mem",
        "torch_attn",
        "torch_nn",
        "triton",
    }
)

_LIVE = "torch.ops."
_EDGE = "executorch.exir.dialects.edge._ops."
_MANGLED_EDGE = "executorch_exir_dialects_edge__ops_"
_OLD_HIGHER_ORDER = "torch._higher_order_ops."
#: No operator's name is nearly as long; a longer one is not worth the search.
_LONGEST_NAME = 200
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")

#: Modules whose functions carry the name of an aten packet, with what aten puts in front of it. The longest wins.
_ATEN_MODULES = {
    "torch": "",
    "torch.Tensor": "",
    "torch._C._TensorBase": "",
    "torch._C.TensorBase": "",
    "torch._C._VariableFunctions": "",
    "torch._VariableFunctionsClass": "",
    "torch._C._nn": "",
    "torch._C._linalg": "",
    "torch._C._fft": "",
    "torch._C._special": "",
    "torch._C._sparse": "",
    "torch._C._nested": "",
    "torch.functional": "",
    "torch.nn.functional": "",
    "torch.linalg": "linalg_",
    "torch.fft": "fft_",
    "torch.special": "special_",
}


class Target(NamedTuple):
    """The operator a target names.

    namespace  `aten`
    packet     the packet's name in its namespace: `add`
    overload   `Tensor`, `default`; None where the target is a packet or a higher-order operator
    """

    namespace: str
    packet: str
    overload: str | None

    @property
    def name(self) -> str:
        """As the catalogue calls the packet: `aten.add`."""
        return f"{self.namespace}.{self.packet}"

    @property
    def qualified(self) -> str:
        """As tables print it: `aten.add.Tensor`, `aten.add` where the overload is not told."""
        return self.name if self.overload is None else f"{self.name}.{self.overload}"

    @property
    def is_higher_order(self) -> bool:
        """Whether it names a higher-order operator, which has no overloads."""
        return self.namespace == "higher_order"


@lru_cache(maxsize=8192)
def split_target(target: str) -> Target | None:
    """The operator that the target of a `call_function` names, or None where it names none.

    Knows print(graph)'s `torch.ops.aten.add.Tensor`, a packet alone, `torch.ops.higher_order.cond`, a table's
    `aten.add.Tensor`, executorch's `executorch.exir.dialects.edge._ops.aten.add.Tensor` and its mangled form in
    generated code, and the module path by which 2.2 printed some higher-order operators
    (`torch._higher_order_ops.map.map`). A custom namespace needs `torch.ops.` in front or `.default` behind it.
    Says nothing about whether such an operator exists.
    """
    if target.startswith(_MANGLED_EDGE):
        return _mangled(target[len(_MANGLED_EDGE) :])
    if not _DOTTED.fullmatch(target):
        return None
    if target.startswith(_OLD_HIGHER_ORDER):
        return Target("higher_order", target.rpartition(".")[2], None)
    for prefix in (_LIVE, _EDGE):
        if target.startswith(prefix):
            return _parts(target[len(prefix) :])
    found = _parts(target)
    if found is None or not (found.namespace in NAMESPACES or found.overload == "default"):
        return None
    return found


def _parts(text: str) -> Target | None:
    parts = text.split(".")
    if len(parts) == 2:
        return Target(parts[0], parts[1], None)
    if len(parts) == 3 and parts[0] != "higher_order":
        return Target(parts[0], parts[1], parts[2])
    return None


def _mangled(text: str) -> Target | None:
    """Take apart a name whose dots were turned into `_`: only the catalogue tells where they were.

    The longest namespace and the longest packet with such an overload win. Where the catalogue has none, an ending
    `_default` in a known namespace is taken for the overload.
    """
    for namespace in sorted(NAMESPACES, key=len, reverse=True):
        if not text.startswith(namespace + "_"):
            continue
        rest = text[len(namespace) + 1 :]
        if len(rest) > _LONGEST_NAME or not rest.isidentifier():
            continue
        for cut in range(len(rest) - 1, 0, -1):
            if rest[cut] == "_" and catalogue().overload(f"{namespace}.{rest[:cut]}.{rest[cut + 1 :]}") is not None:
                return Target(namespace, rest[:cut], rest[cut + 1 :])
        if rest.endswith("_default") and rest != "_default":
            return Target(namespace, rest.removesuffix("_default"), "default")
    return None


def guess_family(target: str, *, method: bool = False, release: str | None = None) -> Packet | None:
    """The aten packet that a torch-level target is **likely** to call, by its name alone, or None.

    A guess: Python stands between the two (`torch.nn.functional.gelu` may check, convert or call something else), and
    which overload runs depends on the arguments. Say so wherever it is shown. `method` tells that the target is that of
    a `call_method` (`relu`): then the family must have an overload that takes `self`. Families of TorchScript only
    (`append`, `popitem`) are none. `operator.add` and the like name no family: their operands need not be tensors.
    """
    if method:
        name = target if target.isidentifier() else None
    else:
        module, _, function = target.rpartition(".")
        before = _ATEN_MODULES.get(module)
        name = None if before is None or not function.isidentifier() else before + function
    packet = None if name is None else catalogue().packet(f"aten.{name}", release)
    if packet is None:
        return None
    callable_ones = [overload for overload in packet.overloads.values() if not overload.is_script_only]
    if method:
        callable_ones = [one for one in callable_ones if any(argument.name == "self" for argument in one.arguments)]
    return packet if callable_ones else None


_ADDRESS = re.compile(r"(?: of type object)? at 0x[0-9a-fA-F]+(?=>$)")


def without_address(target: str) -> str:
    """`<built-in method cat of type object at 0x7f01>`, as tables print it, as `<built-in method cat>`."""
    return _ADDRESS.sub("", target) if target.startswith("<") else target
