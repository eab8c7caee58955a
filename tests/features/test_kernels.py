import pytest

from fxgraph.features.definition import definition
from fxgraph.features.hover import hover
from fxgraph.features.markdown import plain
from fxgraph.features.references import references
from fxgraph.features.symbols import symbols
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
        # Topologically Sorted Source Nodes: [linear, act], Original ATen: [aten.addmm, aten.silu]
        stream0 = get_raw_stream(0)
        triton_poi_fused_0.run(buf1, 24, stream=stream0)
        # Topologically Sorted Source Nodes: [lost], Original ATen: [aten.mm]
        extern_kernels.mm(buf0, buf1, out=buf2)
"""
OTHER = CODE.replace("mul_7", "mul_9").replace("sigmoid", "tanh")


def places(text, at):
    """Where a definition leads: (line, text) of each."""
    return text.show([one.target for one in definition(text.snapshot, at)])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("act =>", [(9, "mul_7"), (8, "sigmoid")]),
        ("act], Original ATen: [aten.addmm, aten.silu]\n# Source node to", [(9, "mul_7"), (8, "sigmoid")]),
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
    assert (first, second) == ([(11, "triton_poi_fused_0")], [(32, "triton_poi_fused_0")])


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


def in_call(text, word):
    """Where a word stands in the comments of `call()`."""
    return text.text.index(word, text.text.index("def call("))


def test_the_comment_above_a_call_speaks_of_its_kernel():
    text = marked(CODE)
    assert places(text, in_call(text, "act],")) == [(9, "mul_7"), (8, "sigmoid")]
    assert places(text, in_call(text, "linear")) == [(7, "add")]
    told = hover(text.snapshot, in_call(text, "act],"))
    assert plain(told.markdown) == "act of the program became mul_7 (line 9), sigmoid (line 8)."
    # no kernel of this text: what inductor calls there has no fragment
    assert places(text, in_call(text, "lost]")) == []
    assert hover(text.snapshot, in_call(text, "lost]")) is None
    assert hover(text.snapshot, in_call(text, "Topologically")) is None


def test_references_of_names_in_the_comment():
    text = marked(CODE)

    def found(words, include_definition=False):
        return text.show(references(text.snapshot, text.at(words), include_definition))

    assert found("sigmoid\n#") == [(3, "sigmoid"), (9, "sigmoid")]
    assert found("sigmoid\n#", True) == [(8, "sigmoid"), (3, "sigmoid"), (9, "sigmoid")]
    assert found("act =>") == [(1, "act"), (3, "act")]
    assert found("act =>", True) == [(9, "mul_7"), (8, "sigmoid"), (1, "act"), (3, "act")]
    assert found("async_compile") == []


def test_the_outline_calls_a_fragment_by_its_kernel():
    names = [symbol.name for symbol in symbols(marked(CODE).snapshot)]
    assert names == ["triton_poi_fused_0"]
    nameless = marked(CODE.split("    triton_poi_fused_0 =")[0])
    assert [symbol.name for symbol in symbols(nameless.snapshot)] == ["graph"]
