"""Which effects fxgraph knows, family by family."""

import pytest

from analysis.checks import facts_in_one
from fxgraph.analysis import purity
from fxgraph.analysis.purity import function_effect, method_effect

PURE = """
    torch.ops.aten.add.Tensor torch.ops.aten.mm.default torch.ops.aten.sum.dim_IntList
    torch.ops.aten.nonzero.default torch.ops.aten.view.default torch.ops.aten.t.default
    torch.ops.aten.detach.default torch.ops.aten.lift_fresh_copy.default torch.ops.aten._to_copy.default
    torch.ops.aten.copy.default torch.ops.aten.select_scatter.default
    torch.ops.aten._native_batch_norm_legit_functional.default
    torch.ops.aten._native_batch_norm_legit_no_training.default torch.ops.aten.native_dropout_backward.default
    torch.ops.aten.empty.memory_format torch.ops.aten.full.default torch.ops.aten.sym_size.int
    torch.ops.aten.sym_numel.default torch.ops.aten.slice torch.ops.aten.add torch.ops.prims.add.default
    torch.ops.prims.convert_element_type.default torch.ops.prims.iota.default
    torch.ops.prims.inductor_lookup_seed.default torch.ops.quantized_decomposed.dequantize_per_tensor.default
    torch.ops.higher_order.flex_attention executorch.exir.dialects.edge._ops.aten.add.Tensor
    executorch_exir_dialects_edge__ops_aten_add_Tensor aten.exp.default prims.exp.default torch.relu torch.add
    torch.functional.einsum torch.nn.functional.layer_norm torch._C._nn.gelu torch.linalg.inv torch.fft.rfft
    torch.special.erf torch.sym_max torch._sym_sqrt torch.Tensor.view operator.add operator.getitem operator.is_
    operator.not_ operator.matmul math.ceil builtins.getattr builtins.max
"""

IMPURE = {
    purity.WRITES: """
        torch.relu_ torch.Tensor.add_ torch.nn.functional.relu_ torch.nn.init.zeros_ operator.setitem
        operator.iadd operator.delitem
    """,
    "writes to its argument `self`": """
        torch.ops.aten.copy_.default torch.ops.aten.add_.Tensor torch.ops.aten.fill_.Scalar
        torch.ops.aten.t_.default torch.ops.aten._foreach_add_.Scalar torch.ops.aten.record_stream.default
        aten.zero_.default
    """,
    "writes to its argument `out`": "torch.ops.aten.mm.out torch.ops.aten.add.out",
    "writes to its arguments `running_mean`, `running_var`": "torch.ops.aten._native_batch_norm_legit.default",
    purity.STATISTICS: """
        torch.ops.aten.batch_norm.default torch.ops.aten.native_batch_norm.default
        torch.ops.aten.cudnn_batch_norm.default torch.nn.functional.batch_norm torch.instance_norm
    """,
    purity.RANDOM: """
        torch.ops.aten.rand.default torch.ops.aten.bernoulli.p torch.ops.aten.native_dropout.default
        torch.ops.aten.randperm.default torch.ops.aten.scaled_dot_product_attention.default
        torch.ops.aten.lstm.input torch.ops.prims.inductor_seeds.default torch.ops.prims.normal.default
        torch.rand torch.randn_like torch.bernoulli torch.nn.functional.dropout
        torch._C._nn.scaled_dot_product_attention
    """,
    purity.CHECKS: """
        torch.ops.aten._assert_async.msg torch.ops.aten._assert_scalar.default
        torch.ops.aten._assert_tensor_metadata.default torch.ops.aten.sym_constrain_range_for_size.default
        torch.ops.aten._linalg_check_errors.default torch.ops.aten._functional_assert_async.msg torch._assert
        torch._assert_async torch._check torch._check_is_size
    """,
    purity.VALUE: "torch.ops.aten.item.default torch.ops.aten._local_scalar_dense.default torch.ops.prims.item.default",
    purity.PRINTS: "torch.ops.aten._print.default builtins.print",
    purity.NOTHING: "torch.ops.aten.manual_seed.default torch.ops.prims._sink_tokens.default",
    purity.MODE: """
        torch._C._set_grad_enabled torch.amp.autocast_mode._enter_autocast
        torch.amp.autocast_mode._exit_autocast
    """,
    purity.COLLECTIVE: """
        torch.ops._c10d_functional.all_reduce.default torch.ops._c10d_functional.wait_tensor.default
        torch.ops._c10d_functional.wait_tensor torch.ops.c10d_functional.all_reduce.default
    """,
    purity.GRAPHS: """
        torch.ops.higher_order.cond torch.ops.higher_order.auto_functionalized_v2
        torch.ops.higher_order.with_effects torch.ops.higher_order.triton_kernel_wrapper_mutation
        torch._higher_order_ops.map.map
    """,
    purity.CUSTOM: "torch.ops.demo.scale_add.default torch.ops.demo.scale_add demo.scale_add.default",
    purity.UNKNOWN_OPERATOR: "torch.ops.aten.no_such_operator.default torch.ops.aten.add.no_such_overload",
    purity.FUNCTION: """
        models.helper_fn __main__.local torch.manual_seed torch.autograd.function.FunctionCtx builtins.int
        torch.nn.functional.embedding torch__dynamo_compiled_autograd_ops_MmBackward0 operator.index cond
    """,
}


