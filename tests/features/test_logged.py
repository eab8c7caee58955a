import json
from pathlib import Path

import pytest

from fxgraph.cli.record import file_pieces
from fxgraph.features.hover import hover
from fxgraph.features.logged import logged_types
from fxgraph.features.markdown import plain
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.table import rows
from markers import marked

FIXTURES = Path(__file__).parents[2] / "fixtures"

REPRO = """
    class Repro(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()

        def forward(self, primals_1, primals_2):
            relu = torch.ops.aten.relu.default(primals_1);  primals_1 = None
            return (relu, primals_2)

    def load_args(reader):
        buf0 = reader.storage(None, 48)
        reader.tensor(buf0, (4, 3), is_leaf=True)  # primals_1
        buf1 = reader.storage(None, 24, device=device(type='cuda', index=0), dtype_hint=torch.float16)
        reader.tensor(buf1, (4, 3), (1, 4), dtype=torch.float16, is_leaf=True)  # primals_2
"""

LOG = """
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] TRACED GRAPH
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG]  ===== __compiled_fn_0 =====
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG]  <eval_with_key>.0 opcode         name       target                      args        kwargs
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] -------------  ---------  --------------------------  ----------  --------
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] placeholder    l_x_       L_x_                        ()          {}
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] call_method    relu       relu                        (l_x_,)     {}
    [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] output         output     output                      ((relu,),)  {}
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG] TRACED GRAPH TENSOR SIZES
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG] ===== __compiled_fn_0 =====
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG] l_x_: (s0, 3)
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG] l_x_ (concrete): (4, 3)
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG] relu: (s0, 3)
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG] relu (concrete): (4, 3)
    [2024-01-02 12:00:00,001] [0/0] torch._dynamo.output_graph.__graph_sizes: [DEBUG]
"""


def told(text):
    snapshot = Snapshot(text)
    (graph,) = snapshot.dump.graphs
    return logged_types(snapshot, graph)


def test_what_a_repro_loads():
    assert told(marked(REPRO).text) == {"primals_1": "f32[4, 3]cpu", "primals_2": "f16[4, 3][1, 4]cuda:0"}


LOADED = """
    class Repro(torch.nn.Module):
        def forward(self, arg0_1, arg1_1, arg2_1):
            relu = torch.ops.aten.relu.default(arg1_1);  arg1_1 = None
            return (relu, arg2_1)

    def load_args(reader):
        {calls}
    load_args._version = 0
"""
SYMBOLIC = """
    class Repro(torch.nn.Module):
        def forward(self, arg0_1, arg1_1, arg2_1):
            relu = torch.ops.aten.relu.default(arg1_1);  arg1_1 = None
            return (relu, arg2_1)

    def load_args(reader):
        reader.symint(4, expr='s77')  # arg0_1
        buf0 = reader.storage(None, 4*s27*(s77 - 1) + 4*s27)
        reader.tensor(buf0, (s77, s27), (2*s27, 1), dtype=torch.int64, is_leaf=True)  # arg1_1
        reader.tensor(buf0, (), is_leaf=True)  # arg2_1
    load_args._version = 0
"""
#: As `ruff format` writes it.
FORMATTED = """
    class Repro(torch.nn.Module):
        def forward(self, arg0_1, arg1_1, arg2_1):
            relu = torch.ops.aten.relu.default(arg1_1)
            arg1_1 = None
            return (relu, arg2_1)


    def load_args(reader):
        reader.symint(
            4,
            expr="s77",
        )  # arg0_1
        buf0 = reader.storage(
            None, 4 * s27 * (s77 - 1) + 4 * s27, device=device(type="cuda", index=0)
        )
        reader.tensor(
            buf0,
            (
                s77,
                s27,
            ),
            (2 * s27, 1),
            dtype=torch.int64,
            is_leaf=True,
        )  # arg1_1
        reader.tensor(buf0, (), is_leaf=True)  # arg2_1
"""


def test_symbolic_sizes_that_a_repro_loads():
    expected = {"arg0_1": "Sym(s77)", "arg1_1": "i64[s77, s27][2*s27, 1]cpu", "arg2_1": "f32[]cpu"}
    assert told(marked(SYMBOLIC).text) == expected


