"""`inspect --shapes propagate`, and the function below it that an editor asks, too."""

import json
import sys
import threading

import pytest

from fxgraph.cli import main
from fxgraph.features.shapes import propagate, shape_findings, type_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.torchhost import StoppedError
from markers import marked

SOURCE = marked("""
    # fxgraph: inputs=x:f32[2,3]
    graph():
        %x : [num_users=2] = placeholder[target=x]
        %t : [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%x,), kwargs = {})
        %mm : [num_users=2] = call_function[target=torch.ops.aten.mm.default](args = (%x, %t), kwargs = {})
        %max_1 : [num_users=1] = call_function[target=torch.ops.aten.max.dim](args = (%mm, 0), kwargs = {})
        %fc : [num_users=1] = call_module[target=fc](args = (%mm,), kwargs = {})
        %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%fc,), kwargs = {})
        return (relu, max_1)
""").text


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "net.fxgraph"
    path.write_text(SOURCE)
    return path


def test_types_and_where_they_are_from(torch_host):
    snapshot = Snapshot(SOURCE)
    graph = snapshot.dump.graphs[0]
    seen = []
    shapes = propagate(snapshot, graph, torch_host, progress=lambda known: seen.append(known.done))
    assert seen[-1] == shapes.done == 6
    by_name = {node.name: (*type_of(graph, node, shapes), shapes.shape(graph, node)) for node in graph.nodes}
    assert by_name["x"][:2] == ("f32[2, 3]", "printed")
    assert by_name["mm"][:2] == ("f32[2, 2]", "propagated")
    assert by_name["t"][2].value.stride == (1, 3)
    assert by_name["max_1"][:2] == (None, None)
    assert by_name["max_1"][2].value.text == "(f32[2], i64[2])"
    assert by_name["fc"][2].stop == "the module fc and its parameters, which print(gm) prints, are not in the text"
    assert by_name["relu"][2].waits == "fc"
    assert by_name["output"] == (None, None, None)
    assert shapes.assumed == [
        "inputs without printed strides are contiguous",
        "inputs without a printed device are on cpu",
    ]


def test_stopped(torch_host):
    stopped = threading.Event()
    stopped.set()
    snapshot = Snapshot(SOURCE.replace("f32[2,3]", "f32[9,3]"))
    with pytest.raises(StoppedError):
        propagate(snapshot, snapshot.dump.graphs[0], torch_host, stopped=stopped)
    assert propagate(snapshot, snapshot.dump.graphs[0], torch_host).done == 6