@pytest.mark.parametrize("target", PURE.split())
def test_pure_targets(target):
    assert function_effect(target) is None


@pytest.mark.parametrize(
    ("target", "effect"), [(target, effect) for effect, targets in IMPURE.items() for target in targets.split()]
)
def test_targets_with_an_effect(target, effect):
    assert function_effect(target) == effect


@pytest.mark.parametrize(
    ("target", "effect"),
    [
        ("<built-in function add>", None),
        ("<built-in function getitem>", None),
        ("<built-in function linear>", None),
        ("<built-in function iadd>", purity.FUNCTION),
        ("<built-in function print>", purity.FUNCTION),
        ("<built-in method cat of type object at 0x7f151dccea40>", None),
        ("<built-in method rand of type object at 0x7f151dccea40>", purity.RANDOM),
        ("<built-in method relu_ of type object at 0x7f151dccea40>", purity.WRITES),
        ("<method 'add_' of 'torch._C.TensorBase' objects>", purity.WRITES),
        ("<method 'view' of 'torch._C.TensorBase' objects>", None),
        ("<function relu at 0x7f151dccea40>", purity.FUNCTION),
    ],
)
def test_targets_of_tables(target, effect):
    assert function_effect(target) == effect


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("clone", None),
        ("view", None),
        ("size", None),
        ("mul_", purity.WRITES),
        ("__getitem__", None),
        ("__setitem__", purity.METHOD),
        ("item", purity.VALUE),
        ("tolist", purity.VALUE),
        ("bernoulli", purity.RANDOM),
        ("append", purity.METHOD),
        ("add", purity.METHOD),
        ("backward", purity.METHOD),
    ],
)
def test_methods(name, effect):
    assert method_effect(name) == effect


@pytest.mark.parametrize(
    ("call", "effect"),
    [
        ("[target=torch.relu](args = (%x,), kwargs = {})", None),
        ("[target=torch.relu](args = (%x,), kwargs = {out: %x})", purity.OUT),
        ("[target=torch.relu](args = (%x,), kwargs = {out: None})", None),
        ("[target=torch.nn.functional.relu](args = (%x,), kwargs = {inplace: False})", None),
        ("[target=torch.nn.functional.relu](args = (%x,), kwargs = {inplace: True})", purity.WRITES),
        ("[target=torch.nn.functional.relu](args = (%x, True), kwargs = {})", purity.WRITES),
        ("[target=torch.nn.functional.leaky_relu](args = (%x, 0.1, True), kwargs = {})", purity.WRITES),
        ("[target=torch.nn.functional.layer_norm](args = (%x, [4], None, None, True), kwargs = {})", None),
        ("[target=torch.ops.aten.add](args = (%x, %x), kwargs = {out: %x})", purity.OUT),
    ],
)
def test_arguments_that_make_a_function_write(call, effect):
    facts = facts_in_one(f"""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %f : [num_users=0] = call_function{call}
            return x
    """)
    assert facts.effects.get(1) == effect


def test_a_value_called_out_is_no_argument():
    facts = facts_in_one("""
        def forward(self, x):
            out = torch.relu(x);  out = None
            return x
    """)
    assert 1 not in facts.effects


def test_opcodes():
    facts = facts_in_one("""
        graph():
            %x : [num_users=3] = placeholder[target=x]
            %weight : [num_users=0] = get_attr[target=fc.weight]
            %fc : [num_users=0] = call_module[target=fc](args = (%x,), kwargs = {})
            %_guards_fn : [num_users=0] = call_module[target=_guards_fn](args = (%x,), kwargs = {})
            return x
    """)
    assert facts.effects == {
        0: "is an input of the graph",
        2: purity.MODULE,
        3: "checks the inputs",
        4: "is what the graph returns",
    }
