"""`fxgraph capture` and the dynamo backend, with the torch of the tests."""

import json
import os
import subprocess
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from fxgraph.cli import main
from fxgraph.reading import read
from fxgraph.torchhost.capture import capture

SERVER = Path(__file__).resolve().parents[2] / "server"

SCRIPT = """
import os, sys, torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 4)

    def forward(self, x):
        return torch.relu(self.fc(x)).sum()

net = Net()
traced = torch.fx.symbolic_trace(net)
for _ in range(3):
    print(traced.graph)
traced.print_readable()
traced.graph.print_tabular()
print(traced)
compiled = torch.compile(net, backend="aot_eager")
compiled(torch.ones(2, 3)).backward()
print(traced.code)
with torch.no_grad():
    compiled(torch.ones(5, 3))
program = torch.export.export(net, (torch.ones(2, 3),))
print(program)
if os.fork() == 0:
    traced.graph.erase_node(list(traced.graph.nodes)[-1])
    print(traced.graph)
    os._exit(0)
os.wait()
os._exit(7)
"""

FILES = [
    "001.printed_graph_str.fxgraph",
    "002.printed_readable.fxgraph",
    "003.printed_tabular.fxgraph",
    "004.printed_module_str.fxgraph",
    "005.dynamo.0_0.fxgraph",
    "006.aot_joint.0_0.fxgraph",
    "007.aot_forward.0_0.fxgraph",
    "008.aot_backward.0_0.fxgraph",
    "009.printed_code.fxgraph",
    "010.dynamo.0_1.fxgraph",
    "011.aot_inference.0_1.fxgraph",
    "012.export.fxgraph",
    "013.printed_graph_str.fxgraph",
]


def test_every_graph_is_saved_twice_the_same(tmp_path, capfd):
    script, folder = tmp_path / "train.py", tmp_path / "dumps"
    script.write_text(SCRIPT)
    for _ in range(2):
        assert main(["capture", "-o", str(folder), "--python", sys.executable, str(script)]) == 7
        captured = capfd.readouterr()
        assert captured.err == ""
        # what the script printed is on its own stream, as always
        assert captured.out.count("graph():\n") == 4 and captured.out.count("ExportedProgram:") == 1
        assert sorted(path.name for path in folder.iterdir()) == [*FILES, "index.json"]
    index = json.loads((folder / "index.json").read_text())
    assert [one["file"] for one in index["graphs"]] == FILES
    assert index["torch"] == version("torch")
    stages = Counter(one["stage"] for one in index["graphs"])
    assert stages["dynamo"] == 2 and stages["aot_joint"] == stages["aot_backward"] == stages["export"] == 1
    for name in FILES:
        dump = read((folder / name).read_text(), str(folder / name))
        (graph,) = dump.graphs
        assert len(graph.nodes) >= 4 and not graph.broken
        assert dump.header["source"] == "../train.py" and dump.header["torch"] == version("torch")
    assert main(["check", str(folder)]) == 0
    # the last one was broken on purpose; nothing is wrong with what torch has made
    (finding, _, summary) = capfd.readouterr().out.splitlines()
    assert finding.startswith(f"{folder}/{FILES[-1]}:6:6: information FX002: ")
    assert summary == "1 finding in 13 graphs: 1 information"


BACKEND = """
import torch
from fxgraph.torchhost.host.backend import fxgraph

net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
compiled = torch.compile(net, backend=fxgraph)
x = torch.ones(2, 3)
result = compiled(x)
assert torch.equal(result, net(x))
result.sum().backward()
"""


def test_the_backend_saves_and_runs(tmp_path):
    (tmp_path / "train.py").write_text(BACKEND)
    env = {**os.environ, "PYTHONPATH": str(SERVER), "FXGRAPH_DIR": "dumps"}
    subprocess.run([sys.executable, "train.py"], cwd=tmp_path, env=env, check=True)
    paths = sorted((tmp_path / "dumps").iterdir())
    stages = ["dynamo", "aot_forward", "aot_backward"]
    assert [path.name for path in paths] == [f"{n:03}.{stage}.0_0.fxgraph" for n, stage in enumerate(stages, 1)]
    for path, stage in zip(paths, stages, strict=True):
        dump = read(path.read_text())
        assert dump.header["stage"] == stage and dump.header["source"] == "../train.py"
        assert len(dump.graphs) == 1


def test_another_backend_and_the_users_own_trace(tmp_path, monkeypatch):
    script = tmp_path / "train.py"
    script.write_text(
        "import torch; from fxgraph.torchhost.host.backend import fxgraph\n"
        "assert torch.compile(torch.relu, backend=fxgraph)(-torch.ones(2)).sum() == 0"
    )
    monkeypatch.setenv("TORCH_TRACE", str(tmp_path / "trace"))
    monkeypatch.setenv("PYTHONPATH", str(SERVER))
    monkeypatch.setenv("FXGRAPH_DIR", str(tmp_path / "dumps"))
    monkeypatch.setenv("FXGRAPH_BACKEND", "eager_noexcept")
    ran = capture(sys.executable, str(script))
    assert ran.status == 0 and [one.name for one in ran.graphs] == ["dynamo"]
    assert [path.name for path in (tmp_path / "dumps").iterdir()] == ["001.dynamo.0_0.fxgraph"]
    assert len(list((tmp_path / "trace").iterdir())) == 1
