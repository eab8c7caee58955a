import io
import sys

import pytest

from fxgraph.cli import main
from fxgraph.cli.explain import parse_place

DUMP = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})

    return (relu,)
"""


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "net.fxgraph"
    path.write_text(DUMP)
    return str(path)


@pytest.mark.parametrize(
    ("place", "start"),
    [
        (":1", "graph: 3 nodes ("),
        (":2", "x placeholder x\n"),
        (":3", "relu call_function torch.relu\n"),
        (":3:70", "x placeholder x\n"),
        (":3:30", "call_function: calls a free function"),
        (":3:80", "relu call_function torch.relu\n"),
        (":5", "output output\n"),
        (":5:13", "relu call_function torch.relu\n"),
    ],
)
def test_a_place(dump, capsys, place, start):
    assert main(["explain", dump + place]) == 0
    assert capsys.readouterr().out.startswith(start)


def test_a_place_without_anything(dump, capsys):
    assert main(["explain", dump + ":4"]) == 0
    assert capsys.readouterr().out == f"nothing to tell of {dump}:4\n"


@pytest.mark.parametrize("place", ["", ":99", ":0", ":x", ":1:2:3:4"])
def test_a_wrong_place(dump, capsys, place):
    assert main(["explain", dump + place]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


def test_places_of_windows():
    assert parse_place(r"C:\x.fxgraph:3:4") == (r"C:\x.fxgraph", 3, 4)
    assert parse_place(r"C:\x.fxgraph:3") == (r"C:\x.fxgraph", 3, None)
    assert parse_place(r"C:\x.fxgraph") is None
    assert parse_place("-:7") == ("-", 7, None)


def test_a_place_in_standard_input(monkeypatch, capsys):
    """Which looks like an option."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DUMP.encode())))
    assert main(["explain", "-:3"]) == 0
    assert capsys.readouterr().out.startswith("relu call_function torch.relu\n")
