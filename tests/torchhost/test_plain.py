"""Graphs as plain JSON, from every form."""

import json

import pytest

from fxgraph.reading import read
from fxgraph.torchhost.inputs import header_inputs, told_inputs
from fxgraph.torchhost.plain import plain, plain_type
from markers import marked

X, Y = {"n": "x"}, {"n": "y"}


def nodes_of(source: str) -> list[list]:
    """The nodes of the first graph, inputs left out."""
    dump = read(marked(source).text)
    told, order = plain(dump, dump.graphs[0])
    assert order[0] is dump.graphs[0]
    json.dumps(told)
    return [node for node in told["graphs"][0]["nodes"] if node[1] != "placeholder"]


FORMS = [
    """
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%x, [0]), kwargs = {dtype: torch.float32})
        return sum_1
    """,
    """
    def forward(self, x):
        sum_1 = torch.ops.aten.sum.dim_IntList(x, [0], dtype = torch.float32);  x = None
        return sum_1
    """,
    """
    opcode         name    target                args        kwargs
    -------------  ------  --------------------  ----------  ------------------------
    placeholder    x       x                     ()          {}
    call_function  sum_1   aten.sum.dim_IntList  (x, [0])    {'dtype': torch.float32}
    output         output  output                (sum_1,)    {}
    """,
]


@pytest.mark.parametrize("source", FORMS)
def test_every_form_says_the_same(source):
    assert nodes_of(source) == [
        [
            "sum_1",
            "call_function",
            "torch.ops.aten.sum.dim_IntList",
            [X, [0]],
            [["dtype", {"w": "torch.float32"}]],
            None,
        ],
        ["output", "output", "output", [{"n": "sum_1"} | ({"w": "sum_1"} if "graph()" in source else {})], [], None],
    ]


def test_what_code_writes_without_calls():
    found = nodes_of("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]", y: "f32[2]"):
                neg: "f32[2]" = -x
                add: "f32[2]" = x + 1
                x += y;  iadd = x
                x[0] = 3.0;  setitem = x;  setitem = None
                getitem: "f32[]" = x[(slice(None, 1, None), Ellipsis)]
                size = x.shape
                view: "f32[1, 2]" = x.view(1, -1)
                return (neg, add)
    """)
    assert [(name, target, args) for name, _, target, args, _, _ in found] == [
        ("neg", "operator.neg", [X]),
        ("add", "operator.add", [X, 1]),
        ("iadd", "operator.iadd", [X, Y]),
        ("setitem", "operator.setitem", [X, 0, 3.0]),
        ("getitem", "operator.getitem", [X, {"t": [{"c": [None, 1, None]}, {"e": 1}]}]),
        ("size", "builtins.getattr", [X, {"s": "shape"}]),
        ("view", "view", [X, 1, -1]),
        ("output", "output", [{"t": [{"n": "neg"}, {"n": "add"}]}]),
    ]


def test_a_call_that_cannot_be_read_is_none():
    (node, _) = nodes_of("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %f : [num_users=1] = call_function[target=torch.add](args = (%x, [), kwargs = {})
            return f
    """)
    assert node[3] is None


def test_bodies():
    dump = read(
        marked("""
        class GraphModule(torch.nn.Module):
            def forward(self, p: "b8[]", x: "f32[2]"):
                true_graph_0 = self.true_graph_0
                false_graph_0 = self.false_graph_0
                cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,))
                getitem: "f32[2]" = cond[0];  cond = None
                return (getitem,)

            class true_graph_0(torch.nn.Module):
                def forward(self, x: "f32[2]"):
                    sin: "f32[2]" = torch.ops.aten.sin.default(x);  x = None
                    return (sin,)

            class false_graph_0(torch.nn.Module):
                def forward(self, x: "f32[2]"):
                    cos: "f32[2]" = torch.ops.aten.cos.default(x);  x = None
                    return (cos,)
        """).text
    )
    told, order = plain(dump, dump.graphs[0])
    assert told["graphs"][0]["children"] == {"true_graph_0": 1, "false_graph_0": 2}
    assert [graph.name for graph in order] == ["GraphModule", "true_graph_0", "false_graph_0"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("f32[2, s0]", ["tensor", "f32", [2, "s0"], None, None]),
        ("f32[2, 3][3, 1]cuda:0", ["tensor", "f32", [2, 3], [3, 1], "cuda:0"]),
        ("Parameter(f32[2])", ["tensor", "f32", [2], None, None]),
        ("Sym(s0 + 1)", ["sym", "s0 + 1"]),
        ("DTensor(f32[2], S(0))", None),
        ("torch.Tensor", None),
        (None, None),
    ],
)
def test_types(text, told):
    assert plain_type(text) == told


def test_header_line():
    assert header_inputs("x:f32[2,3],n:Sym(s0),y:i64[4][1]cuda:0") == {
        "x": "f32[2,3]",
        "n": "Sym(s0)",
        "y": "i64[4][1]cuda:0",
    }
    assert header_inputs("nonsense,:,x") == {}
    dump = read("# fxgraph: inputs=x:f32[2,3]\n" + marked(FORMS[0]).text)
    told, _ = plain(dump, dump.graphs[0], told_inputs(dump, dump.graphs[0]))
    assert told["graphs"][0]["nodes"][0][5] == ["tensor", "f32", [2, 3], None, None]


def test_a_repro_script_tells_its_inputs():
    dump = read(
        marked("""
        class Repro(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()

            def forward(self, arg0_1, arg1_1, arg2_1):
                add = torch.ops.aten.add.Tensor(arg1_1, arg0_1);  arg1_1 = arg0_1 = None
                return (add,)

        def load_args(reader):
            buf0 = reader.storage(None, 32, device=device(type='cuda', index=0))
            reader.tensor(buf0, (2, 4), is_leaf=True)  # arg0_1
            buf1 = reader.storage(None, 16, dtype_hint=torch.int64)
            reader.tensor(buf1, (2, 1), (1, 2), dtype=torch.int64, is_leaf=True)  # arg1_1
            reader.symint(7)  # arg2_1
        load_args._version = 0
        """).text
    )
    assert told_inputs(dump, dump.graphs[0]) == {
        "arg0_1": "f32[2, 4]cuda:0",
        "arg1_1": "i64[2, 1][1, 2]cpu",
        "arg2_1": "Sym(7)",
    }
