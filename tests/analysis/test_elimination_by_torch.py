"""What fxgraph says that dead code elimination keeps, compared with the torch that is installed."""

import operator

import pytest

from fxgraph.analysis.elimination import surely_stays
from fxgraph.ops import catalogue
from fxgraph.reading import read

torch = pytest.importorskip("torch")
fx = pytest.importorskip("torch.fx")


def _stays(target):
    text = f"graph():\n    %one : [num_users=0] = call_function[target={target}](args = (), kwargs = {{}})\n    return ()\n"
    (graph,) = read(text).graphs
    return surely_stays(graph.nodes[0])


def _is_impure(function):
    return fx.Graph().call_function(function).is_impure()


def test_every_operator_that_surely_stays():
    compared = wrong = 0
    for name in catalogue().names():
        packet = getattr(torch.ops.aten, name.partition(".")[2], None) if name.startswith("aten.") else None
        if packet is None:
            continue
        for overload in packet.overloads():
            if _stays(f"torch.ops.{name}.{overload}"):
                compared += 1
                wrong += not _is_impure(getattr(packet, overload))
    assert compared > 1000
    assert wrong == 0


@pytest.mark.parametrize(
    ("target", "function"),
    [
        ("operator.setitem", operator.setitem),
        ("torch._assert", torch._assert),
        ("torch._assert_async", torch._assert_async),
        ("torch._C._set_grad_enabled", torch._C._set_grad_enabled),
    ],
)
def test_functions_that_stay(target, function):
    assert _stays(target) and _is_impure(function)


def test_what_torch_takes_out():
    for target, function in (
        ("torch.ops.aten.batch_norm.default", torch.ops.aten.batch_norm.default),
        ("torch.nn.functional.dropout", torch.nn.functional.dropout),
        ("torch.relu_", torch.relu_),
        ("operator.iadd", operator.iadd),
        ("builtins.print", print),
    ):
        assert not _stays(target) and not _is_impure(function)
