"""Rules about the text itself: what could not be read, what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import INFORMATION, Report, Rule
from fxgraph.analysis.rules.places import head_span, name_span


def unreadable_line(facts: Facts) -> Iterator[Report]:
    """A line inside a graph begins as a node and then fails.

    Everything else between the nodes (log lines, comments, prose) is left alone. The line is skipped, the other nodes
    are read, and nothing is said about what may be missing: no undefined names, no wrong counts, nothing dead.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[targ
        return relu
    ```
    """
    graph = facts.graph
    for start, end in graph.broken:
        yield Report(graph.page.span(start, end), None, "This line begins as a node, but cannot be read as one")


def cut_graph(facts: Facts) -> Iterator[Report]:
    """A graph has a head and nodes, but no return line.

    A terminal, a log limit or a copy cut it off. What stands there can be used as ever, but user counts prove nothing
    and no node is called dead. The graph that `torch.export` prints where it fails has no return line by nature and is
    left alone.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    ```
    """
    graph = facts.graph
    if graph.has_end or not graph.has_head or not graph.nodes or _is_failed_export(facts):
        return
    last = graph.nodes[-1]
    message = f"The graph ends behind `{last.name}` without its return line: users that are missing here are not judged"
    yield Report(name_span(graph, last), last.name, message, ((head_span(graph), "the graph begins here"),))


def _is_failed_export(facts: Facts) -> bool:
    """A `def` without a class above it, whose values carry types: torch/_export prints that when it gives up."""
    graph = facts.graph
    bare_def = graph.form in ("code", "readable") and not graph.name
    return bare_def and any(node.type is not None for node in graph.nodes)


RULES = (
    Rule("FX001", "unreadable-line", INFORMATION, True, False, frozenset(), unreadable_line),
    Rule("FX002", "cut-graph", INFORMATION, True, False, frozenset(), cut_graph),
)
