"""print(ExportedProgram): the signatures and range constraints of each release."""

from __future__ import annotations

from textwrap import dedent

import pytest

from reading.checks import check_graphs
from reading.invariants import check_read

GRAPH = """ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_weight: "f32[2]", b_count: "i64[]", x: "f32[s17]"):
             # File: net.py:3 in forward, code: return x
            add: "i64[]" = torch.ops.aten.add.Tensor(b_count, 1);  b_count = None
            mul: "f32[s17]" = torch.ops.aten.mul.Tensor(x, p_weight);  x = p_weight = None
            return (add, mul)
    
"""  # noqa: W293  torch indents the blank lines, too


def signature_of(source: str) -> dict[str, object]:
    graph = check_read(GRAPH + dedent(source).lstrip("\n")).graphs[0]
    assert graph.container == "exported_program"
    return graph.signature


def test_the_graph():
    check_graphs(
        GRAPH,
        """
        [GraphModule, readable, exported_program]
        p_weight : f32[2] = placeholder p_weight
        b_count : i64[] = placeholder b_count
        x : f32[s17] = placeholder x
        add : i64[] = call_function torch.ops.aten.add.Tensor(b_count) - b_count
        mul : f32[s17] = call_function torch.ops.aten.mul.Tensor(x, p_weight) - x, p_weight
        output = output (add, mul)
        """,
    )


def test_signature_of_torch_2_13():
    signature = signature_of("""
        Graph signature: 
            # inputs
            p_weight: PARAMETER target='fc.weight'
            b_count: BUFFER target='count' persistent=True
            c_lifted_tensor_0: CONSTANT_TENSOR target='lifted_tensor_0'
            obj_attr: CUSTOM_OBJ target='attr'
            token: TOKEN
            x: USER_INPUT
            
            # outputs
            token_1: TOKEN
            add: BUFFER_MUTATION target='count'
            copy_: USER_INPUT_MUTATION target='x'
            copy__1: PARAMETER_MUTATION target='fc.weight'
            grad: GRADIENT_TO_PARAMETER target='fc.weight'
            grad_1: GRADIENT_TO_USER_INPUT target='x'
            loss: LOSS_OUTPUT
            mul: USER_OUTPUT
            
        Range constraints: {s17: VR[2, 64], u0: VR[0, int_oo]}
    """)  # noqa: W291, W293
    assert signature["inputs_to"] == {
        "p_weight": "fc.weight",
        "b_count": "count",
        "c_lifted_tensor_0": "lifted_tensor_0",
        "obj_attr": "attr",
    }
    assert signature["input_kinds"] == {
        "p_weight": "PARAMETER",
        "b_count": "BUFFER",
        "c_lifted_tensor_0": "CONSTANT_TENSOR",
        "obj_attr": "CUSTOM_OBJ",
        "token": "TOKEN",
        "x": "USER_INPUT",
    }
    assert signature["user_inputs"] == ["x"]
    assert signature["buffers_to_mutate"] == {"add": "count"}
    assert signature["output_kinds"] == {
        "token_1": "TOKEN",
        "add": "BUFFER_MUTATION",
        "copy_": "USER_INPUT_MUTATION",
        "copy__1": "PARAMETER_MUTATION",
        "grad": "GRADIENT_TO_PARAMETER",
        "grad_1": "GRADIENT_TO_USER_INPUT",
        "loss": "LOSS_OUTPUT",
        "mul": "USER_OUTPUT",
    }
    assert signature["user_outputs"] == ["mul"]
    assert signature["range_constraints"] == {"s17": "VR[2, 64]", "u0": "VR[0, int_oo]"}


def test_signature_of_torch_2_14():
    # no blank behind the colon
    signature = signature_of("""
        Graph signature:
            # inputs
            p_weight: PARAMETER target='weight'
            b_count: BUFFER target='count' persistent=False
            x: USER_INPUT

            # outputs
            add: BUFFER_MUTATION target='count'
            mul: USER_OUTPUT

        Range constraints: {}
    """)
    assert signature["inputs_to"] == {"p_weight": "weight", "b_count": "count"}
    assert signature["user_inputs"] == ["x"]
    assert signature["buffers_to_mutate"] == {"add": "count"}
    assert signature["user_outputs"] == ["mul"]
    assert "range_constraints" not in signature


def test_signature_of_torch_2_6():
    signature = signature_of(
        "Graph signature: ExportGraphSignature(input_specs=["
        "InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_weight'), target='fc.weight', persistent=None), "
        "InputSpec(kind=<InputKind.BUFFER: 3>, arg=TensorArgument(name='b_count'), target='count', persistent=True), "
        "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=ConstantArgument(name='flag', value=None), target=None, persistent=None), "
        "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None, persistent=None)], "
        "output_specs=["
        "OutputSpec(kind=<OutputKind.BUFFER_MUTATION: 3>, arg=TensorArgument(name='add'), target='count'), "
        "OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='mul'), target=None)])\n"
        "Range constraints: {s0: VR[2, 64]}\n"
    )
    assert signature["inputs_to"] == {"p_weight": "fc.weight", "b_count": "count"}
    assert signature["user_inputs"] == ["flag", "x"]
    assert signature["buffers_to_mutate"] == {"add": "count"}
    assert signature["user_outputs"] == ["mul"]
    assert signature["range_constraints"] == {"s0": "VR[2, 64]"}


def test_signature_of_torch_2_2():
    signature = signature_of(
        "Graph signature: ExportGraphSignature(input_specs=["
        "InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_weight'), target='fc.weight'), "
        "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None)], "
        "output_specs=[OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='mul'), target=None)])\n"
        "Range constraints: {}\n"
        "Equality constraints: []\n"
    )
    assert signature["inputs_to"] == {"p_weight": "fc.weight"}
    assert signature["user_inputs"] == ["x"]
    assert signature["user_outputs"] == ["mul"]


def test_each_program_has_its_own_signature():
    text = "".join(
        GRAPH + f"Graph signature: \n    # inputs\n    x: USER_INPUT\n\n    # outputs\n    {name}: USER_OUTPUT\n\n"
        for name in ("mul", "add")
    )
    graphs = check_read(text + GRAPH).graphs
    assert [graph.signature.get("user_outputs") for graph in graphs] == [["mul"], ["add"], None]


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("ConstantArgument(value=3)", None),
        ("ConstantArgument(value=None)", None),
        ("ConstantArgument(value=mul)", "mul"),  # torch 2.2 gives sizes so
        ("ConstantArgument(name='', value='text')", None),
        ("SymFloatArgument(name='mul')", "mul"),
    ],
)
def test_a_constant_keeps_its_place_among_the_outputs(argument, name):
    signature = signature_of(
        "Graph signature: ExportGraphSignature(input_specs=["
        "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None)], "
        f"output_specs=[OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg={argument}, target=None), "
        "OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='add'), target=None)])\n"
    )
    assert signature["outputs"] == [[name, "USER_OUTPUT", None], ["add", "USER_OUTPUT", None]]
    assert signature["user_outputs"] == ([name] if name else []) + ["add"]


def test_a_constant_of_torch_2_13_keeps_its_place():
    signature = signature_of(
        "Graph signature: \n    # inputs\n    x: USER_INPUT\n\n"
        "    # outputs\n    : USER_OUTPUT\n    mul: USER_OUTPUT\n\n"
    )
    assert signature["outputs"] == [[None, "USER_OUTPUT", None], ["mul", "USER_OUTPUT", None]]
    assert signature["user_outputs"] == ["mul"]
