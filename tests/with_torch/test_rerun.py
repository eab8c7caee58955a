"""Shapes by running the source, with the torch of the tests: two runs for all tests of this file."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from fxgraph.cli import main
from fxgraph.torchhost.rerun import rerun

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

MLP = """
import torch, torch.fx.experimental.proxy_tensor
from models import Mlp

model = Mlp()
traced = torch.fx.symbolic_trace(model)
print(traced.graph)
model(torch.zeros(5, 6))
print(torch.fx.symbolic_trace(model))           # now its inputs are known already

norm = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.BatchNorm1d(8))
other = torch.fx.symbolic_trace(norm)
print(other.code)
other(input=torch.randn(5, 6))
assert norm[1].num_batches_tracked == 1         # the run with fake tensors changed nothing
class Own(torch.nn.Module):
    seen = []
    def forward(self, x):
        self.seen.append(x + 1)
        return torch.stack(self.seen)

class Tracer(torch.fx.Tracer):
    def is_leaf_module(self, module, name):
        return True

own = torch.nn.Sequential(Own())
print(Tracer().trace(own))
assert own(torch.ones(2)).shape == (1, 2) and own(torch.ones(2)).shape == (2, 2)
never = torch.fx.symbolic_trace(lambda x, y=2: (x + y).chunk(2))
print(never.graph)

print(torch.fx.experimental.proxy_tensor.make_fx(model)(torch.zeros(3, 6)))

def backend(gm, _):
    print(gm.graph)
    return gm.forward

unseen = Mlp()                                  # never called itself: its hook is still on when dynamo traces it
for module in (unseen, torch.fx.symbolic_trace(unseen)):
    torch._dynamo.reset()
    torch.compile(module, backend=backend)(torch.zeros(4, 6))
"""

ODD = """
import os, sys, torch
os.chdir("/")
traced = torch.fx.symbolic_trace(torch.nn.Linear(2, 3))
traced(torch.ones(4, 2))
traced.graph.print_tabular()
sys.stdin.read()
if os.fork() == 0:
    print(torch.fx.symbolic_trace(lambda x: x + 1).graph)
    os._exit(0)
os.wait()
raise ValueError("in the end")
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "models.py").write_text((FIXTURES / "models.py").read_text())
    (folder / "mlp.py").write_text(MLP)
    (folder / "odd.py").write_text(ODD)
    return folder


@pytest.fixture(scope="module")
def ran(project):
    """What one run of the MLP's script has told."""
    return rerun(sys.executable, str(project / "mlp.py"))


@pytest.fixture
def one_run(ran, monkeypatch):
    """The command line gets that run instead of running the script again."""
    monkeypatch.setattr("fxgraph.cli.rerun_shapes.rerun", lambda *_, **__: ran)


SHAPES = {
    "x": "f32[5, 6]",
    "layers_0": "f32[5, 8]",
    "layers_1": "f32[5, 8]",
    "layers_2": "f32[5, 4]",
    "mean": "f32[5, 1]",
    "shift": "f32[4]",
    "add": "f32[5, 4]",
    "softmax": "f32[5, 4]",
    "output": None,
}


def test_what_the_run_told(ran):
    assert ran.ended is None and ran.errors == [] and ran.torch == version("torch")
    traced, again, norm, own, never, made, unseen, compiled = ran.graphs
    assert {name: told["type"] for name, told in traced.types.items()} == {
        name: kind for name, kind in SHAPES.items() if kind
    }
    assert traced.types["softmax"] == {"type": "f32[5, 4]", "stride": [4, 1], "device": "cpu", "bytes": 80}
    assert again.types == traced.types
    assert {name: told["type"] for name, told in norm.types.items()} == {
        "input_1": "f32[5, 6]", "_0": "f32[5, 8]", "_1": "f32[5, 8]",
    }  # fmt: skip
    assert never.types == {} and never.stopped is None
    # a module of the script's own was left alone until the end: then it has seen two inputs, and a fake one
    assert own.types["_0"]["type"] == "f32[3, 2]"
    assert made.types["_softmax"]["type"] == "f32[3, 4]"
    assert all(one.types["softmax"]["type"] == "f32[4, 4]" for one in (unseen, compiled))


def test_hooks_do_not_change_what_dynamo_traces(ran, project):
    alone = subprocess.run([sys.executable, "mlp.py"], cwd=project, capture_output=True, text=True, check=True)
    assert ran.output.decode() == alone.stdout


@pytest.mark.parametrize("form", ["graph.fxgraph", "code.py", "readable.py", "tabular.fxgraph", "str.txt"])
def test_every_node_of_the_traced_mlp_has_a_shape(form, one_run, project, capsys):
    dump = FIXTURES / "2.13.0" / f"mlp.symbolic.{form}"
    source = ["--shapes", "source", "--source", str(project / "mlp.py"), "--python", sys.executable]
    assert main(["inspect", "--json", str(dump), *source]) == 0
    (graph,) = json.loads(capsys.readouterr().out)["graphs"]
    assert {node["name"]: node["type"] for node in graph["nodes"]} == SHAPES
    assert {node["type_from"] for node in graph["nodes"] if node["opcode"] != "output"} == {"source"}
    assert graph["rerun"]["script"] == str(project / "mlp.py") and graph["rerun"]["matching"] == 9
    assert len(graph["rerun"]["sha256"]) == 64


