"""Plain data in the protocol's words."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxgraph.analysis import Finding
from fxgraph.features.lines import LineIndex
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.symbols import Symbol, symbols
from fxgraph.graph import Span
from fxgraph.lsp.client import Client
from fxgraph.lsp.diagnostics import RULES_PAGE, diagnostics, publication
from fxgraph.lsp.outline import outline
from fxgraph.lsp.wire import Wire

ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
TEXTS = st.text(st.sampled_from("ab\r\n\té🔥\ud800"), max_size=20)
PLACES = st.integers(0, 20)


def test_a_span_is_a_range_in_the_encoding_of_the_session():
    lines = LineIndex("a\r\n🔥é b\n")
    span = Span(5, 6)
    assert [Wire(lines, encoding).range(span) for encoding in ("utf-8", "utf-16", "utf-32")] == [
        {"start": {"line": 1, "character": start}, "end": {"line": 1, "character": end}}
        for start, end in ((6, 7), (3, 4), (2, 3))
    ]


def test_a_position_below_the_text_has_no_offset():
    wire = Wire(LineIndex("ab\nc"), "utf-16")
    assert [wire.offset(*position) for position in ((0, 1), (0, 9), (1, 0), (1, 9), (2, 0))] == [1, 2, 3, 4, None]


def symbol(name: str, kind: str, start: int, end: int, children: Sequence[Symbol] = ()) -> Symbol:
    return Symbol(name, f"detail of {name}", kind, Span(start, end), Span(start, min(start + 1, end)), children)


@given(TEXTS, PLACES, PLACES, ENCODINGS)
def test_the_outline_has_the_ranges_of_the_spans(text, start, end, encoding):
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    wire = Wire(LineIndex(text), encoding)
    roots = [symbol("graph", "graph", 0, len(text), [symbol("x", "placeholder", start, end)])]
    [graph] = json.loads("".join(outline("untitled:1", roots, wire, nested=True)))
    assert graph["range"] == wire.range(Span(0, len(text)))
    [node] = graph["children"]
    assert node["range"] == wire.range(Span(start, end))
    assert node["selectionRange"] == wire.range(Span(start, min(start + 1, end)))


def listed(symbols: Sequence[Symbol]) -> list[Symbol]:
    """The same symbols, each made for itself."""
    return [Symbol(one.name, one.detail, one.kind, one.span, one.name_span, listed(one.children)) for one in symbols]


PAIR = "# File: a.py:{0} in f, code: é\n        add_{0}: 'f32[é]' = torch.add(x,\n            1)\n        y_{0} = torch.neg(add_{0})\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("leader", ["", "V0102 12:00:00.000000 4242 torch/x.py:5] [0/0] [__graph_code] "])
def test_nodes_are_written_together_as_one_by_one(leader, encoding):
    head = "class é(torch.nn.Module):\n    def forward(self, x):\n"
    body = "".join(f"        {PAIR.format(number)}" for number in range(20))
    text = "".join(f"{leader}{line}\n" for line in f"{head}{body}        return y_1".split("\n"))
    snapshot = Snapshot(text)
    wire, made = Wire(snapshot.lines, encoding), symbols(snapshot)
    found = json.loads("".join(outline("u", made, wire, nested=True)))
    assert found == json.loads("".join(outline("u", listed(made), wire, nested=True)))
    assert len(found[0]["children"]) == 1 + 20 + 1


def nodes(*names: str) -> list[Symbol]:
    return [symbol(name, "call_function", 0, 1) for name in names]


@pytest.mark.parametrize("nested", [True, False])
def test_an_empty_outline(nested):
    assert json.loads("".join(outline("u", [], Wire(LineIndex(""), "utf-16"), nested=nested))) == []


def test_a_nested_outline():
    roots = [symbol("g", "graph", 0, 2, [*nodes("x", ' "\u2028\ud800'), symbol("inner", "graph", 0, 1, nodes("y"))]),
             symbol("h", "graph", 0, 2)]  # fmt: skip
    first, second = json.loads("".join(outline("u", roots, Wire(LineIndex("ab"), "utf-16"), nested=True)))
    assert (first["name"], first["detail"], first["kind"]) == ("g", "detail of g", 2)
    assert [child["name"] for child in first["children"]] == ["x", ' "\u2028\ud800', "inner"]
    assert [child["name"] for child in first["children"][2]["children"]] == ["y"]
    assert "children" not in second


def test_a_flat_outline():
    roots = [symbol("g", "graph", 0, 2, [*nodes("x"), symbol("inner", "graph", 0, 1, nodes("y"))]), *nodes("")]
    flat = json.loads("".join(outline("untitled:1", roots, Wire(LineIndex("ab"), "utf-16"), nested=False)))
    assert [(each["name"], each.get("containerName")) for each in flat] == [
        ("g", None), ("x", "g"), ("inner", "g"), ("y", "inner"), ("?", None)
    ]  # fmt: skip
    assert flat[0]["location"] == {
        "uri": "untitled:1",
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 2}},
    }


FINDING = Finding(
    "FX201", "hint", 0, Span(1, 2), "b", "`b` is dead", ((Span(0, 1), "its input"),), frozenset({"unnecessary"})
)


def test_a_finding_with_all_that_a_client_may_show():
    client = Client(tags=True, related=True, code_description=True)
    [diagnostic] = diagnostics("file:///x", Snapshot("abc"), [FINDING], client)
    assert diagnostic == {
        "range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}},
        "severity": 4,
        "code": "FX201",
        "codeDescription": {"href": f"{RULES_PAGE}#fx201"},
        "source": "fxgraph",
        "message": "`b` is dead",
        "tags": [1],
        "relatedInformation": [
            {
                "location": {
                    "uri": "file:///x",
                    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}},
                },
                "message": "its input",
            }
        ],
    }


def test_a_finding_for_a_client_that_shows_little():
    published = publication("file:///x", Snapshot("abc", None, 7), [FINDING], Client())
    assert (published["uri"], published["version"]) == ("file:///x", 7)
    [diagnostic] = published["diagnostics"]
    assert set(diagnostic) == {"range", "severity", "code", "source", "message"}


@pytest.mark.parametrize(("severity", "number"), [("error", 1), ("warning", 2), ("information", 3), ("hint", 4)])
def test_severities(severity, number):
    [diagnostic] = diagnostics("u", Snapshot("abc"), [FINDING._replace(severity=severity)], Client())
    assert diagnostic["severity"] == number
