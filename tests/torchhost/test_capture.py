"""The run of a script whose graphs are saved: the same as the user's own run, and files with stable names."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import pytest
import tomllib

from fxgraph.cli import main
from fxgraph.reading import read
from fxgraph.torchhost.capture import capture
from fxgraph.torchhost.captured import CapturedGraph, captured_graphs
from fxgraph.torchhost.saving import file_stems, save
from fxgraph.torchhost.trace import traced_graphs

ROOT = Path(__file__).parents[2]

#: Two compilations as TORCH_TRACE writes them, without their other records.
TRACE = """\
V0102 12:00:00.000000 4242 torch/_logging/structured.py:28] {"str": ["/home/user/proj/net.py", 1]}
V0102 12:00:00.000000 4242 torch/_dynamo/output_graph.py:2841] {"dynamo_output_graph": {"sizes": {"l_x_": [2]}}, \
"frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "0f"}
\tclass GraphModule(torch.nn.Module):
\t    def forward(self, L_x_: "f32[2][1]cpu"):
\t        l_x_ = L_x_
\t        relu: "f32[2][1]cpu" = torch.relu(l_x_);  l_x_ = None
\t        return (relu,)
\t
V0102 12:00:00.000000 4242 torch/x.py:1] {"artifact": {"name": "aot_forward_graph_fw_metadata", "encoding": "string"}, \
"frame_id": 0, "frame_compile_id": 0, "has_payload": "0f"}
\tViewAndMutationMeta(graph, graph)
V0102 12:00:00.000000 4242 torch/x.py:1] {"aot_inference_graph": {}, "rank": 1, "frame_id": 0, "frame_compile_id": 1, \
"attempt": 2, "has_payload": "0f"}
\tclass <lambda>(torch.nn.Module):
\t    def forward(self, arg0_1: "f32[2][1]cpu"):
\t        relu: "f32[2][1]cpu" = torch.ops.aten.relu.default(arg0_1);  arg0_1 = None
\t        return (relu,)
V0102 12:00:00.000000 4242 torch/x.py:1] {"compilation_metrics": {}, "frame_id": 0}
"""


def test_graphs_of_a_trace():
    first, second = traced_graphs(TRACE.encode())
    assert (first.name, first.compile_id, first.rank) == ("dynamo_output_graph", "0/0", None)
    assert first.text.startswith("class GraphModule(torch.nn.Module):\n    def forward(")
    assert (second.name, second.compile_id, second.rank) == ("aot_inference_graph", "0/1_2", 1)
    assert TRACE.encode()[first.at :].startswith(b"V0102 12:00:00.000000 4242 torch/_dynamo/output_graph.py")
    for end in range(0, len(TRACE), 7):
        assert len(list(traced_graphs(TRACE.encode()[:end]))) <= 2


def test_a_journal_and_its_trace_are_put_together_in_order():
    first, second = traced_graphs(TRACE.encode())
    printed = "graph():\n    %x : [num_users=0] = placeholder[target=x]\n    return x"
    journal = [
        {"torch": "2.13.0", "began": 1.0},
        {"printed": "graph_str", "text": printed, "trace": None, "at": 0},
        {"made": "export", "text": first.text + "\n# another", "trace": "a.log", "at": second.at},
        {"printed": "readable", "text": first.text, "trace": "a.log", "at": second.at},
        {"printed": "graph_str", "text": printed, "trace": "a.log", "at": len(TRACE)},
    ]
    graphs = captured_graphs([journal], {"a.log": TRACE.encode()})
    assert [(one.name, one.stage, one.compile_id, one.nodes) for one in graphs] == [
        ("printed_graph_str", None, None, 2),
        ("dynamo", "dynamo", "0/0", 3),
        ("export", "export", None, 3),
        ("aot_inference", "aot_inference", "0/1_2", 3),
    ]
    assert {one.rank for one in graphs} == {1}


def graph(name="dynamo", compile_id="0/0", rank=None):
    return CapturedGraph(name, "dynamo", compile_id, rank, "graph():\n    return None\n", 1)


def test_names_of_files():
    assert file_stems([graph(), graph("export", None)]) == ["001.dynamo.0_0", "002.export"]
    ranks = [graph(rank=2), graph("aot_joint", "!0/1/0_2", 2), graph(rank=10)]
    assert file_stems(ranks) == ["rank02.001.dynamo.0_0", "rank02.002.aot_joint.a0_1_0_2", "rank10.001.dynamo.0_0"]
    assert file_stems([graph()] * 1000)[0] == "0001.dynamo.0_0"


def test_files_of_an_earlier_capture_go_and_others_stay(tmp_path):
    script = tmp_path / "my net.py"
    script.touch()
    folder = tmp_path / "dumps"
    save(folder, [graph(), graph(), graph("export", None)], str(script), "2.13.0", 0)
    (folder / "mine.fxgraph").write_text("graph():")
    paths = save(folder, [graph()], str(script), "2.13.0", 0)
    assert sorted(path.name for path in folder.iterdir()) == ["001.dynamo.0_0.fxgraph", "index.json", "mine.fxgraph"]
    dump = read(paths[0].read_text())
    assert dump.header == {"source": "../my%20net.py", "torch": "2.13.0", "stage": "dynamo", "compile_id": "0/0"}
    (folder / "index.json").write_text('{"format": 1, "graphs": [{"file": "../my net.py"}, {"file": "mine.fxgraph"}]}')
    save(folder, [graph()], str(script), "2.13.0", 0)
    assert script.exists() and not (folder / "mine.fxgraph").exists()


#: Tells of everything around it that a run could change.
LOOKS_AROUND = """
import json, os, sys
kept = {name: value for name, value in os.environ.items()
        if not name.startswith(("TORCHINDUCTOR_", "TORCH_DYNAMO_AUTOMATIC_")) and name not in ("TORCH_TRACE", "_")}
