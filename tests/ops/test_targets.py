"""Targets in every spelling that torch prints."""

from __future__ import annotations

import pytest

from fxgraph.ops import guess_family, split_target


@pytest.mark.parametrize(
    ("target", "namespace", "packet", "overload"),
    [
        ("torch.ops.aten.add.Tensor", "aten", "add", "Tensor"),
        ("torch.ops.aten.add", "aten", "add", None),
        ("torch.ops.aten.__and__.Tensor", "aten", "__and__", "Tensor"),
        ("torch.ops.mine.operator.default", "mine", "operator", "default"),
        ("torch.ops._c10d_functional.wait_tensor", "_c10d_functional", "wait_tensor", None),
        ("torch.ops.higher_order.cond", "higher_order", "cond", None),
        ("torch.ops.higher_order.auto_functionalized_v2", "higher_order", "auto_functionalized_v2", None),
        ("torch._higher_order_ops.map.map", "higher_order", "map", None),
        ("torch._higher_order_ops.wrap.tag_activation_checkpoint", "higher_order", "tag_activation_checkpoint", None),
        ("aten.add.Tensor", "aten", "add", "Tensor"),
        ("prims.convert_element_type.default", "prims", "convert_element_type", "default"),
        ("mine.operator.default", "mine", "operator", "default"),
        ("executorch.exir.dialects.edge._ops.aten.add.Tensor", "aten", "add", "Tensor"),
        (
            "executorch.exir.dialects.edge._ops.dim_order_ops._to_dim_order_copy.default",
            "dim_order_ops",
            "_to_dim_order_copy",
            "default",
        ),
        ("executorch_exir_dialects_edge__ops_aten_add_Tensor", "aten", "add", "Tensor"),
        ("executorch_exir_dialects_edge__ops_aten_sum_dim_IntList", "aten", "sum", "dim_IntList"),
        (
            "executorch_exir_dialects_edge__ops_aten__native_batch_norm_legit_no_stats",
            "aten",
            "_native_batch_norm_legit",
            "no_stats",
        ),
        ("executorch_exir_dialects_edge__ops_aten_view_copy_default", "aten", "view_copy", "default"),
        (
            "executorch_exir_dialects_edge__ops_quantized_decomposed_quantize_per_tensor_default",
            "quantized_decomposed",
            "quantize_per_tensor",
            "default",
        ),
        (
            "executorch_exir_dialects_edge__ops_dim_order_ops__to_dim_order_copy_default",
            "dim_order_ops",
            "_to_dim_order_copy",
            "default",
        ),
    ],
)
def test_split(target: str, namespace: str, packet: str, overload: str | None):
    found = split_target(target)
    assert found == (namespace, packet, overload)
    assert found.name == f"{namespace}.{packet}"
    assert found.qualified == (found.name if overload is None else f"{found.name}.{overload}")
    assert found.is_higher_order == (namespace == "higher_order")


@pytest.mark.parametrize(
    "target",
    [
        "",
        "relu",
        "torch.relu",
        "torch.nn.functional.relu",
        "torch._C._nn.gelu",
        "operator.add",
        "math.sqrt",
        "builtins.getattr",
        "layers.0",
        "layers.0.weight",
        "block.conv.weight",
        "torch.ops",
        "torch.ops.aten",
        "torch.ops.aten.add.Tensor.more",
        "torch.ops.aten.add.",
        "torch.ops.aten.add.Tensor)](command:x",
        "<built-in function add>",
        "executorch_exir_dialects_edge__ops_",
        "executorch_exir_dialects_edge__ops_mine_operator_default",
        "executorch_exir_dialects_edge__ops_aten_no_such_overload",
        "executorch_exir_dialects_edge__ops_aten_](x)_default",
    ],
)
def test_no_operator(target: str):
    assert split_target(target) is None


@pytest.mark.parametrize(
    ("target", "family"),
    [
        ("torch.relu", "aten.relu"),
        ("torch.nn.functional.relu", "aten.relu"),
        ("torch._C._nn.gelu", "aten.gelu"),
        ("torch.functional.einsum", "aten.einsum"),
        ("torch.Tensor.add_", "aten.add_"),
        ("torch.linalg.norm", "aten.linalg_norm"),
        ("torch.fft.rfft", "aten.fft_rfft"),
        ("operator.add", None),
        ("math.sqrt", None),
        ("torch.sym_int", None),
        ("torch.no_such", None),
        ("mine.relu", None),
        ("relu", None),
        ("", None),
    ],
)
def test_family_of_a_function(target: str, family: str | None):
    found = guess_family(target)
    assert (found and found.name) == family


@pytest.mark.parametrize(
    ("target", "family"),
    [
        ("relu", "aten.relu"),
        ("view", "aten.view"),
        ("add_", "aten.add_"),
        ("append", None),  # a TorchScript list's
        ("zeros", None),  # takes no self
        ("torch.relu", None),
        ("no_such", None),
    ],
)
def test_family_of_a_method(target: str, family: str | None):
    found = guess_family(target, method=True)
    assert (found and found.name) == family


def test_family_of_a_release():
    assert guess_family("torch.rms_norm", release="2.2.2") is None
    assert guess_family("torch.rms_norm", release="2.6.0").release == "2.6.0"
