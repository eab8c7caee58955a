"""Ten times the text takes under fifteen times the processor time, whatever stands in it.

Each case is a piece of text that is said many times between what stands before and behind it. Most of them once took
quadratic time, in this reader or in an earlier draft of it. Sizes are larger under `make fuzz`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from fxgraph.reading import arguments, parts, read, source_of, uses

pytestmark = pytest.mark.alone

SIZE = 100_000 if os.environ.get("FXGRAPH_FUZZ_SECONDS") else 10_000
#: Below this many seconds a character nobody waits, and the clock is too coarse to tell a ratio.
FAST = 1e-6

DEF = "def forward(self, x):\n    "
CLASS = 'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[2]"):\n'
BODY = '        a: "f32[2]" = torch.relu(x)\n        return (a,)\n'
GRAPH = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
RECORD = "    %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n"
CUT = "    %a : [num_users=1] = call_function[target=torch.cat]"
TABLE = "opcode  name  target  args  kwargs\n------  ----  ------  ----  ------\n"
LOG = "V1129 17:00:00.000000 1 a.py:1] [0/0] [__graph_code] "
OLD_LOG = "[2026-11-29 17:00:19,472] [0/0] a.b: [DEBUG] "
EXPORTED = "ExportedProgram:\n    " + CLASS.replace("\n", "\n    ") + BODY.replace("\n", "\n    ")
SPEC = "InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p'), target='fc.weight', persistent=None), "

CASES = {
    # signs without a partner
    "round brackets": ("", "(", ""),
    "square brackets": ("", "[", ""),
    "quotes": ("", '"', ""),
    "triple quotes": ("", '"""\n', ""),
    "apostrophes": ("", "'", ""),
    "brackets in a statement": (DEF + "a = f", "(", ""),
    "a bracket on every line": (DEF, "a = f(\n    ", ""),
    "a bracket and more indentation on every line": None,
    "a bracket on every foreign line": (CLASS, "        foo bar (\n", ""),
    "an annotated call cut on every line": (CLASS, '        a: "f32[2]" = torch.relu(x\n', ""),
    "calls with too few brackets": (CLASS, "        a = torch.f((b), (c)\n", ""),
    "quotes in statements": (DEF, 'a = f("\n    ', ""),
    "triple quotes in statements": (DEF, 'a = f("""\n    ', ""),
    "escaped triple quotes": (DEF + "a = f(", '\\"""\n', ""),
    "brackets over lines": None,
    "other numbers between all operands": None,
    # heads
    "class words": ("", "class ", ""),
    "class lines": ("", "class A(torch.nn.Module):\n", ""),
    "classes on one line": ("", "class A(torch.nn.Module): ", ""),
    "classes in classes": None,
    "cut classes": ("", "class A(torch.nn.Module):\n  def forward(self, x):\n    a = f(\n", ""),
    "def words": ("", "def forward(", ""),
    "hunks of a diff": ("", "@@ -1,9 +1,9 @@\n %a : [num_users=1] = placeholder[target=a]\n", ""),
    "records on one line": ("> ", "%x : [num_users=1] = placeholder[target=x] ", "\nimport torch\n"),
    "records on one line of a log": (f"Graph fragment:\n{LOG}", "%x : [num_users=1] = placeholder[target=x] [", ""),
    "def lines": ("", "def forward(self):\n", ""),
    "defs on one line": ("", "def forward(self): return x; ", ""),
    "graph words": ("", "graph():", ""),
    "graph lines": ("", "graph():\n", ""),
    "graph types": ("", "graph() -> x:", ""),
    "table heads": ("", "opcode name target args kwargs", ""),
    "table head lines": ("", "opcode name target args kwargs\n", ""),
    "fragment lines": ("", "# Graph fragment:\n", ""),
    "all heads on one line": ("", "placeholder[target=x] def forward( graph(): class Graph fragment: opcode ", ""),
    "dashes": ("opcode name target args kwargs\n", "-  ", ""),
    "columns as wide as there are rows": None,
    # records of print(graph)
    "targets": ("", "[target=", ""),
    "names and targets": ("", "%x : [target=", ""),
    "cut records without a head": ("", "%x : [target=\n", ""),
    "quoted cut records": ("", "a %x : = call_function[target=\n", ""),
    "quoted records on one line": ("", "at " + RECORD.strip() + " ", ""),
    "quoted records on their lines": ("", "at " + RECORD.strip() + "\n", ""),
    "names before a target": ("", "%a ", " [target="),
    "records cut before the opcode": (GRAPH, "    %x : [num_users=1]\n", ""),
    "records cut in their arguments": (GRAPH, CUT + "(args = (%x\n", ""),
    "many arguments": (GRAPH + CUT + "(args = ([", "%x, ", "],), kwargs = {})\n"),
    "many arguments, cut": (GRAPH + CUT + "(args = ([", "%x, ", ""),
    "many keyword arguments": (GRAPH + CUT, "(args = (), kwargs = {}), ", ""),
    "many ends of records": (GRAPH + CUT + "(args = (", "), kwargs = {}) ", ""),
    "many begins of arguments": (GRAPH + CUT, "](args = \n", ""),
    "many types": (GRAPH + "    %a : ", "= call_function ", ""),
    "many defaults": (GRAPH + CUT, "(default=) ", ""),
    "slices in slices": (GRAPH + CUT + "(args = (", "slice(", ""),
    "slices": (GRAPH + CUT + "(args = (", "slice(x, None, None), ", "), kwargs = {})"),
    "text behind a record": (GRAPH + CUT + "(args = (", "foreign ](args = text kwargs = { })x\n", ""),
    "return brackets": (GRAPH + "    return ", "(", ""),
    "return names": (GRAPH + "    return (", "x, ", ")"),
    # statements
    "blanks in an expression": (CLASS + "        a = x", " ", "b\n        return a"),
    "blanks in an annotation": (CLASS + "        a : ", " ", "b\n        return a"),
    "blanks behind a name": (CLASS + "        a, ", " ", "x\n"),
    "blanks in a path": (CLASS + '        a = getattr(self, "0"', " ", "x\n"),
    "blanks in a parameter": ("def forward(self, x :", " ", "="),
    "parameters": ("def forward(self, ", 'a: "f32[2]", ', ""),
    "comments between parameters": ("def forward(self, x", "\n# c", "):\n    return x"),
    "joined parameters": None,
    "names set to None": (CLASS + "        a = f(x)", ";  x = None", ""),
    "equal signs": (CLASS + "        ", "a = ", "\n"),
    "unpacked names": (CLASS + "        ", "a, ", "= self._x(y)\n"),
    "attributes": (CLASS + "        a = self", ".a", "(x)\n"),
    "attributes in brackets": (CLASS + "        a = (b", ".a", ") + b\n"),
    "getattr in getattr": (CLASS + "        a = ", "getattr(self, ", "\n"),
    "operators": (CLASS + "        a = x", " + x", "\n"),
    "in-place operators": (CLASS + "        a", " b +", "= c\n"),
    "items": (CLASS + "        ", "t[", "\n"),
    "methods of methods": (CLASS + "        a = (x)", ".a(x)", "\n"),
    "objects": (CLASS + "        a = f(", "<a ", ")\n"),
    "metadata blocks": (CLASS, '        """\n        x\n', ""),
    "comments": (CLASS, "        # c\n", BODY),
    "places in one comment": (CLASS + "        # ", "File: ", "\n" + BODY),
    "lines in one comment": (CLASS + "        # File: ", "a:1, ", "\n" + BODY),
    "returned names": (CLASS + "        return (", "x,\n        ", ")"),
    # tables
    "rows": (TABLE, "placeholder  x  x  ()  {}\n", ""),
    "a long row": (TABLE + "call_function  x  x  (", "a, ", ")  {}\n"),
    "cells": (TABLE + "placeholder  ", "x  ", ""),
    "a cell over lines": (TABLE + "placeholder  x  x  ()  {}\n", "                       more\n", ""),
    # containers
    "carriage returns": ("", "\r", ""),
    "escapes": ("", "\x1b[", ""),
    "links": ("", "\x1b]8;;", ""),
    "quotes in quotes": ("", "> ", ""),
    "quoted heads": ("", "> > graph():\n", ""),
    "shrinking comment signs": None,
    "quotes and comments in turn": ("", "# graph():\n> graph():\n", ""),
    "log lines": ("", LOG + "x\n", ""),
    "old log lines": ("", OLD_LOG + "x\n", ""),
    "prefixes on one line": ("", LOG, ""),
    "a stream on every line": None,
    "brackets in a trace": ("I1129 17:00:00.000000 1 a.py:1] ", '{"a": ', "\n\tx"),
    "traces": ("", 'I1129 17:00:00.000000 1 a.py:1] {"a": 1}\n\tx\n', ""),
    "titles": (LOG, "= x ", "\n" + LOG + "a.py " + CLASS.replace("\n", "\n" + LOG)),
    "exported programs": ("", EXPORTED + "Graph signature:\n", ""),
    "signature lines": (EXPORTED + "Graph signature:\n", "    x: USER_INPUT\n", ""),
    "old signature": (EXPORTED + "Graph signature: ExportGraphSignature(", SPEC, ")\n"),
    "old signature, cut": (EXPORTED + "Graph signature: ExportGraphSignature(", SPEC[:65], ""),
    "range constraints": (EXPORTED + "Graph signature:\nRange constraints: {", "s0: VR[1, 2], ", "}"),
    "mapping of a fragment": ("#   a => b", " ", "!\n# Graph fragment:\n# " + RECORD),
    # and what torch writes
    "graphs": ("", GRAPH + RECORD + "    return a\n", ""),
    "records": (GRAPH, RECORD, "    return a\n"),
    "records with strings": (GRAPH, RECORD.replace("%x,", "%x, a(b, c), slice(x, None, None)"), "    return a\n"),
    "modules": ("", CLASS + BODY + "\n", ""),
    "statements": (CLASS, '        a: "f32[2]" = torch.relu(x);  x = None\n', "        return (a,)"),
    "statements with strings": (CLASS, "        a = torch.f(x, mode = 'b');  x = None\n", "        return (a,)"),
    "tables": ("", TABLE + "placeholder  x  x  ()  {}\noutput  output  output  (x,)  {}\n\n", ""),
    "Markdown": ("", "> " + RECORD.strip() + "\n\n", ""),
    "CRLF": (GRAPH, RECORD[:-1] + "\r\n", ""),
    "logged graphs": ("", LOG + "a.py " + (CLASS + BODY).replace("\n", "\n" + LOG) + "\n", ""),
}


