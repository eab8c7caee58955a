"""Graphs where people meet them: in Markdown, mails, tracebacks, test output, comments, docstrings, logs of jobs.

Whatever stands around or in front of its lines, a graph is read as the clean dump is, at its own places.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fxgraph.graph import Dump
from reading.checks import check_graphs, check_nothing, line_of
from reading.invariants import check_read

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMPS = [
    "2.13.0/mlp.export.graph.fxgraph",
    "2.13.0/mlp.export.node_meta.fxgraph",
    "2.13.0/mlp.export.str.txt",
    "2.13.0/mlp.export.program.txt",
    "2.13.0/mlp.aot_joint.readable_expanded_def.py",
    "2.13.0/mlp.dynamo.tabular.fxgraph",
    "2.13.0/branches.export.readable.py",
    "2.13.0/arguments.symbolic.graph.fxgraph",
    "2.13.0/arguments.symbolic.code.py",
    "2.13.0/inplace.dynamo.code.py",
    "2.2.2/branches.export.readable.py",
]

Quote = Callable[[str], str]

MODEL = '''import torch
from torch import nn


class Net(nn.Module):
    """A model."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        y = self.fc(x)
        return torch.relu(y)

'''


def behind(leader: str, keep_blanks: bool = False) -> Quote:
    """Every line behind these signs; behind an empty line, editors leave no blanks."""

    def quote(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return "".join(leader + line if keep_blanks or line.strip() else leader.rstrip() + "\n" for line in lines)

    return quote


def between(before: str, after: str, quote: Quote = str) -> Quote:
    return lambda text: before + quote(text) + after


def pytest_message(text: str) -> str:
    return behind("E       ")("AssertionError: " + text)


TRACEBACK = 'Traceback (most recent call last):\n  File "net.py", line 12, in forward\n    def forward(self, x):\n'

QUOTES: dict[str, Quote] = {
    "Markdown fence": between("# Bug\n\nPrinted 100% of `%x`:\n\n```python\n", "```\n\nSee `[target=y]`.\n"),
    "Markdown indentation": between("It prints\n\n", "\nand fails.\n", behind("    ")),
    "Markdown list": between("1. It prints\n\n", "2. It fails.\n", behind("   ")),
    "Markdown quote": between("> He wrote:\n>\n> ```\n", "> ```\n\nYes.\n", behind("> ")),
    "mail": between("Hello,\n", "> ok\n\nBye\n", behind("> > ")),
    "mail of another program": between("Hello,\n", ">> ok\n\nBye\n", behind(">> ")),
    "mail without blanks": between("Hello,\n", ">ok\n\nBye\n", behind(">", True)),
    "pytest": between(
        "    def test_net():\n>       check(gm)\nE       AssertionError\n", "\nnet.py:3: Error\n", behind("E       ")
    ),
    "pytest without indentation": between(">       check(gm)\n", "\nnet.py:3: Error\n", behind("E   ")),
    "traceback": between(
        TRACEBACK + "RuntimeError: bad graph\n", "\nThe above exception was the direct cause of this:\n"
    ),
    "traceback that begins with the graph": between(TRACEBACK + "RuntimeError: ", "\n\nDuring handling of it:\n"),
    "traceback of a rank": behind("[rank1]: "),
    "torchrun": between("", "", behind("[default0]:", True)),
    "mpirun": between("[1,0]<stdout>:ok\n", "", behind("[1,0]<stdout>:", True)),
    "Ray": behind("(train pid=4242) ", True),
    "containers": between("other_1  | ok\n", "other_1  | ok\n", behind("worker_1 | ", True)),
    "a logger of every line": behind("INFO:net:", True),
    "a job's log": behind("2026-11-29T17:00:00.1234567Z ", True),
    "docstring": between(MODEL + '    def f(self):\n        """Prints\n\n', '        """\n', behind("        ")),
    "script": between(MODEL + "gm = fx.symbolic_trace(Net())\n", "\nprint(gm.code)\n"),
    "comment": between(MODEL, "x = 1\n", behind("# ")),
    "indented comment": between(MODEL, "x = 1\n", behind("        # ")),
    "comment without blanks": between(MODEL, "x = 1\n", behind("#", True)),
    "comment of another language": between("int x;\n", "int y;\n", behind("// ")),
    "comment of documentation": between("//! Prints\n", "fn main() {}\n", behind("//! ")),
    "a file that a diff adds": lambda text: (
        f"--- /dev/null\n+++ b/net.txt\n@@ -0,0 +1,{text.count(chr(10))} @@\n" + behind("+", True)(text)
    ),
    "a web page": lambda text: re.sub("^ +", lambda blanks: "\u00a0" * len(blanks[0]), text, flags=re.MULTILINE),
    "a blank line behind every line": lambda text: text.replace("\n", "\n\n"),
    "prompt": behind(">>> ", True),
    "session": between(">>> print(gm)\n", ">>> exit()\n"),
    "box": between("+---\n", "+---\n", behind("| ")),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "quoted CRLF": lambda text: behind("> ")(text).replace("\n", "\r\n"),
    "old Mac": lambda text: text.replace("\n", "\r"),
    "byte order mark": lambda text: "\ufeff" + text,
    "colours": lambda text: "\x1b[31m" + text.replace("\n", "\x1b[0m\n\x1b[1;31m"),
    "blanks at line ends": lambda text: text.replace("\n", "  \n"),
    "tabs": lambda text: "".join(
        "\t" * ((len(line) - len(line.lstrip(" "))) // 4) + line.lstrip(" ") for line in text.splitlines(True)
    ),
    "no last line end": lambda text: text.rstrip("\n"),
}


def everything(dump: Dump) -> list[object]:
    return [
        (graph.name, graph.form, graph.has_end, graph.broken, graph.parent, list(map(line_of, graph.nodes)))
        for graph in dump.graphs
    ]


@pytest.mark.parametrize("name", DUMPS)
@pytest.mark.parametrize("quote", QUOTES)
def test_quoted_dumps(name: str, quote: str):
    if quote == "tabs" and "tabular" in name:
        pytest.skip("blanks are the columns of a table")
    clean = (FIXTURES / name).read_text(encoding="utf-8")
    expected = check_read(clean)
    assert expected.graphs
    found = check_read(QUOTES[quote](clean))
    assert everything(found) == everything(expected)


def test_the_first_line_of_a_pytest_failure():
    for name in DUMPS:
        clean = (FIXTURES / name).read_text(encoding="utf-8")
        found = check_read("    def test_net():\n>       assert False, str(gm)\n" + pytest_message(clean))
        assert everything(found) == everything(check_read(clean)), name


@pytest.mark.parametrize("name", DUMPS)
def test_cut_dumps_keep_what_stands_before(name: str):
    text = (FIXTURES / name).read_text(encoding="utf-8")
    whole = check_read(text).graphs[0]
    lines = text.splitlines(keepends=True)
    for count in range(len(lines)):
        cut = "".join(lines[:count])
        nodes = [node for node in whole.nodes if node.end < len(cut)]
        graphs = check_read(cut).graphs
        if whole.form == "code" and not (nodes and any(node.frees for node in nodes)):
            continue  # too little to tell it from what people write
        if nodes and not _joins_follow(whole.page.text, len(cut)):
            assert [line_of(node) for node in graphs[0].nodes[: len(nodes)]] == [line_of(node) for node in nodes]


def _joins_follow(text: str, end: int) -> bool:
    """Whether the inputs are not all read yet: their joining lines or types stand behind the cut."""
    line = text[end:].lstrip().split("\n")[0]
    return (
        " = L_" in line
        or "tree_flatten" in text[end:]
        or line.endswith(("= input", "= input_1"))
        or line.startswith(")")
    )


def test_a_conversation():
    check_graphs(
        """
        Anna wrote:
        > graph():
        >     %x : [num_users=1] = placeholder[target=x]
        >     return x
        >
        > and then
        >
        > > graph():
        > >     %y : [num_users=1] = placeholder[target=y]
        > >     return y

        I get

            %z : [num_users=0] = get_attr[target=z]
        """,
        """
        [graph_str, text]
        x = placeholder x
        output = output (x)
        [graph_str, text]
        y = placeholder y
        output = output (y)
        [graph_str, no head, no end]
        z = get_attr z
        """,
    )


def test_prose_about_graphs():
    check_nothing("""
        A graph begins with graph(): and its nodes look like %x : [num_users=1] = opcode.
        `class GraphModule(torch.nn.Module):` holds `def forward(self, x):`, 50%x of [target=y].
        # Graph fragment:
        opcode         name    target    args    kwargs
    """)
