"""What torch's code generation does beyond one call a line: each graph reads back from every form."""

import math
import operator

import pytest
import torch
from torch import fx, nn
from torch.fx.graph import _BoxedCodeGen
from torch.fx.passes.split_module import split_module

from fxgraph.reading import read
from with_torch.truth import check_form, check_reads_back, printed, what_torch_has, what_we_read


def graph_of(*calls):
    """A graph that makes each of these calls, (function, arguments behind x), on its one input."""
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(tuple(graph.call_function(function, (x, *rest)) for function, *rest in calls))
    return fx.GraphModule({}, graph)


def test_boxed_arguments():
    gm = fx.symbolic_trace(lambda x, y: torch.relu(x) + y.sum())
    gm.graph.set_codegen(_BoxedCodeGen())
    gm.recompile()
    check_reads_back(gm)


def test_flattened_arguments():
    class Model(nn.Module):
        def forward(self, pair, flag, nothing):
            x, y = pair
            return {"sum": x + y, "both": (x * 2, [y])}

    both = (fx.PH, fx.PH)
    check_reads_back(fx.symbolic_trace(Model(), concrete_args={"pair": both, "flag": True, "nothing": None}))


def test_functions_of_python():
    check_reads_back(graph_of((round, 2), (max, 1), (abs,), (math.floor,), (operator.abs,), (torch.sym_int,), (len,)))


def test_attributes():
    check_reads_back(graph_of((getattr, "shape"), (getattr, "missing", None)))


def test_paths_that_are_no_identifiers():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleDict({"0": nn.Linear(2, 2), "k": nn.ReLU(), "a b-c": nn.ReLU()})

        def forward(self, x):
            return self.layers["a b-c"](self.layers["k"](self.layers["0"](x)))

    check_reads_back(fx.symbolic_trace(Model()))


def test_values_as_arguments():
    def function(x, k: int = 3, *rest, flag=True, **others):
        width = x.shape[0]
        full = torch.full((width, 2), float("inf"), dtype=torch.float16, device=torch.device("cpu"))
        return full, x[..., None], x[::2, :width], {"a": (x, [width])}, x == k, ~x, torch.sym_max(width, 2)

    check_reads_back(fx.symbolic_trace(function))


class Inner(nn.Module):
    def forward(self, x):
        y = torch.relu(x)
        return y, y * 2


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = fx.symbolic_trace(Inner())
        self.other = fx.symbolic_trace(Inner())

    def forward(self, x):
        return self.inner(x)[0] + self.other(x)[1]


class KeepGraphs(fx.Tracer):
    def is_leaf_module(self, module, name):
        return isinstance(module, fx.GraphModule)


def test_graphs_in_a_graph():
    root = Outer()
    gm = fx.GraphModule(root, KeepGraphs().trace(root))
    check_reads_back(gm)
    outer, *nested = read(printed(gm.print_readable)).graphs
    assert [(graph.name, graph.parent) for graph in nested] == [("inner", outer.index), ("other", outer.index)]
    for graph in nested:
        assert what_we_read(graph) == what_torch_has(gm.inner.graph, "readable")


def test_a_module_split_in_parts():
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
    traced = fx.symbolic_trace(model)
    place = {node.name: index // 2 for index, node in enumerate(traced.graph.nodes)}
    parts = split_module(traced, model, lambda node: place[node.name])
    assert any(node.op == "call_module" and node.target == "submod_1" for node in parts.graph.nodes)
    check_reads_back(parts)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x, *, scale):
        self.steps.add_(1)
        return self.fc(x) * self.steps + scale


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("strict", [True, False])
def test_export_and_its_module(strict):
    program = torch.export.export(Counter(), (torch.ones(2, 3),), {"scale": torch.ones(3)}, strict=strict)
    check_form("program", str(program), program.graph)
    check_reads_back(program.graph_module)
    check_reads_back(program.module())
    flat = torch.export.unflatten(program)
    check_form("graph", str(flat.graph), flat.graph)
