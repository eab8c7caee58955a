"""Graphs of a dump and graphs that a run of the source has printed: which is which, and what is known then."""

from pathlib import Path

import pytest

from fxgraph.features.hovers.propagated import propagated_text
from fxgraph.features.shapes import Shape, Shapes, Value, type_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.source_shapes import proposed_source, shapes_of_source
from fxgraph.features.told import Told
from fxgraph.torchhost.rerun import RecordedGraph, Rerun

FIXTURES = Path(__file__).parents[2] / "fixtures"

PRINTED = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %fc : [num_users=2] = call_module[target=fc](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%fc,), kwargs = {})
    %add : [num_users=1] = call_function[target=operator.add](args = (%relu, %fc), kwargs = {})
    return add"""

TYPES = {name: {"type": f"f32[{size}]"} for size, name in enumerate(("x", "fc", "relu", "add"))}


def run_that_printed(*graphs):
    recorded = [RecordedGraph(text, types, None) for text, types in graphs]
    return Rerun("/home/user/net.py", "0f" * 32, "2.13.0", recorded, None, b"", 0, [])


def found(text, *graphs):
    """By graph of the text: how many nodes match, of how many; and the types by name."""
    snapshot = Snapshot(text)
    shapes = shapes_of_source(snapshot, run_that_printed(*graphs))
    return [
        (
            (match.matching, match.nodes) if (match := shapes.matches.get(graph.index)) else None,
            {node.name: kind for node in graph.nodes if (kind := type_of(graph, node, shapes)[0])},
        )
        for graph in snapshot.dump.graphs
    ]


def test_the_same_graph():
    assert found(PRINTED, (PRINTED, TYPES)) == [
        ((5, 5), {"x": "f32[0]", "fc": "f32[1]", "relu": "f32[2]", "add": "f32[3]"})
    ]


def test_a_changed_source_tells_types_only_of_what_comes_about_in_the_same_way():
    changed = PRINTED.replace("torch.relu", "torch.tanh")
    assert found(changed, (PRINTED, TYPES)) == [None] or found(changed, (PRINTED, TYPES)) == [(None, {})]
    # relu changed, so add, which reads it, and the result are not known either: less than half is left
    longer = PRINTED.replace(
        "return add", "%neg : [num_users=1] = call_method[target=neg](args = (%add,), kwargs = {})\n    return neg"
    )
    assert found(longer, (PRINTED, TYPES)) == [
        ((4, 6), {"x": "f32[0]", "fc": "f32[1]", "relu": "f32[2]", "add": "f32[3]"})
    ]


CODE = """\
class GraphModule(torch.nn.Module):
    def forward(self, x: "{type}"):
        fc = self.fc(x);  x = None
        relu = torch.relu(fc)
        add = relu + fc;  relu = fc = None
        return add
"""


def differing(kind, run):
    (match,) = shapes_of_source(Snapshot(CODE.format(type=kind)), run).matches.values()
    return match.differs


def test_a_source_that_ran_with_other_shapes():
    run = run_that_printed((PRINTED, TYPES))
    assert differing("f32[9]", run) == "`x` is `f32[9]` in the dump and `f32[0]` there"
    assert differing("f32[0][1]cpu", run) is None
    assert differing("f32[s0]", run) is None  # a size that varies


class Torch:
    """A torch that has computed nothing, beside a source that has run."""

    def __init__(self, source, shapes=None):
        self.shapes = source, shapes
        self.begun = 0

    def source(self, snapshot):
        return self.shapes[0]

    def told(self, snapshot, graph, *, wanted):
        self.begun += wanted
        return Told("9.9", self.shapes[1]) if self.shapes[1] else Told()


def test_what_a_hover_shows_of_both():
    """What torch computed comes first, and torch does not compute what the source has told."""
    snapshot = Snapshot(CODE.format(type="f32[9]"))
    (graph,) = snapshot.dump.graphs
    source = shapes_of_source(snapshot, run_that_printed((PRINTED, TYPES)))
    ground = "`f32[1]` (from the source net.py (sha256 0f0f0f0f0f0f), torch 2.13.0)"
    warning = "The source ran with other shapes: `x` is `f32[9]` in the dump and `f32[0]` there."
    alone = Torch(source)
    assert propagated_text(alone, snapshot, graph, graph.nodes[1]) == f"{ground}\n\n{warning}"
    assert alone.begun == 0
    computed = Shapes(torch="9.9", of={(0, 1): Shape(Value("f32[8]"))})
    assert propagated_text(Torch(source, computed), snapshot, graph, graph.nodes[1]) == (
        f"`f32[8]` (propagated by torch 9.9)\n\n{ground}\n\n{warning}"
    )


def test_another_graph_is_not_taken():
    assert found(
        PRINTED, ("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x", {"x": {"type": "i64[9]"}})
    ) == [(None, {})]
    assert found(PRINTED) == [(None, {})]


def test_of_two_equal_graphs_the_one_with_types():
    assert found(PRINTED, (PRINTED, {}), (PRINTED, TYPES))[0][1]["add"] == "f32[3]"
    two = f"{PRINTED}\n\nagain\n\n{PRINTED.replace('fc', 'fc2')}"
    other = {name.replace("fc", "fc2"): {"type": "i64[7]"} for name in TYPES}
    first, second = found(two, (PRINTED.replace("fc", "fc2"), other), (PRINTED, TYPES))
    assert first[1]["add"] == "f32[3]" and second[1]["add"] == "i64[7]"


@pytest.mark.parametrize("release", ["2.2.2", "2.13.0"])
@pytest.mark.parametrize(
    "name",
    ["mlp.symbolic", "arguments.symbolic", "mlp.dynamo", "mlp.aot_joint", "mlp.export", "arguments.aot_inference"],
)
def test_every_form_finds_what_print_has_printed(release, name):
    graph_text = FIXTURES.joinpath(release, f"{name}.graph.fxgraph").read_text()
    names = [node.name for node in Snapshot(graph_text).dump.graphs[0].nodes[:-1]]
    types = {one: {"type": f"f32[{place}]"} for place, one in enumerate(names)}
    for form in ("graph.fxgraph", "code.py", "readable.py", "tabular.fxgraph"):
        snapshot = Snapshot(FIXTURES.joinpath(release, f"{name}.{form}").read_text())
        shapes = shapes_of_source(snapshot, run_that_printed((graph_text, types)))
        match = shapes.matches[0]
        assert not match.is_stale, f"{form}: {match}"
        assert {place[1] for place in shapes.of} == set(range(len(names))), form


def test_what_a_dump_proposes():
    assert proposed_source(Snapshot("# fxgraph: source=../my%20net.py torch=2.13.0\n" + PRINTED)) == "../my net.py"
    assert proposed_source(Snapshot(PRINTED)) is None
