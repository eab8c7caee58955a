import pytest

from fxgraph.features.definition import definition
from fxgraph.features.hover import hover
from fxgraph.features.markdown import plain
from markers import marked

CODE = """
    # Topologically Sorted Source Nodes: [linear, act], Original ATen: [aten.addmm, aten.silu]
    # Source node to ATen node mapping:
    #   act => mul_7, sigmoid
    #   linear => add
    # Graph fragment:
    #   %mm : Tensor "f16[24][1]cuda:0" = PlaceHolder[target=mm]
    #   %add : Tensor "f16[24][1]cuda:0"[num_users=4] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, 1), kwargs = {})
    #   %sigmoid : Tensor "f16[24][1]cuda:0"[num_users=1] = call_function[target=torch.ops.aten.sigmoid.default](args = (%add,), kwargs = {})
    #   %mul_7 : Tensor "f16[24][1]cuda:0"[num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%add, %sigmoid), kwargs = {})
    #   return %add,%mul_7
    triton_poi_fused_0 = async_compile.triton('triton_poi_fused_0', '''
    def triton_poi_fused_0(in_ptr0):
    ''', device_str='cuda')

    def call(args):
        triton_poi_fused_0.run(buf1, 24, stream=stream0)
"""
OTHER = CODE.replace("mul_7", "mul_9").replace("sigmoid", "tanh")


def places(text, at):
    """Where a definition leads: (line, text) of each."""
    return text.show([one.target for one in definition(text.snapshot, at)])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("act =>", [(9, "mul_7"), (8, "sigmoid")]),
        ("act], Original", [(9, "mul_7"), (8, "sigmoid")]),
        ("linear =>", [(7, "add")]),
        ("mul_7, sigmoid\n", [(9, "mul_7")]),
        ("sigmoid\n#", [(8, "sigmoid")]),
        ("triton_poi_fused_0.run", [(11, "triton_poi_fused_0")]),
        ("triton_poi_fused_0(in_ptr0)", [(11, "triton_poi_fused_0")]),
        ("triton_poi_fused_0 = ", [(6, "mm")]),
        ("async_compile", []),
        ("stream0)", []),
    ],
)
def test_definitions(words, expected):
    text = marked(CODE)
    assert places(text, text.at(words)) == expected


@pytest.mark.parametrize(
    "leader",
    ["V0102 12:00:00.000000 4242 torch/_inductor/graph.py:27] [0/0] [__output_code] ", "> "],
    ids=["log", "quote"],
)
def test_behind_a_leader(leader):
    text = marked(CODE)
    quoted = marked("\n".join(leader + line for line in text.text.split("\n")))
    assert places(quoted, quoted.at("act =>")) == [(9, "mul_7"), (8, "sigmoid")]
    assert places(quoted, quoted.at("triton_poi_fused_0.run")) == [(11, "triton_poi_fused_0")]


def test_the_same_name_in_two_outputs():
    both = marked(CODE + OTHER)
    calls = [at for at in range(len(both.text)) if both.text.startswith("triton_poi_fused_0.run", at)]
    first, second = [places(both, at) for at in calls]
    assert (first, second) == ([(11, "triton_poi_fused_0")], [(28, "triton_poi_fused_0")])


def hovered(words, shift=0):
    text = marked(CODE)
    return plain(hover(text.snapshot, text.at(words) + shift).markdown)


def test_hovers():
    assert hovered("act =>") == "act of the program became mul_7 (line 9), sigmoid (line 8)."
    assert hovered("triton_poi_fused_0.run").split("\n") == [
        "Kernel triton_poi_fused_0 computes:",
        "",
        "- add (line 7), from linear of the program",
        "- sigmoid (line 8), from act of the program",
        "- mul_7 (line 9), from act of the program",
    ]
    assert "Computed by the kernel triton_poi_fused_0 (line 11), from act of the program." in hovered("%mul_7 :", 1)
    assert hovered("mul_7, sigmoid\n") == hovered("%mul_7 :", 1)
