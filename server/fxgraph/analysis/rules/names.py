"""Rules about names: what `Graph.lint` refuses, and what a generated forward cannot run."""

from __future__ import annotations

from collections.abc import Iterator

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import ERROR, Report, Rule
from fxgraph.analysis.rules.places import name_span, of_node, use_span
from fxgraph.graph import Graph, Node, Use
from fxgraph.reading import in_any_place, uses


def undefined_name(facts: Facts) -> Iterator[Report]:
    """A node reads a name that its graph does not define.

    Each graph is a scope of its own: a name of another graph in the same file, or of the graph around a nested one,
    does not count. In a graph that torch still holds, `Graph.lint` says that the argument does not belong to it.
    Judged in whole graphs that begin with their head only: in front of the first line of a pasted piece more inputs may
    have stood.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %add : [num_users=1] = call_function[target=torch.add](args = (%x, %fc), kwargs = {})
        return add
    ```
    """
    graph, definitions = facts.graph, facts.links.definitions
    for node in facts.links.odd_readers if graph.has_head else ():
        for use in uses(graph, node):
            if use.name not in definitions:
                message = f"`{use.name}` is read by {of_node(node)}, but this graph does not define it"
                yield Report(use_span(graph, use), use.name, message)


def used_before_definition(facts: Facts) -> Iterator[Report]:
    """A node reads a name above its definition, or reads itself.

    The nodes of a graph have to be topologically ordered; `Graph.lint` refuses the graph with these words, and
    a generated forward raises `UnboundLocalError`. A pass that inserts a node at the wrong place
    (`graph.inserting_before`) leaves this behind.

    ```text
    graph():
        %x : [num_users=2] = placeholder[target=x]
        %add : [num_users=1] = call_function[target=torch.add](args = (%x, %relu), kwargs = {})
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        return add
    ```
    """
    graph, definitions = facts.graph, facts.links.definitions
    if _is_unordered(graph):
        return
    for node in facts.links.odd_readers:
        for use in uses(graph, node):
            definition = definitions.get(use.name)
            if definition is not None and not _breaks_off(graph, use) and definition.index >= node.index:
                message = f"Argument `{use.name}` of {of_node(node)} was used before it has been defined"
                related = ((name_span(graph, definition), f"`{use.name}` is defined here"),)
                yield Report(use_span(graph, use), use.name, message, related)


def redefined_name(facts: Facts) -> Iterator[Report]:
    """A name is defined a second time in one graph.

    `Graph.lint` refuses it with these words, and generated code silently overwrites the first value. Reads of such
    a name are taken to mean the first definition, and neither is called dead.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        %relu : [num_users=1] = call_function[target=torch.neg](args = (%relu,), kwargs = {})
        return relu
    ```
    """
    graph = facts.graph
    if _is_unordered(graph):
        return
    for node in facts.links.redefined:
        first = facts.links.definitions[node.name]
        related = ((name_span(graph, first), "the first definition"),)
        yield Report(name_span(graph, node), node.name, f"Node redefined name `{node.name}`!", related)


def read_after_free(facts: Facts) -> Iterator[Report]:
    """A value is read below the line that sets it to None.

    Generated code drops each value behind its last use (`add = None`). A read further down computes with None: the
    text was edited by hand, or two texts were joined. Only generated code has such lines.

    ```text
    def forward(self, x):
        relu = torch.relu(x);  x = None
        add = relu + x;  relu = None
        return add
    ```
    """
    graph, ambiguous = facts.graph, facts.links.ambiguous
    if graph.form not in ("code", "readable") or graph.is_mixed:
        return
    freed: set[str] = set()
    freeing: dict[str, Node] = {}  # by name the first node that frees it, once somebody asks
    for index, node in enumerate(in_any_place(graph.nodes)):
        if not freed.isdisjoint(node.reads):
            if not freeing:
                freeing.update((name, above) for above in reversed(graph.nodes) for name in above.frees)
            yield from _late_reads(facts, graph.nodes[index], freed, freeing)
        if ambiguous and node.name in ambiguous:  # a second definition gives the name a value again
            freed.discard(node.name)
        if node.frees:
            freed.update(node.frees)


def _late_reads(facts: Facts, node: Node, freed: set[str], freeing: dict[str, Node]) -> Iterator[Report]:
    graph = facts.graph
    for use in uses(graph, node):
        if use.name in freed and use.name in facts.links.definitions and not _breaks_off(graph, use):
            above = freeing[use.name]
            related = ((graph.page.span(above.start, above.end), f"`{use.name}` is set to None here"),)
            message = f"`{use.name}` is read by {of_node(node)}, but `{use.name} = None` stands above"
            yield Report(use_span(graph, use), use.name, message, related)


def _breaks_off(graph: Graph, use: Use) -> bool:
    """Whether the text ends right behind a name: it may be the front of another one, `relu` of `relu_1`."""
    return use.start + len(use.name) == len(graph.page.text)


def _is_unordered(graph: Graph) -> bool:
    """Kernel fragments of several graphs are printed side by side, unsorted (torch/_inductor/utils.py). Lines of other
    text quote nodes in any order: inductor says which it lowers, those of nested graphs between those of the graph.
    Where two writers shared a text, the lines of a graph may be those of two.
    """
    if graph.is_part or graph.is_mixed or graph.has_head or not graph.nodes:
        return graph.is_part or graph.is_mixed
    text, first = graph.page.text, graph.nodes[0].begin
    return bool(text[text.rfind("\n", 0, first) + 1 : first].strip())


RULES = (
    Rule("FX101", "undefined-name", ERROR, True, True, frozenset(), undefined_name),
    Rule("FX102", "used-before-definition", ERROR, True, False, frozenset(), used_before_definition),
    Rule("FX103", "redefined-name", ERROR, True, False, frozenset(), redefined_name),
    Rule("FX105", "read-after-free", ERROR, True, False, frozenset(), read_after_free),
)
