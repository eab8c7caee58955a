"""Logs as they reach an issue: quoted, behind what a launcher writes, of several processes, with blanks trimmed."""

from pathlib import Path
from textwrap import dedent

import pytest

from features_of import codes, graphs_of
from fxgraph.features.compiles import compiles_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "2.13.0"
LOG = next(path for path in sorted(FIXTURES.glob("*.log")) if "TRACE" not in path.name).read_text(encoding="utf-8")
TRACE = next(FIXTURES.glob("*TRACE*.log")).read_text(encoding="utf-8")
LEADERS = [
    "> ",
    ">> ",
    "    ",
    "\t",
    "E   ",
    "# ",
    "| ",
    " * ",
    "[default0]:",
    "(RayTrainWorker pid=123) ",
    "0: ",
    "12:",
    "+",
]


def told(text: str) -> list[tuple]:
    return [
        (
            graph.title,
            graph.compile_id,
            graph.form,
            [(node.name, node.opcode, tuple(node.reads)) for node in graph.nodes],
        )
        for graph in graphs_of(text)
    ]


@pytest.mark.parametrize("leader", LEADERS)
def test_a_log_reads_the_same_behind_a_leader(leader):
    assert told(LOG)
    assert told("".join(f"{leader}{line}" for line in LOG.splitlines(keepends=True))) == told(LOG)


@pytest.mark.parametrize("leader", ["[default1]:[rank1]:", "worker-1  | [rank1]:"])
def test_a_launcher_in_front_of_a_rank(leader):
    text = "".join(f"{leader}{line}" for line in LOG.splitlines(keepends=True))
    assert told(text) == told(LOG)
    assert {graph.rank for graph in graphs_of(text)} == {1}


@pytest.mark.parametrize("leader", ["", "> ", "    "])
def test_a_trace_whose_blanks_were_trimmed(leader):
    text = "\n".join((leader + line).rstrip() for line in TRACE.split("\n"))
    assert told(text) == told(TRACE)
    assert codes(text) == codes(TRACE)


def test_processes_without_a_rank_are_kept_apart():
    def process(number: int, saved: str) -> str:
        front = f"V1129 16:54:08.202000 {number} torch/fx.py:1833] [0/0] [__aot_graphs] "
        body = f"""
            ===== Forward graph 0 =====
            m.py class GraphModule(torch.nn.Module):
               def forward(self, primals_1: "f32[2]"):
                   {saved}: "f32[2]" = torch.ops.aten.exp.default(primals_1)
                   return ({saved}, primals_1, {saved})
            ===== Backward graph 0 =====
            m.py class GraphModule(torch.nn.Module):
               def forward(self, {saved}: "f32[2]", tangents_1: "f32[2]"):
                   mul: "f32[2]" = torch.ops.aten.mul.Tensor({saved}, tangents_1)
                   return (mul,)
        """
        return "".join(f"{front} {line}\n" for line in dedent(body).strip().split("\n"))

    graphs = graphs_of(process(11, "exp") + process(22, "add"))
    assert [graph.signature.get("saved_for_backward") for graph in graphs] == [["exp"], None, ["add"], None]
    assert [group.name for group in compiles_of(graphs)] == ["process 11 [0/0]", "process 22 [0/0]"]
    assert [group.name for group in compiles_of(graphs[:2])] == ["[0/0]"]


@pytest.mark.parametrize(("first", "compile_id"), [("", None), ("12:00:01 dynamo [0/1] [__graph_code] ", "0/1")])
def test_a_log_without_prefixes_tells_its_titles(first, compile_id):
    text = f"""{first}TRACED GRAPH
 ===== Forward graph 0 =====
 m.py class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2]"):
        exp: "f32[2]" = torch.ops.aten.exp.default(primals_1)
        return (exp, exp)
"""
    (graph,) = graphs_of(text)
    assert (graph.container, graph.title, graph.compile_id) == ("log", "Forward graph 0", compile_id)


def test_a_heading_of_pytest_is_no_title():
    (graph,) = graphs_of(
        "===== FAILURES =====\ngraph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n"
    )
    assert graph.title is None


def test_a_log_that_was_appended_to_pairs_the_nearest():
    def run(saved: str) -> str:
        front = "V1129 16:54:08.202000 7 torch/fx.py:1833] [0/0] [__aot_graphs] "
        lines = f""" ===== Forward graph 0 =====
 m.py class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2]"):
        {saved}: "f32[2]" = torch.ops.aten.exp.default(primals_1)
        return ({saved}, primals_1)
 ===== Backward graph 0 =====
 m.py class GraphModule(torch.nn.Module):
    def forward(self, {saved}: "f32[2]", tangents_1: "f32[2]"):
        mul: "f32[2]" = torch.ops.aten.mul.Tensor({saved}, tangents_1)
        return (mul,)"""
        return "".join(f"{front}{line}\n" for line in lines.split("\n"))

    graphs = graphs_of(run("exp") + run("add"))
    assert [graph.signature.get("saved_for_backward") for graph in graphs] == [["exp"], None, ["add"], None]