def generated(name: str, size: int) -> str:
    """The cases where each piece differs from the one before."""
    count = size // 30
    depth = int((size / 4) ** 0.5)
    if name == "a bracket and more indentation on every line":
        return CLASS + "".join(" " * (8 + place) + "a = f(\n" for place in range(int((2 * size) ** 0.5)))
    if name == "brackets over lines":
        return CLASS + "        a = " + "(\n" * (size // 3) + "x" + ")" * (size // 3) + "\n"
    if name == "other numbers between all operands":
        operands = "".join(f"x, {place}, " for place in range(size // 8))
        return CLASS + f'        a: "f32[2]" = torch.cat({operands}x)\n        return (a,)\n'
    if name == "classes in classes":
        head = 'class A(torch.nn.Module):\n{0}    def forward(self, x: "f32[2]"):\n{0}        return (x,)\n'
        return "".join("    " * level + head.format("    " * level) for level in range(depth // 3))
    if name == "columns as wide as there are rows":
        head = "opcode         name target args kwargs\n-------------  " + "-" * (size // 2) + "  ----  -----  -----\n"
        return head + "placeholder    x  x  ()  {}\n" * (count // 2)
    if name == "joined parameters":
        names = range(count)
        joined = "".join(f"    l_x{place}_ = L_x{place}_\n" for place in names)
        return f"def forward(self, {', '.join(f'L_x{place}_' for place in names)}):\n{joined}    return l_x1_\n"
    if name == "shrinking comment signs":
        return "".join("#" * (depth - place) + " graph():\n" for place in range(depth))
    assert name == "a stream on every line"
    return "".join(f"V1129 17:00:00.000000 1 a.py:1] [{place}/0] [__graph_code] x\n" for place in range(count))


def text_of(name: str, size: int) -> str:
    case = CASES[name]
    if case is None:
        return generated(name, size)
    before, piece, behind = case
    return before + piece * (size // len(piece)) + behind


def seconds(text: str) -> float:
    begin = time.process_time()
    for graph in read(text).graphs:
        for node in graph.nodes[:3] + graph.nodes[-3:]:
            uses(graph, node)
            parts(graph, node)
            arguments(graph, node)
            source_of(graph, node)
    return time.process_time() - begin


def check_ten_times(name: str, seconds: Callable[[str], float]) -> None:
    """Ten times the text of a case takes under fifteen times as long, or so little that nobody waits."""
    small, large = text_of(name, SIZE), text_of(name, 10 * SIZE)
    best_large = seconds(large)
    for _ in range(4):
        if best_large < FAST * len(large):
            return
        best_small = min(seconds(small) for _ in range(5))
        if best_large < 15 * best_small * len(large) / (10 * len(small)):
            return
        best_large = min(best_large, seconds(large))
    raise AssertionError(f"{len(small)} characters: {best_small:.3f} s, {len(large)}: {best_large:.3f} s")


@pytest.mark.parametrize("name", CASES)
def test_ten_times_the_text(name: str):
    check_ten_times(name, seconds)
