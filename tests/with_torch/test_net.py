"""A small module as the installed torch traces and exports it: the two graphs that fixtures/ holds of two releases."""

import json
from collections import Counter

import pytest
import torch
from torch import nn

from fxgraph.analysis import Facts
from fxgraph.cli import main
from fxgraph.reading import read
from with_torch.truth import check_reads_back, texts


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.register_buffer("shift", torch.zeros(4))

    def forward(self, x):
        return (self.fc(x) + self.shift).relu().sum()


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return torch.relu(self.fc(x)).sum()


def test_a_traced_module_in_every_form():
    gm = torch.fx.symbolic_trace(Net())
    check_reads_back(gm)
    for form, text in texts(gm):
        (graph,) = read(text).graphs
        facts = Facts(graph)
        opcodes = {"placeholder": 1, "call_module": 1, "get_attr": 1, "call_function": 1, "call_method": 2, "output": 1}
        assert Counter(node.opcode for node in graph.nodes) == opcodes, form
        assert facts.level.name == "torch", form
        relu = facts.links.definitions["relu"]
        assert [user.name for user in facts.links.users[relu.index]] == ["sum_1"], form


@pytest.mark.filterwarnings("ignore")
def test_shapes_of_an_exported_program(tmp_path, capsys):
    program = torch.export.export(Linear(), (torch.zeros(2, 3),))
    path = tmp_path / "linear.txt"
    path.write_text(str(program), encoding="utf-8")
    assert main(["inspect", "--json", str(path)]) == 0
    (graph,) = json.loads(capsys.readouterr().out)["graphs"]
    types = {node.name: node.meta["val"] for node in program.graph.nodes if node.op != "output"}
    shown = {node["name"]: node["type"] for node in graph["nodes"] if node["opcode"] != "output"}
    assert shown == {name: f"f32{list(value.shape)}" for name, value in types.items()}
