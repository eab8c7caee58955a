"""What is said of a header line that cannot be taken as it stands."""

import pytest

from fxgraph.reading import read
from fxgraph.torchhost.header_line import header_problems, rests_on
from fxgraph.torchhost.inputs import told_inputs
from fxgraph.torchhost.plain import plain

BODY = """
class GraphModule(torch.nn.Module):
    def forward(self, x, y: "f32[4, 4]"):
        add = torch.ops.aten.add.Tensor(x, y)
        return (add,)
"""


def problems_of(inputs):
    dump = read(f"# fxgraph: inputs={inputs}\n{BODY}")
    return header_problems(dump, dump.graphs[0])


@pytest.mark.parametrize(
    ("inputs", "problems"),
    [
        ("x:f32[2,3]", []),
        ("x:bf16[s0,Max(1,s1)][3,1]cuda:0,y:f32[4,4]", []),
        ("x:Sym(s0+1)", []),
        ("x:f32[2,3", ["inputs=x:f32[2,3: a bracket is not closed, or a blank stands inside: inputs=x:f32[2,3] has none"]),
        ("x:f32[2, 3]", ["inputs=x:f32[2,: a bracket is not closed, or a blank stands inside: inputs=x:f32[2,3] has none"]),
        ("X:f32[2,3]", ["inputs: no graph of this text has an input X"]),
        ("x:float32[2,3]", ["inputs: x: no dtype float32 in a printed type: f32 is meant"]),
        ("x:torch.int64[2]", ["inputs: x: no dtype int64 in a printed type: i64 is meant"]),
        ("x:banana[3]", ["inputs: x: no dtype banana is known"]),
        ("x:3", ["inputs: x: '3' is no printed type such as f32[2,3]cuda:0 or Sym(s0)"]),
        ("x", ["inputs: 'x' is no NAME:TYPE"]),
        ("x:f32[2],x:f32[3]", ["inputs: x stands there twice, the last one counts"]),
        ("y:f32[4,4]cuda:0", []),
        ("y:f16[4,4]", ["inputs: y is printed as f32[4, 4], which counts: f16[4,4] is not taken"]),
    ],
)  # fmt: skip
def test_problems(inputs, problems):
    assert problems_of(inputs) == problems


def test_the_line_completes_what_is_printed_and_does_not_replace_it():
    for inputs, kind in [
        ("y:f32[4,4][1,4]cuda:0", ["tensor", "f32", [4, 4], [1, 4], "cuda:0"]),
        ("y:f32[2,3]cuda:0", ["tensor", "f32", [4, 4], None, None]),
    ]:
        dump = read(f"# fxgraph: inputs={inputs}\n{BODY}")
        told, _ = plain(dump, dump.graphs[0], told_inputs(dump, dump.graphs[0]))
        assert told["graphs"][0]["nodes"][1][5] == kind


def test_which_graphs_rest_on_the_line():
    graph = read(BODY).graphs[0]
    assert rests_on(graph, {"x": "f32[2]"})
    assert not rests_on(graph, {"y": "f32[4, 4]"})