print(json.dumps([sys.argv, sys.path, sys.flags.optimize, __name__, __file__, os.getcwd(), kept, sys.stdin.read(),
                  sorted(vars()), "fxgraph" in sys.modules, "torch" in sys.modules,
                  sys.modules["__main__"].__spec__ is None]))
print("on stderr", file=sys.stderr)
import helper
raise RuntimeError(helper.words)
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder that is the current one, with a script, a module beside it, and a sitecustomize of the user's."""
    (tmp_path / "train.py").write_text(LOOKS_AROUND)
    (tmp_path / "helper.py").write_text("words = 'raised by the script'")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("import os; os.environ['CUSTOMIZED'] = __file__")
    monkeypatch.setenv("FX_TEST_SEEN", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("own_path", [None, "own"])
def test_the_run_is_the_users_own(project, monkeypatch, own_path):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if own_path is not None:
        monkeypatch.setenv("PYTHONPATH", own_path)
    arguments = ["train.py", "--steps", "1", "--", "-o"]
    alone = subprocess.run([sys.executable, *arguments], input="typed", capture_output=True, text=True)
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'server')!r}); from fxgraph.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "capture", "-o", "d", "--python", sys.executable, "train.py", "--"]
    captured = subprocess.run([*command, *arguments[1:]], input="typed", capture_output=True, text=True)
    assert json.loads(captured.stdout) == json.loads(alone.stdout)
    assert captured.stderr == alone.stderr
    assert captured.stderr.endswith("RuntimeError: raised by the script\n")
    assert captured.returncode == alone.returncode == 1
    assert json.loads((project / "d" / "index.json").read_text()) == {
        "format": 1, "source": "../train.py", "torch": None, "status": 1, "graphs": [],
    }  # fmt: skip
    assert ("own" in json.loads(alone.stdout)[6].get("CUSTOMIZED", "")) == (own_path is not None)


@pytest.mark.parametrize(
    ("body", "status"),
    [("import sys; sys.exit(7)", 7), ("import os; os._exit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)],
)
def test_the_exit_status_is_the_scripts(tmp_path, body, status):
    script = tmp_path / "train.py"
    script.write_text(body)
    assert main(["capture", "-o", str(tmp_path / "d"), "--python", sys.executable, str(script)]) == status


def test_a_signal_reaches_the_script(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        textwrap.dedent("""
        import signal, sys
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
        print("ready", flush=True)
        signal.pause()
        """)
    )
    command = [sys.executable, "-m", "fxgraph", "capture", "-o", "d", "--python", sys.executable, str(script)]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT / "server")}
    )
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 5
    process.stdout.close()


SPAWNS = """
import multiprocessing, os, sys
from torch.fx.graph import Graph

def work(number):
    assert "FXGRAPH_JOB" not in os.environ
    print(Graph(number), flush=True)

if __name__ == "__main__":
    before = dict(os.environ)
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=work, args=(number,)) for number in range(3)]
    for child in children:
        child.start()
    for child in reversed(children):
        child.join()
    assert dict(os.environ) == before
    print(Graph("own"))
    sys.exit(max(child.exitcode for child in children))
"""
#: As much of torch as the hooks look at.
GRAPH = """
class Graph:
    def __init__(self, name):
        self.name = name
    def __str__(self):
        return f"graph():\\n    %x{self.name} : [num_users=0] = placeholder[target=x{self.name}]\\n    return None"
    def print_tabular(self):
        pass
"""


@pytest.mark.parametrize("own_path", [None, "own"])
def test_processes_that_the_script_spawns_are_watched_in_their_order(tmp_path, monkeypatch, own_path):
    fake = tmp_path / "torch" / "fx"
    fake.mkdir(parents=True)
    (fake.parent / "__init__.py").write_text("__version__ = '9.9'")
    (fake / "__init__.py").touch()
    (fake / "graph.py").write_text(GRAPH)
    (tmp_path / "train.py").write_text(SPAWNS)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if own_path is not None:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / own_path))
    for _ in range(2):
        ran = capture(sys.executable, str(tmp_path / "train.py"))
        assert (ran.status, ran.torch, ran.errors) == (0, "9.9", [])
        assert [one.text.split()[1] for one in ran.graphs] == ["%xown", "%x0", "%x1", "%x2"]


def test_a_script_that_is_not_there(tmp_path, capsys):
    assert main(["capture", "-o", str(tmp_path / "d"), str(tmp_path / "no.py")]) == 2
    assert capsys.readouterr().err == f"fxgraph: {tmp_path}/no.py: no such file\n"
    assert not (tmp_path / "d").exists()


def test_a_python_that_is_not_there(tmp_path, capsys):
    script = tmp_path / "train.py"
    script.touch()
    assert main(["capture", "-o", str(tmp_path / "d"), "--python", "/no/python", str(script)]) == 2
    assert capsys.readouterr().err == "fxgraph: /no/python cannot be started: No such file or directory\n"


def test_the_entry_point_names_the_backend():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["torch_dynamo_backends"]["fxgraph"].partition(":")
    assert callable(getattr(import_module(module), name))
