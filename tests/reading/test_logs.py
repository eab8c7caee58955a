"""TORCH_LOGS of both generations, TORCH_TRACE, and logs whose writers alternate."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fxgraph.graph import Dump, Graph
from fxgraph.reading import read
from reading.checks import check_graphs, line_of
from reading.invariants import check_read

FIXTURES = Path(__file__).parents[2] / "fixtures"
GRAPH = """ ===== __compiled_fn_1 =====
 /home/user/.venv/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[2][1]cpu"):
        l_x_ = L_x_

        # File: net.py:4 in forward, code: return x.sin()
        sin: "f32[2][1]cpu" = torch.sin(l_x_);  l_x_ = None
        return (sin,)


"""
NODES = """
l_x_ : f32[2][1]cpu = placeholder L_x_
sin : f32[2][1]cpu = call_function torch.sin(l_x_) - l_x_
output = output (sin)
"""


def prefixed(prefix: str, text: str = GRAPH) -> str:
    """Every line of a message behind a prefix, blank lines too, as torch writes them."""
    return "".join(f"{prefix} {line}\n" for line in ["TRACED GRAPH", *text.splitlines()])


def everything(graph: Graph) -> tuple[object, ...]:
    return graph.rank, graph.compile_id, graph.title, graph.name, graph.has_end, tuple(map(line_of, graph.nodes))


@pytest.mark.parametrize(
    ("prefix", "rank", "compile_id"),
    [
        ("V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353] [0/0] [__graph_code]", None, "0/0"),
        ("V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353] [0/1_2] [__graph_code]", None, "0/1_2"),
        ("V1129 17:00:19.472000 4242 torch/_dynamo/compiled_autograd.py:3] [!0] [__compiled_autograd]", None, "!0"),
        ("I1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353]", None, None),
        ("[rank3]:V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:13] [0/0] [__graph_code]", 3, "0/0"),
        ("[2026-11-29 17:00:19,472] [1/0] torch._dynamo.output_graph.__graph_code: [DEBUG]", None, "1/0"),
        ("[2026-11-29 17:00:19,472] torch._dynamo.output_graph.__graph_code: [DEBUG]", None, None),
        ("2026-11-29T17:00:19.1234567Z", None, None),
        ("2026-11-29T17:00:19.1234567Z [rank1]:", 1, None),
    ],
)
def test_prefixes(prefix: str, rank: int | None, compile_id: str | None):
    dump = check_graphs(prefixed(prefix), "[GraphModule, readable, log]" + NODES)
    assert (dump.graphs[0].rank, dump.graphs[0].compile_id) == (rank, compile_id)
    assert dump.graphs[0].title == "__compiled_fn_1"


@pytest.mark.parametrize("first", ["", "DEBUG torch._dynamo: ", "my format 17:00 | "])
def test_custom_formats_have_a_prefix_on_the_first_line_at_most(first: str):
    check_graphs(first + "TRACED GRAPH\n" + GRAPH, "[GraphModule, readable, log]" + NODES)


def test_graphs_that_the_optimizer_of_ddp_splits():
    message = "".join(
        f"---{title} graph---\ngraph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n\n"
        for title in ("orig", "submod_0")
    )
    prefix = "[rank0]:V1129 17:00:19.472000 4242 torch/_dynamo/backends/distributed.py:619] [4/0] [__ddp_graphs]"
    dump = check_read("".join(f"{prefix} {line}\n" for line in message.splitlines()))
    assert titles(dump) == [("orig graph", "4/0"), ("submod_0 graph", "4/0")]


def test_lines_of_other_records_between():
    prefix = "V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353] [0/0] [__graph_code]"
    lines = prefixed(prefix).splitlines(keepends=True)
    other = "V1129 17:00:19.472000 4242 torch/_dynamo/symbolic_convert.py:1] [0/0] [__trace_source]     def forward(self, x):\n"
    mixed = "".join(line + other + "a warning without a prefix\n" for line in lines)
    check_graphs(mixed, "[GraphModule, readable, log]" + NODES)


def test_compilations_that_alternate():
    texts = [
        prefixed(f"V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353] [{number}/0] [__graph_code]")
        for number in (0, 1)
    ]
    mixed = "".join(one + other for one, other in zip(*(text.splitlines(keepends=True) for text in texts), strict=True))
    dump = check_graphs(mixed, ("[GraphModule, readable, log]" + NODES) * 2)
    assert [graph.compile_id for graph in dump.graphs] == ["0/0", "1/0"]


def test_nodes_that_inductor_lowers_are_no_graph_of_the_model():
    prefix = "V1129 17:00:19.472000 4242 torch/_inductor/graph.py:1353] [0/0] "
    check_graphs(
        f"{prefix}lowering %x : [num_users=1] = placeholder[target=x]\n"
        f"{prefix}  via <function>\n"
        f"{prefix}lowering %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {{}})\n",
        """
        [graph_str, log, no head, no end]
        x = placeholder x
        sin = call_function torch.ops.aten.sin.default(x)
        """,
    )


def alternating(texts: list[str], chance: random.Random) -> Iterator[str]:
    """The lines of several texts, each in its own order, mixed as they come out of several processes."""
    queues = [text.splitlines(keepends=True) for text in texts]
    while queue := [lines for lines in queues if lines]:
        yield chance.choice(queue).pop(0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("release", ["2.13.0", "2.2.2"])
def test_ranks_that_alternate(release: str, seed: int):
    logs = [FIXTURES / release / f"{model}.compile.TORCH_LOGS.log" for model in ("mlp", "branches")]
    texts = [
        "".join(f"[rank{rank}]:{line}" for line in log.read_text(encoding="utf-8").splitlines(keepends=True))
        for rank, log in enumerate(logs)
    ]
    mixed = check_read("".join(alternating(texts, random.Random(seed))))
    single = [graph for text in texts for graph in check_read(text).graphs]
    assert len(single) > 10
    assert Counter(map(everything, mixed.graphs)) == Counter(map(everything, single))
    assert {graph.rank for graph in mixed.graphs} == {0, 1}


@pytest.mark.parametrize("worker", ["[1,{}]<stdout>:", "(train pid=424{}) ", "(Worker(Net) pid=424{}, ip=10.0.0.1) "])
def test_workers_that_alternate(worker: str):
    """What a launcher writes in front of each line tells the workers apart, whatever they print."""
    paths = [FIXTURES / "2.13.0" / f"{name}.graph.fxgraph" for name in ("mlp.export", "net.symbolic")]
    clean = [path.read_text(encoding="utf-8") + "\n" for path in paths]
    texts = ["".join(worker.format(n) + line for line in text.splitlines(True)) for n, text in enumerate(clean)]
    mixed = check_read("".join(alternating(texts, random.Random(0))))
    single = [list(map(line_of, graph.nodes)) for text in clean for graph in read(text).graphs]
    assert sorted(list(map(line_of, graph.nodes)) for graph in mixed.graphs) == sorted(single)
    assert len({(graph.rank, graph.process) for graph in mixed.graphs}) == 2


def titles(dump: Dump) -> list[tuple[str | None, str | None]]:
    return [(graph.title, graph.compile_id) for graph in dump.graphs if graph.parent is None]


def test_trace():
    dump = check_read((FIXTURES / "2.13.0" / "mlp.compile.TORCH_TRACE.log").read_text(encoding="utf-8"))
    assert titles(dump) == [
        ("dynamo_output_graph", "0/0"),
        ("before_pre_grad_graph", "0/0"),
        ("after_pre_grad_graph", "0/0"),
        ("aot_joint_graph", "0/0"),
        ("aot_forward_graph", "0/0"),
        ("aot_backward_graph", "0/0"),
        ("fx_graph_runnable", "0/0"),
        ("before_post_grad_graph", "0/0"),
        ("inductor_post_grad_graph", "0/0"),
        ("fx_graph_runnable", "0/0"),
        ("before_post_grad_graph", "0/0"),
        ("inductor_post_grad_graph", "0/0"),
    ]
    assert all(graph.has_end and not graph.broken for graph in dump.graphs)


def test_payloads_of_a_trace_are_the_artefacts_written_by_themselves():
    # tlparse writes each payload into a file of its own, without the tabs
    text = (FIXTURES / "2.13.0" / "mlp.compile.TORCH_TRACE.log").read_text(encoding="utf-8")
    files: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("\t"):
            files[-1] += line[1:]
        else:
            files.append("")
    alone = [list(map(line_of, graph.nodes)) for file in files for graph in read(file).graphs]
    assert len(alone) == 12
    assert alone == [list(map(line_of, graph.nodes)) for graph in read(text).graphs]


def test_the_graphs_in_a_log_of_everything():
    log = check_read((FIXTURES / "2.13.0" / "net.compile.TORCH_LOGS_dynamo.log").read_text(encoding="utf-8"))
    assert {graph.compile_id for graph in log.graphs} == {"0/0"}
    for graph, stage in zip(log.graphs, ("dynamo", "aot_joint", "aot_forward", "aot_backward"), strict=True):
        (alone,) = read((FIXTURES / "2.13.0" / f"net.{stage}.graph.fxgraph").read_text(encoding="utf-8")).graphs
        assert [(node.name, node.opcode, node.target, tuple(node.reads)) for node in graph.nodes] == [
            (node.name, node.opcode, node.target, tuple(node.reads)) for node in alone.nodes
        ]


def test_trace_and_log_show_the_same_dynamo_graph():
    log = read((FIXTURES / "2.13.0" / "mlp.compile.TORCH_LOGS.log").read_text(encoding="utf-8")).graphs[0]
    trace = read((FIXTURES / "2.13.0" / "mlp.compile.TORCH_TRACE.log").read_text(encoding="utf-8")).graphs[0]
    assert list(map(line_of, log.nodes)) == list(map(line_of, trace.nodes))


def test_a_record_of_a_trace_that_is_no_json():
    check_graphs(
        'V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353] {"dynamo_output_graph": {"sizes": \n'
        + "".join(f"\t{line}\n" for line in GRAPH.splitlines()[1:]),
        "[GraphModule, readable, trace]" + NODES,
    )


def test_a_graph_of_one_payload_does_not_go_on_in_the_next():
    record = 'V1129 17:00:19.472000 4242 torch/_dynamo/output_graph.py:1353] {"dynamo_output_graph": {}, "has_payload": "a"}\n'
    cut = "".join(f"\t{line}\n" for line in GRAPH.splitlines()[1:-3])
    dump = check_read(record + cut + record + "".join(f"\t{line}\n" for line in GRAPH.splitlines()[1:]))
    assert [(len(graph.nodes), graph.has_end) for graph in dump.graphs] == [(2, False), (3, True)]


def test_forward_graphs_know_what_their_backward_graphs_read():
    for release in ("2.13.0", "2.2.2"):
        graphs = read((FIXTURES / release / "mlp.compile.TORCH_LOGS.log").read_text(encoding="utf-8")).graphs
        forward, backward = (
            next(graph for graph in graphs if word in (graph.title or "")) for word in ("Forward", "Backward")
        )
        saved = forward.signature["saved_for_backward"]
        assert saved
        assert set(saved) <= {node.name for node in backward.nodes if node.opcode == "placeholder"}
