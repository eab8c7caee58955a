"""Properties of reading, tried on texts that hypothesis makes up from the words of all forms."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fxgraph.graph import Dump
from fxgraph.reading import nbytes, read, tensor_type
from fxgraph.reading.names import names
from fxgraph.reading.python_body import names_by_piece
from reading.checks import line_of, lines_of
from reading.invariants import check_read

FIXTURES = Path(__file__).parents[2] / "fixtures"

WORDS = [
    "graph():", "graph() -> x:", "class GraphModule(torch.nn.Module):", "class <lambda>(torch.nn.Module):",
    "def forward(self, x):", 'def forward(self, x: "f32[2]", *y):', "def forward(", "pass", "ExportedProgram:",
    "opcode  name  target  args  kwargs", "------  ----  ------  ----  ------", "placeholder  x  x  ()  {}",
    "call_function  a  aten.add.Tensor  (x, 'x')  {}", "output  output  output  ((a,),)  {}", "# Graph fragment:",
    "Graph signature:", "# inputs", "x: USER_INPUT", "Range constraints: {s0: VR[1, 2]}", "# File: a.py:1 in f, code: x",
    "#   a => b", '"""', "'''", "'", '"', "(", ")", "[", "]", "{", "}", ", ", ": ", " = ", ";  ", " = None", "%", "#", "%x",
    "%x : [num_users=1] = placeholder[target=x]", '%a : Tensor "f32[2]cpu"[num_users=2] = ', "%x : ", "[target=",
    "call_function[target=torch.add](args = (%x, %a), kwargs = {b: %x})", "](args = (", "), kwargs = {})", "slice(x, None)",
    "(default=None)", "return", "return (x,)", "return %a,%b", "x", "a", "self", "s77", "input", "None", "inf", "True",
    'a: "f32[2]" = torch.add(x, 1);  x = None', "a = x + 1", "x += 1;  a = x", "x[0] = a;  b = x", "a = x.relu()",
    "a = self.layers.0.weight", 'a = getattr(self.layers, "0")(x)', "x, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)",
    "a = x[0]", "x = next(args_iter)", "_rf = ", "lambda y: y", "V1129 17:00:00.000000 1 a.py:1] [0/0] [__graph] ", "[rank0]: ",
    "[2026-11-29 17:00:00,000] [0/0] a.b: [DEBUG] ", 'V1129 17:00:00.000000 1 a.py:1] {"a": 1, "rank": 0}', "===== T =====",
    "> ", "# ", ">>> ", "E   ", "\t", "    ", "        ", " ", "  ", "\r", "\x1b[31m", "\x1b[0m", "\ufeff", "\u2028", "٣", "é",
]  # fmt: skip

words = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=12).map("".join)
texts = st.lists(words, max_size=16).map("\n".join)


@settings(max_examples=400, deadline=None)
@given(texts)
def test_texts_of_words(text: str):
    check_read(text)


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_text(text: str):
    check_read(text)


@settings(max_examples=200, deadline=None)
@given(words)
def test_any_type(text: str):
    kind = tensor_type(text)
    assert kind is None or nbytes(kind) is None or nbytes(kind) >= 0


@settings(max_examples=100, deadline=None)
@given(texts)
def test_reading_twice_gives_the_same(text: str):
    assert everything(read(text)) == everything(read(text))


def everything(dump: Dump) -> list[object]:
    return [
        (graph.name, graph.form, graph.has_end, len(graph.broken), list(map(line_of, graph.nodes)))
        for graph in dump.graphs
    ]


def test_dumps_below_each_other():
    paths = sorted(path for path in FIXTURES.glob("2*/*") if path.suffix in (".fxgraph", ".py", ".txt"))
    chance = random.Random(0)
    for _ in range(100):
        one, other = (chance.choice(paths) for _ in range(2))
        texts = [path.read_text(encoding="utf-8") for path in (one, other)]
        expected = everything(read(texts[0])) + everything(read(texts[1]))
        assert everything(read("\n\n".join(texts))) == expected, (one, other)


PIECES = ["a", "b1", "_c", "torch", "None", ", ", ",", " ", "1", ".", "(", ")", "[", "]", "=", "%", "-"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_operands_are_read_piece_by_piece_as_all_at_once(arguments):
    known = {"a": ("a",), "b1": ("b1",)}
    for text in (arguments, arguments, arguments * 1000):
        assert list(names_by_piece(known, text)) == names(text)


FRONTS = [
    "%a",
    "%b",
    "%a, 1",
    "%b, [2, -1]",
    "3",
    "[4, 5]",
    "[%a, %b]",
    "%a, {k: %b}",
    "%c",
    "%a, slice(b, None, 2)",
    "%a, %d.2",
]
INNER = [
    "%a",
    "%b",
    "None",
    "[1, 2]",
    "[%b]",
    "(%a, 1)",
    "sum, 50%",
    "f(1",
    ", %b)",
    "torch.float32",
    "",
    "x: %a",
    "'%a'",
    "½",
]
KEYWORDS = [
    "",
    "dim: 0",
    "dim: 0, dtype: torch.float32",
    "dims: [0, 1]",
    "other: %b",
    "f: <function f at 0x7f>",
    "s: a}), (",
    "k:",
]
FORMATS = ["%{} : [num_users=1] = ", '%{} : Tensor "f32[2]"[num_users=2] = ', "%{} : ", "%{} : [users=1] = "]
CALLS = [
    "call_function[target=torch.ops.aten.add.Tensor]",
    "call_module[target=a.b]",
    "placeholder[target=a]",
    "call_function[target=a]b]",
]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(FORMATS),
            st.sampled_from("abcdef"),
            st.sampled_from(CALLS),
            st.lists(st.sampled_from(FRONTS + INNER), max_size=4),
            st.sampled_from(KEYWORDS),
        ),
        max_size=8,
    )
)
def test_calls_are_cut_as_the_expression_takes_them(calls):
    """A blank behind a record keeps it from being cut at torch's signs."""
    inputs = [f"    %{name} : [num_users=1] = placeholder[target={name}]" for name in "ab"]
    lines = [
        f"    {front.format(name)}{call}(args = ({', '.join(elements)}), kwargs = {{{keywords}}})"
        for front, name, call, elements, keywords in calls
    ]
    text, blanks = (
        "\n".join(["graph():", *inputs, *(line + end for line in lines), "    return a"]) for end in ("", " ")
    )
    assert lines_of(check_read(text)) == lines_of(check_read(blanks))


def test_calls_of_fixtures_are_cut_as_the_expression_takes_them():
    paths = list(FIXTURES.glob("*/*.graph.fxgraph"))
    assert len(paths) > 20
    for path in paths:
        text = path.read_text()
        assert "](args = (" in text
        assert lines_of(read(text)) == lines_of(read(text.replace("})\n", "}) \n")))
