import itertools
from pathlib import Path

import pytest

from features.test_folding import LOG
from fxgraph.features.selection import selections
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span
from markers import marked

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMPS = sorted(path for path in FIXTURES.glob("*/*") if path.suffix in (".fxgraph", ".log", ".py", ".txt"))[::23]


def grown(source: str) -> list[str]:
    """What the selection grows to, each time; long ones by their first line and `...`."""
    text = marked(source)
    assert text.cursor is not None
    found = [text.text[slice(*span)] for span in selections(text.snapshot, text.cursor)]
    return [piece if "\n" not in piece else piece.split("\n")[0].strip() + " ..." for piece in found]


def test_in_print_graph():
    assert grown("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %cat : [num_users=1] = call_function[target=torch.cat](args = ([(%x, %|x), %x], 1), kwargs = {})
            return cat
    """) == [
        "x",
        "%x",
        "(%x, %x)",
        "[(%x, %x), %x]",
        "(args = ([(%x, %x), %x], 1), kwargs = {})",
        "torch.cat](args = ([(%x, %x), %x], 1), kwargs = {})",
        "%cat : [num_users=1] = call_function[target=torch.cat](args = ([(%x, %x), %x], 1), kwargs = {})",
        "graph(): ...",
        "graph(): ...",
    ]


def test_in_generated_code():
    assert grown("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # File: model.py:3 in forward, code: y = x.relu().sin()
                relu: "f32[2]" = torch.ops.aten.relu.default(x)
                sin: "f32[2]" = torch.ops.aten.sin.default(re|lu);  relu = None
                return (sin,)
    """) == [
        "relu",
        "(relu)",
        "torch.ops.aten.sin.default(relu)",
        'sin: "f32[2]" = torch.ops.aten.sin.default(relu);  relu = None',
        "# File: model.py:3 in forward, code: y = x.relu().sin() ...",
        "class GraphModule(torch.nn.Module): ...",
        "class GraphModule(torch.nn.Module): ...",
    ]


def test_in_a_log_the_compilation_is_between_graph_and_document():
    snapshot = Snapshot(LOG)
    line = snapshot.lines.line_of
    spans = selections(snapshot, LOG.rindex("primals_1"))
    assert [(line(span.start) + 1, line(span.end - 1) + 1) for span in spans[-3:]] == [(9, 11), (4, 11), (1, 11)]


def test_beside_graphs_it_is_the_document():
    assert selections(Snapshot("words\n"), 3) == [Span(0, 6)]
    assert selections(Snapshot(""), 0) == [Span(0, 0)]


@pytest.mark.parametrize("path", DUMPS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_each_lies_in_the_next(path):
    text = path.read_bytes().decode()
    snapshot = Snapshot(text, str(path))
    for offset in range(0, len(text) + 1, max(len(text) // 100, 1)):
        found = selections(snapshot, offset)
        assert found[-1] == Span(0, len(text))
        for inner, outer in itertools.pairwise(found):
            assert inner != outer
            assert outer.start <= inner.start <= offset <= inner.end <= outer.end
