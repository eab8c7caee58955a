"""Print a real `torch.fx.Graph` in each form, read the text with fxgraph, and hold one against the other."""

from __future__ import annotations

import builtins
import contextlib
import io
import os
from collections.abc import Callable, Iterator
from typing import Any

from torch import fx

from fxgraph.analysis.names import link
from fxgraph.graph import Graph
from fxgraph.reading import read, uses

#: Forms that print one node after the other, under its own name; all others are generated code.
NODE_FORMS = ("graph", "node_meta", "tabular")


def printed(function: Callable[..., Any], **options: Any) -> str:
    """What a function writes to standard output."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(**options)
    return out.getvalue()


def texts(gm: fx.GraphModule) -> Iterator[tuple[str, str]]:
    """(form, text) of one graph module in every form of this torch."""
    yield "graph", str(gm.graph)
    yield "code", gm.code
    yield "str", str(gm)
    yield "readable", printed(gm.print_readable)
    yield "meta", readable_with_meta(gm)
    yield "node_meta", nodes_with_meta(gm)
    yield "colored", printed(gm.print_readable, include_stride=True, include_device=True, colored=True)
    yield "expanded_def", printed(gm.print_readable, expanded_def=True)
    yield "tabular", printed(gm.graph.print_tabular)
    yield "record_func", gm.graph.python_code("self", record_func=True).src


def readable_with_meta(gm: fx.GraphModule) -> str:
    os.environ["FX_GRAPH_SHOW_META"] = "1"
    try:
        return printed(gm.print_readable)
    finally:
        del os.environ["FX_GRAPH_SHOW_META"]


def nodes_with_meta(gm: fx.GraphModule) -> str:
    """What `format_node` writes of each node, below the head that `str(graph)` has."""
    lines = [node.format_node(include_tensor_metadata=True) for node in gm.graph.nodes]
    return "\n".join(["graph():", *("    " + line for line in lines if line)])


def nodes_in(value: Any) -> list[fx.Node]:
    """The nodes in an argument, in the order of the text, each as often as it stands there."""
    found: list[fx.Node] = []
    fx.node.map_arg(value, lambda node: found.append(node) or node)
    return found


def name_of(node: fx.Node, form: str) -> str:
    """Export gives inputs the user's names, builtins too; generated code has names of its own for those."""
    as_it_is = form in NODE_FORMS or not hasattr(builtins, node.name)
    return node.name if as_it_is else f"{node.name}_1"


def reads_of(node: fx.Node, form: str) -> list[str]:
    return [name_of(read, form) for read in nodes_in((node.args, node.kwargs))]


def target_of(node: fx.Node) -> str:
    return str(node.target) if isinstance(node.target, str) else node._pretty_print_target(node.target)


def spellings(node: fx.Node, form: str) -> set[str]:
    """How the target may be spelled: generated code calls what is not a plain name of torch by a mangled global."""
    target = target_of(node)
    return (
        {target} if form in ("graph", "node_meta") or node.op != "call_function" else {target, target.replace(".", "_")}
    )


def freed_by_code(graph: fx.Graph, form: str) -> dict[str, set[str]]:
    """Names that generated code sets to None behind each node: torch/fx/graph.py `delete_unused_values`."""
    freed: dict[str, set[str]] = {name_of(node, form): set() for node in graph.nodes}
    seen: set[fx.Node] = set()
    for node in reversed(graph.nodes):
        for read_node in nodes_in((node.args, node.kwargs)):
            if read_node not in seen:
                seen.add(read_node)
                freed[name_of(node, form)].add(name_of(read_node, form))
        if not node.users:
            freed[name_of(node, form)].add(name_of(node, form))
    for node in graph.nodes:
        if node.op in ("placeholder", "output"):
            freed[name_of(node, form)].clear()
    return freed


def nodes_of(graph: fx.Graph, form: str) -> list[fx.Node]:
    """The nodes in the order of the text: in generated code the inputs are parameters, wherever they stand."""
    nodes = list(graph.nodes)
    return nodes if form in NODE_FORMS else sorted(nodes, key=lambda node: node.op != "placeholder")


def what_torch_has(graph: fx.Graph, form: str) -> list[tuple[str, str, list[str]]]:
    """(name, opcode, distinct users in graph order) of each node."""
    nodes = nodes_of(graph, form)
    return [(name_of(node, form), node.op, [name_of(u, form) for u in nodes if u in node.users]) for node in nodes]


def what_we_read(graph: Graph) -> list[tuple[str, str, list[str]]]:
    users = link(graph).users
    return [(node.name, node.opcode, [user.name for user in users[node.index]]) for node in graph.nodes]


def check_form(form: str, text: str, graph: fx.Graph) -> None:
    """The first graph of a text is this graph, as far as its form tells."""
    got = read(text).graphs[0]
    assert what_we_read(got) == what_torch_has(graph, form), form
    assert not got.broken, form
    assert got.has_head
    assert got.has_end == any(node.op == "output" for node in graph.nodes)
    for mine, node in zip(got.nodes, nodes_of(graph, form), strict=True):
        reads = reads_of(node, form)
        if form in NODE_FORMS:
            assert list(mine.reads) == reads, form
        assert set(mine.reads) == set(reads), form
        assert [use.name for use in uses(got, mine)] == list(mine.reads)
        if form in ("graph", "node_meta"):
            assert mine.printed_users == (None if node.op == "output" else len(node.users))
        if form != "tabular" or node.op != "call_function":
            assert mine.target in spellings(node, form), form
        for use in uses(got, mine):
            span = got.page.span(use.start, use.start + len(use.name))
            assert text[span.start : span.end] == use.name
    if form in ("code", "readable"):
        assert {node.name: set(node.frees) for node in got.nodes} == freed_by_code(graph, form), form


def check_reads_back(gm: fx.GraphModule) -> None:
    """Every form of this graph reads back as this graph."""
    for form, text in texts(gm):
        check_form(form, text, gm.graph)
