"""Two writers, one text, no prefix that tells them apart: what may be of the other one is not judged."""

from itertools import islice, zip_longest

import pytest

from features_of import codes, graphs_of
from fxgraph.graph import Graph

FIRST = """TRACED GRAPH
 ===== Forward graph 0 =====
 <eval_with_key>.1 class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2]", primals_2: "f32[2]"):
        relu: "f32[2]" = torch.ops.aten.relu.default(primals_1)
        add: "f32[2]" = torch.ops.aten.add.Tensor(relu, primals_2);  primals_2 = None
        neg: "f32[2]" = torch.ops.aten.neg.default(add);  add = None
        return (neg, relu, primals_1)


"""
SECOND = (
    FIRST.replace("graph 0", "graph 1")
    .replace("primals_1", "primals_7")
    .replace("neg", "exp")
    .replace("add", "sub")
    .replace("relu", "tanh")
)
DEAD = """graph():
    %x : [num_users=2] = placeholder[target=x]
    %neg : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %y), kwargs = {})
    return add
"""


def alternating(first: str, second: str, at_once: int) -> str:
    """The lines of two texts, so many of one and then so many of the other."""
    lines = [iter(text.splitlines(keepends=True)) for text in (first, second)]
    bursts = [[list(islice(one, at_once)) for _ in range(40)] for one in lines]
    return "".join("".join(part) for pair in zip_longest(*bursts) for part in pair)


@pytest.mark.parametrize("at_once", range(1, 10))
def test_logs_whose_lines_alternate(at_once: int):
    text = alternating(FIRST * 3, SECOND * 3, at_once)
    assert codes(text) <= {"FX002"}
    assert not all(graph.is_whole for graph in graphs_of(text))


@pytest.mark.parametrize(
    "head", ["graph():", "def forward(self, x):", "class GraphModule(torch.nn.Module):\n    def forward(self, x):"]
)
def test_a_head_that_interrupts_a_graph(head: str):
    lines = FIRST.splitlines(keepends=True)
    for place in range(5, 8):
        text = "".join([*lines[:place], head + "\n", *lines[place:]])
        assert codes(text) <= {"FX002"}, text
        # also where nothing says that this is a log
        assert codes("".join(text.splitlines(keepends=True)[2:])) <= {"FX002"}, text


def test_graphs_that_stand_one_by_one_are_judged():
    log = (FIRST + SECOND).replace("(neg, relu", "(neg, gone")
    assert codes(log) == {"FX101"}
    assert codes(DEAD + DEAD) == {"FX101", "FX201"}
    # a graph that was cut, and some lines below it another one
    cut = DEAD.rsplit("\n", 2)[0] + "\n"
    assert [graph.is_whole for graph in graphs_of(cut + "\nand then\n\n" + DEAD)] == [False, True]
    assert codes(cut + "\nand then\n\n" + DEAD) == {"FX002", "FX101", "FX201"}


def test_prefixes_keep_writers_apart():
    def behind(prefix: str, text: str) -> str:
        return "".join(prefix + line for line in text.splitlines(keepends=True))

    prefix = "V1129 10:00:00.000000 {} /a/torch/x.py:1] [0/0] [__aot_graphs] "
    text = alternating(behind(prefix.format(1), FIRST), behind(prefix.format(2), SECOND), 1)
    graphs: list[Graph] = graphs_of(text)
    assert [graph.is_whole for graph in graphs] == [True, True]