def test_the_table(capsys, dump):
    assert main(["inspect", str(dump), "--shapes", "propagate", "--python", sys.executable]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert [
        line for line in lines if line.split(" ")[0] in ("opcode", "placeholder", "call_function", "call_module")
    ] == [
        "opcode         name    target                       shape             dtype  users  stride  device  bytes",
        "placeholder    x       x                            (2, 3)            f32    2      (3, 1)  cpu     24",
        "call_function  t       torch.ops.aten.t.default     (3, 2)            f32    1      (1, 3)  cpu     24",
        "call_function  mm      torch.ops.aten.mm.default    (2, 2)            f32    2      (2, 1)  cpu     16",
        "call_function  max_1   torch.ops.aten.max.dim       (f32[2], i64[2])         1",
        "call_module    fc      fc                                                    1",
        "call_function  relu    torch.ops.aten.relu.default                           1",
    ]
    start = next(place for place, line in enumerate(lines) if line.startswith("shapes: "))
    assert lines[start].startswith("shapes: 3 values computed by torch ")
    assert lines[start + 1 : start + 5] == [
        "assumed: inputs without printed strides are contiguous",
        "assumed: inputs without a printed device are on cpu",
        "stopped at fc: the module fc and its parameters, which print(gm) prints, are not in the text",
        "not computed, because they need these: 1 node",
    ]
    assert captured.err == ""


def test_numbers_in_the_table(capsys, tmp_path):
    path = tmp_path / "net.fxgraph"
    path.write_text(
        "# fxgraph: inputs=x:f32[2,3]\n"
        "graph():\n"
        "    %x : [num_users=1] = placeholder[target=x]\n"
        "    %size : [num_users=2] = call_method[target=size](args = (%x, 1), kwargs = {})\n"
        "    %gt : [num_users=1] = call_function[target=operator.gt](args = (%size, 2), kwargs = {})\n"
        "    %truediv : [num_users=1] = call_function[target=operator.truediv](args = (%size, 2), kwargs = {})\n"
        "    return (gt, truediv)\n"
    )
    assert main(["inspect", str(path), "--shapes", "propagate", "--python", sys.executable]) == 0
    lines = [line.split(maxsplit=3)[3] for line in capsys.readouterr().out.splitlines() if line.startswith("call_")]
    assert [" ".join(line.split()) for line in lines] == ["int 3 2", "bool True 1", "float 1.5 1"]


def test_json(capsys, dump):
    assert main(["inspect", "--json", str(dump), "--shapes", "propagate", "--python", sys.executable]) == 0
    (graph,) = json.loads(capsys.readouterr().out)["graphs"]
    nodes = {node["name"]: node for node in graph["nodes"]}
    assert [(name, node["type"], node["type_from"]) for name, node in nodes.items()] == [
        ("x", "f32[2, 3]", "printed"),
        ("t", "f32[3, 2]", "propagated"),
        ("mm", "f32[2, 2]", "propagated"),
        ("max_1", None, None),
        ("fc", None, None),
        ("relu", None, None),
        ("output", None, None),
    ]
    assert nodes["mm"]["computed"] == {"type": "f32[2, 2]", "stride": [2, 1], "device": "cpu", "bytes": 16}
    assert [part["type"] for part in nodes["max_1"]["computed"]["parts"]] == ["f32[2]", "i64[2]"]
    assert nodes["fc"]["computed"] == {
        "stop": "the module fc and its parameters, which print(gm) prints, are not in the text"
    }
    assert nodes["relu"]["computed"] == {"waits": "fc"}
    assert len(graph["propagated"]["assumed"]) == 2


WRONG = """\
# fxgraph: torch={release}
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]", s0: "Sym(s0)", y: "f32[s0, 3]"):
        t: "f32[2, 3]" = torch.ops.aten.t.default(x)
        half: "f32[2, 3]" = torch.ops.aten._to_copy.default(x, dtype = torch.float16);  x = None
        t_1: "f32[s0, 3]" = torch.ops.aten.t.default(y);  y = None
        return (t, half, t_1)
"""


def findings_of(host, text):
    snapshot = Snapshot(text)
    shapes = propagate(snapshot, snapshot.dump.graphs[0], host)
    return [(found.code, found.name, found.message) for found in shape_findings(snapshot, shapes)]


def test_printed_types_that_torch_does_not_compute(torch_host):
    release = torch_host.start()["torch"].partition("+")[0]
    assert findings_of(torch_host, WRONG.format(release=release)) == [
        ("FX501", "t", "`t` is printed as `f32[2, 3]`, but torch computes `f32[3, 2]` for aten.t.default"),
        ("FX501", "half", "`half` is printed as `f32[2, 3]`, but torch computes `f16[2, 3]` for aten._to_copy.default"),
    ]


def test_another_release_may_compute_other_types(torch_host):
    assert findings_of(torch_host, WRONG.format(release="1.13.1")) == []
    assert findings_of(torch_host, WRONG.replace("# fxgraph: torch={release}\n", "")) == []


TWO = """\
# fxgraph: torch={release} inputs=x:f32[2,3]
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {{}})
    return (relu,)

class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[4, 4]"):
        relu: "f32[4, 4]" = torch.ops.aten.relu.default(x)
        return (relu,)
"""


def test_a_type_beside_an_input_counts_more_than_the_header(capsys, tmp_path, torch_host):
    path = tmp_path / "two.fxgraph"
    path.write_text(TWO.format(release=torch_host.start()["torch"].partition("+")[0]))
    assert main(["inspect", "--json", str(path), "--shapes", "propagate", "--python", sys.executable]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["findings"] == []
    types = [[node["computed"]["type"] for node in graph["nodes"][:-1]] for graph in told["graphs"]]
    assert types == [["f32[2, 3]", "f32[2, 3]"], ["f32[4, 4]", "f32[4, 4]"]]
    assert [graph["propagated"]["remarks"] for graph in told["graphs"]] == [
        [],
        ["inputs: x is printed as f32[4, 4], which counts: f32[2,3] is not taken"],
    ]
    assert main(["inspect", str(path), "--shapes", "propagate", "--python", sys.executable]) == 0
    out = capsys.readouterr().out
    assert out.count("\ninputs: x is printed as f32[4, 4], which counts: f32[2,3] is not taken\n") == 1


def test_no_finding_rests_on_the_header(torch_host):
    release = torch_host.start()["torch"].partition("+")[0]
    bare = f"""\
# fxgraph: torch={release} inputs=x:f32[2,3]
class GraphModule(torch.nn.Module):
    def forward(self, x):
        relu: "f32[4, 4]" = torch.ops.aten.relu.default(x)
        return (relu,)
"""
    assert findings_of(torch_host, bare) == []
    printed = bare.replace("self, x", 'self, x: "f32[2, 3]"')
    assert [code for code, _, _ in findings_of(torch_host, printed)] == ["FX501"]


def test_nothing_is_said_where_shapes_change_in_place(torch_host):
    release = torch_host.start()["torch"].partition("+")[0]
    text = WRONG.format(release=release).replace(
        "        return", "        t_ = half.t_();  half = None\n        return"
    )
    assert findings_of(torch_host, text) == []


def test_findings_on_the_screen(capsys, tmp_path, torch_host):
    path = tmp_path / "net.py"
    path.write_text(WRONG.format(release=torch_host.start()["torch"].partition("+")[0]))
    assert main(["inspect", str(path), "--shapes", "propagate", "--python", sys.executable]) == 0
    assert f"{path}:4:9: information FX501: `t` is printed as" in capsys.readouterr().out
    assert main(["inspect", "--json", str(path), "--shapes", "propagate", "--python", sys.executable]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(one["code"], one["line"]) for one in findings] == [("FX501", 4), ("FX501", 5)]


def test_without_a_torch_the_rest_is_told(capsys, dump):
    assert main(["inspect", str(dump), "--shapes", "propagate", "--python", str(dump.parent / "none")]) == 2
    captured = capsys.readouterr()
    assert (
        captured.err
        == f"fxgraph: {dump}: no torch to ask: {dump.parent}/none: cannot be started: No such file or directory\n"
    )
    assert "\nshapes: torch was not asked\n" in captured.out
    assert "call_function  mm" in captured.out


def test_python_alone_means_nothing(capsys, dump):
    assert main(["inspect", str(dump), "--python", sys.executable]) == 2
    assert capsys.readouterr().err == "fxgraph: --python names the torch for --shapes, which is not given\n"
