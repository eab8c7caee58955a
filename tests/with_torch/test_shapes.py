"""`inspect --shapes propagate`, and the function below it that an editor asks, too."""

import json
import sys
import threading

import pytest

from fxgraph.cli import main
from fxgraph.features.shapes import propagate, type_of
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
    assert by_name["fc"][2].stop == "the module fc and its parameters are not in the text"
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
    assert "call_function  mm      torch.ops.aten.mm.default    (2, 2)  f32    2" in lines
    start = next(place for place, line in enumerate(lines) if line.startswith("shapes: "))
    assert lines[start].startswith("shapes: 3 values computed by torch ")
    assert lines[start + 1 : start + 5] == [
        "assumed: inputs without printed strides are contiguous",
        "assumed: inputs without a printed device are on cpu",
        "stopped at fc: the module fc and its parameters are not in the text",
        "not computed, because they need these: 1 node",
    ]
    assert captured.err == ""


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
    assert nodes["fc"]["computed"] == {"stop": "the module fc and its parameters are not in the text"}
    assert nodes["relu"]["computed"] == {"waits": "fc"}
    assert len(graph["propagated"]["assumed"]) == 2


def test_without_a_torch_the_rest_is_told(capsys, dump):
    assert main(["inspect", str(dump), "--shapes", "propagate", "--python", str(dump.parent / "none")]) == 2
    captured = capsys.readouterr()
    assert (
        captured.err
        == f"fxgraph: {dump}: no torch to ask: {dump.parent}/none: cannot be started: No such file or directory\n"
    )
    assert "shapes: torch was not asked, or did not answer" in captured.out
    assert "call_function  mm" in captured.out


def test_python_alone_means_nothing(capsys, dump):
    assert main(["inspect", str(dump), "--python", sys.executable]) == 2
    assert capsys.readouterr().err == "fxgraph: --python names the torch for --shapes propagate, which is not given\n"
