"""A diff of two dumps: the newer side of each hunk is read, and beside it the lines that were taken away."""

from __future__ import annotations

from fxgraph.analysis import check, facts_of
from reading.checks import check_graphs
from reading.invariants import check_read

DIFF = """\
--- before.fxgraph
+++ after.fxgraph
@@ -1,6 +1,6 @@
 graph():
     %x : [num_users=1] = placeholder[target=x]
-    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
-    %neg : [num_users=1] = call_function[target=torch.neg](args = (%relu,), kwargs = {})
+    %gelu : [num_users=1] = call_function[target=torch.gelu](args = (%x,), kwargs = {})
+    %neg : [num_users=1] = call_function[target=torch.neg](args = (%gelu,), kwargs = {})

     return neg
"""


def test_both_sides():
    check_graphs(
        DIFF,
        """
        [graph_str, text]
        x = placeholder x
        gelu = call_function torch.gelu(x)
        neg = call_function torch.neg(gelu)
        output = output (neg)
        [graph_str, text, no head, no end]
        relu = call_function torch.relu(x)
        neg = call_function torch.neg(relu)
        """,
    )


def test_hunks_are_graphs_of_their_own():
    later = """\
@@ -100,2 +100,3 @@ graph():
     %cos : [num_users=1] = call_function[target=torch.cos](args = (%x,), kwargs = {})
+    %neg : [num_users=1] = call_function[target=torch.neg](args = (%cos,), kwargs = {})
     return neg
\\ No newline at end of file
"""
    dump = check_read(DIFF + later)
    assert [[node.name for node in graph.nodes] for graph in dump.graphs] == [
        ["x", "gelu", "neg", "output"],
        ["relu", "neg"],
        ["cos", "neg", "output"],
    ]
    assert check(dump, facts_of(dump)) == []


def test_generated_python():
    dump = check_graphs(
        """
        @@ -1,4 +1,4 @@
         class GraphModule(torch.nn.Module):
             def forward(self, x: "f32[2]"):
        -        relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
        +        relu: "f32[2]" = torch.ops.aten.gelu.default(x);  x = None
                 return (relu,)
        """,
        """
        [GraphModule, readable, text]
        x : f32[2] = placeholder x
        relu : f32[2] = call_function torch.ops.aten.gelu.default(x) - x
        output = output (relu)
        """,
    )
    assert check(dump, facts_of(dump)) == []


def test_without_its_hunks_nothing_is_said_to_be_missing():
    bare = "".join(line for line in DIFF.splitlines(keepends=True) if line[:2] not in ("@@", "--", "++"))
    dump = check_read(bare)
    assert [node.name for node in dump.graphs[0].nodes] == ["x", "output"]
    assert check(dump, facts_of(dump)) == []


def test_counts_that_promise_too_much():
    dump = check_read("@@ -1,999999999 +1,999999999 @@\n graph():\n     %x : [num_users=0] = placeholder[target=x]\n")
    assert [node.name for graph in dump.graphs for node in graph.nodes] == ["x"]