def test_a_formatted_repro():
    expected = {"arg0_1": "Sym(s77)", "arg1_1": "i64[s77, s27][2 * s27, 1]cuda:0", "arg2_1": "f32[]cuda:0"}
    assert told(marked(FORMATTED).text) == expected


def test_several_repros_in_one_text():
    snapshot = Snapshot(marked(REPRO).text + "\n" + marked(SYMBOLIC).text)
    first, second = snapshot.dump.graphs
    assert sorted(logged_types(snapshot, first)) == ["primals_1", "primals_2"]
    assert sorted(logged_types(snapshot, second)) == ["arg0_1", "arg1_1", "arg2_1"]


def test_a_nested_graph_has_inputs_of_its_own():
    nested = """
        class body_0(torch.nn.Module):
            def forward(self, primals_1):
                relu = torch.ops.aten.relu.default(primals_1);  primals_1 = None
                return (relu,)

    def load_args"""
    snapshot = Snapshot(marked(REPRO.replace("\n    def load_args", nested)).text)
    first, second = snapshot.dump.graphs
    assert second.parent == 0
    assert sorted(logged_types(snapshot, first)) == ["primals_1", "primals_2"]
    assert logged_types(snapshot, second) == {}


@pytest.mark.parametrize(
    "call",
    [
        "reader.tensor(buf0)  # arg0_1",
        "reader.tensor(buf0, (4, 3)  # arg0_1",
        "reader.tensor(buf0, (4, 3), dtype=torch.strange)  # arg0_1",
        "reader.tensor(buf0, (4, 3))  # arg0_1[0]",
        "reader.tensor(buf0, (4, 3))",
        "reader.symint()  # arg0_1",
        "reader.unsupported('arg0_1')  # unsupported type for dumping: <class 'list'>",
    ],
)
def test_what_tells_no_type(call):
    assert told(marked(LOADED).text.format(calls=call)) == {}


def test_sizes_of_a_log():
    assert told(marked(LOG).text) == {"l_x_": "(s0, 3)", "relu": "(s0, 3)"}


@pytest.mark.parametrize(
    "changed",
    [
        LOG.replace("[0/0] torch._dynamo.output_graph.__graph_sizes", "[0/1] torch._dynamo.output_graph.__graph_sizes"),
        LOG.replace("relu: (s0", "other: (s0"),
        LOG + LOG[LOG.index("    [2024-01-02 12:00:00,001]") :],
    ],
    ids=["another compilation", "a name that the graph has not", "two lists"],
)
def test_sizes_that_may_be_of_another_graph_are_left_out(changed):
    assert told(marked(changed).text) == {}


def test_hovers():
    repro, log = marked(REPRO), marked(LOG)
    of_input = plain(hover(repro.snapshot, repro.at("primals_1, primals_2):")).markdown)
    assert "f32[4, 3]cpu, 48 B (loaded by load_args)" in of_input
    assert "self = primals_1: f32[4, 3]cpu, 48 B" in plain(hover(repro.snapshot, repro.at("relu = ")).markdown)
    of_value = plain(hover(log.snapshot, log.at("relu       relu")).markdown)
    assert "sizes (s0, 3) (logged)" in of_value


def test_json_and_table():
    repro, log = Snapshot(marked(REPRO).text), Snapshot(marked(LOG).text)
    nodes = json.loads("".join(file_pieces("a", repro)))["graphs"][0]["nodes"]
    assert [(one["type"], one["type_from"]) for one in nodes] == [
        ("f32[4, 3]cpu", "logged"),
        ("f16[4, 3][1, 4]cuda:0", "logged"),
        (None, None),
        (None, None),
    ]
    (graph,) = log.dump.graphs
    table = rows(log.facts[0], graph.nodes, logged=logged_types(log, graph))
    assert [row.cells[3:5] for row in table] == [("(s0, 3)", ""), ("(s0, 3)", ""), ("", "")]


@pytest.mark.parametrize("release", ["2.2.2", "2.13.0"])
def test_a_script_that_torch_wrote(release):
    text = (FIXTURES / release / "mlp.inductor_forward.fx_graph_runnable.py").read_text()
    snapshot = Snapshot(text)
    (graph,) = snapshot.dump.graphs
    inputs = [node.name for node in graph.nodes if node.opcode == "placeholder"]
    assert list(logged_types(snapshot, graph)) == inputs