def test_the_table(one_run, ran, project, tmp_path, capsys):
    fresh = FIXTURES / "2.13.0" / "mlp.symbolic.graph.fxgraph"
    stale = tmp_path / "mlp.fxgraph"
    stale.write_text(fresh.read_text().replace("torch.nn.functional.softmax", "torch.nn.functional.log_softmax"))
    source = ["--shapes", "source", "--source", str(project / "mlp.py"), "--python", sys.executable]
    assert main(["inspect", str(stale), *source]) == 0
    out = capsys.readouterr().out
    assert f"shapes: 7 values by running {ran.script} (sha256 {ran.sha256[:12]}) with torch {ran.torch}\n" in out
    assert "the source has changed: 7 of 9 nodes match what it prints\n" in out
    other = FIXTURES / "2.13.0" / "branches.make_fx.graph.fxgraph"
    assert main(["inspect", str(other), *source]) == 2
    captured = capsys.readouterr()
    assert captured.err == f"fxgraph: {other}: {project}/mlp.py prints 8 graphs, and none that is in this file\n"
    assert f"shapes: {ran.script} does not print this graph\n" in captured.out


def test_a_script_that_raises_in_the_end(project, capsys):
    dump = project / "linear.fxgraph"
    dump.write_text(
        "graph():\n"
        "    %input_1 : [num_users=2] = placeholder[target=input]\n"
        "    %weight : [num_users=1] = get_attr[target=weight]\n"
        "    %bias : [num_users=1] = get_attr[target=bias]\n"
        "    %linear : [num_users=1] = call_function[target=torch._C._nn.linear]"
        "(args = (%input_1, %weight, %bias), kwargs = {})\n"
        "    return linear\n\n"
        "graph():\n"
        "    %x : [num_users=1] = placeholder[target=x]\n"
        "    %add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {})\n"
        "    return add\n"
    )
    source = ["--shapes", "source", "--source", str(project / "odd.py"), "--python", sys.executable]
    assert main(["inspect", "--json", str(dump), *source]) == 2
    captured = capsys.readouterr()
    assert captured.err == f"fxgraph: {project}/odd.py: exit status 1: ValueError: in the end\n"
    graph, of_child = json.loads(captured.out)["graphs"]
    assert of_child["rerun"]["matching"] == 3
    assert [node["type"] for node in graph["nodes"]] == ["f32[4, 2]", "f32[3, 2]", "f32[3]", "f32[4, 3]", None]
    assert graph["rerun"]["ended"] == "exit status 1: ValueError: in the end"


def test_a_header_and_a_script_beside_a_dump_only_propose(project, capsys):
    sprung = project / "sprung"
    (project / "net.py").write_text(f"open({str(sprung)!r}, 'w')")
    (project / "net.fxgraph").write_text("graph():\n    return None\n")
    (project / "other.fxgraph").write_text("# fxgraph: source=net.py\ngraph():\n    return None\n")
    for name, reason in (("net", "beside {} there is"), ("other", "the header of {} names")):
        dump = project / f"{name}.fxgraph"
        assert main(["inspect", str(dump), "--shapes", "source"]) == 2
        assert capsys.readouterr().err == (
            f"fxgraph: --shapes source runs a script: {reason.format(dump)} {project}/net.py; "
            f"if that is it, add --source {project}/net.py\n"
        )
    assert main(["inspect", "-", "--shapes", "source"]) == 2
    assert capsys.readouterr().err == "fxgraph: --shapes source runs a script: name it with --source FILE\n"
    assert main(["inspect", str(dump), "--source", str(project / "net.py")]) == 2
    assert capsys.readouterr().err == "fxgraph: --source is for --shapes source\n"
    assert not sprung.exists()


def test_arguments_of_the_script(tmp_path, capsys):
    (tmp_path / "sized.py").write_text(
        "import sys, torch\n"
        "gm = torch.fx.symbolic_trace(lambda x: torch.relu(x))\n"
        "print(gm.graph)\n"
        "gm(torch.zeros(*map(int, sys.argv[1:])))\n"
    )
    dump = tmp_path / "sized.fxgraph"
    dump.write_text(
        "graph():\n"
        "    %x : [num_users=1] = placeholder[target=x]\n"
        "    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n"
        "    return relu\n"
    )
    command = ["inspect", "--json", str(dump), "--shapes", "source", "--source", str(tmp_path / "sized.py")]
    assert main([*command, "--python", sys.executable, "--", "3", "7"]) == 0
    (graph,) = json.loads(capsys.readouterr().out)["graphs"]
    assert [node["type"] for node in graph["nodes"]] == ["f32[3, 7]", "f32[3, 7]", None]
