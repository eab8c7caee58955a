"""What `Graph.eliminate_dead_code` keeps although nobody reads it, as far as a text tells.

From torch 2.13 (torch/fx/node.py `Node.is_impure`, torch/_library/utils.py `is_impure`). It protects far less than what
has an effect: no method, no in-place function of torch, no `batch_norm`. Random operators are kept outside of a
compilation only, so nothing is claimed of them.
"""

from __future__ import annotations

from functools import lru_cache

from fxgraph.graph import CALL_FUNCTION, OUTPUT, PLACEHOLDER, Node
from fxgraph.ops import catalogue, split_target

_FUNCTIONS = frozenset(
    {"torch._assert", "torch._assert_async", "torch._C._set_grad_enabled", "operator.setitem", "_operator.setitem"}
)
#: Operators whose schema writes nothing and that are kept all the same (`_side_effectful_functions`).
_OPERATORS = frozenset(
    {
        "aten._assert_async.msg",
        "aten._assert_scalar.default",
        "aten._assert_tensor_metadata.default",
        "aten.sym_constrain_range.default",
        "aten.sym_constrain_range_for_size.default",
    }
)


def surely_stays(node: Node) -> bool:
    """Whether dead code elimination is known to keep a node that has no users."""
    if node.opcode in (PLACEHOLDER, OUTPUT):
        return True
    return node.opcode == CALL_FUNCTION and _function_stays(node.target)


@lru_cache(maxsize=8192)
def _function_stays(target: str) -> bool:
    if target in _FUNCTIONS:
        return True
    operator = split_target(target)
    if operator is None or operator.overload is None:
        return False
    if operator.qualified in _OPERATORS:
        return True
    overload = catalogue().overload(operator.qualified)
    return overload is not None and overload.is_mutable


def unused_words(node: Node, effect: str) -> str:
    """A clause about a node without users that does something (`effect`: words behind "it"): what becomes of it."""
    if surely_stays(node):
        return f"no users, but it {effect}: dead code elimination keeps it (as of torch 2.13)"
    return f"no users, but it {effect}: it may not be safe to leave out, and dead code elimination may do so"
