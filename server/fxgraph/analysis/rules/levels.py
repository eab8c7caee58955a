"""Rules about levels of the stack."""

from __future__ import annotations

from collections.abc import Iterator

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import INFORMATION, WARNING, Report, Rule
from fxgraph.analysis.rules.places import MOST, head_span, name_span, named, target_words


def mixed_levels(facts: Facts) -> Iterator[Report]:
    """Operators of two levels of the stack stand in one graph: a lowering was left half done.

    Three cases are called mixed: a method or a torch function left among operators; operators that make up a tenth or
    more of a graph of torch functions; aten operators that prims offers, too, beside prims. Graphs of dynamo are
    exempt from the first two, because a model may call operators itself, and what stands legally beside
    a level (collectives, checks, sizes, the prims that decompositions leave) does not count. The nodes outside
    of the largest side are marked, and the head of the graph says what the sides are. In tables torch's own functions
    print as those of the program do (`<function relu at 0x7f..>`): where they could decide, nothing is said.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
        %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%exp,), kwargs = {})
        %relu : [num_users=1] = call_method[target=relu](args = (%sin,), kwargs = {})
        return relu
    ```
    """
    graph, level = facts.graph, facts.level
    majority = level.majority
    if majority is None:
        return
    minorities = sorted((name for name in level.nodes if name != majority), key=lambda name: len(level.nodes[name]))
    culprits = [(node, name) for name in minorities for node in level.nodes[name]]
    head = head_span(graph)
    places = tuple((name_span(graph, node), f"{name}: {target_words(node)}") for node, name in culprits[:MOST])
    names = "; ".join([f"of {name}: {named([node.name for node in level.nodes[name]])}" for name in minorities])
    yield Report(head, None, f"Mixed levels: {level.reason}; {names}", places, INFORMATION)
    for node, name in sorted(culprits, key=lambda culprit: culprit[0].index):
        message = f"`{node.name}` ({target_words(node)}) is of level {name}, in a graph of level {majority}"
        yield Report(name_span(graph, node), node.name, message, ((head, level.reason),))


RULES = (Rule("FX301", "mixed-levels", WARNING, True, True, frozenset(), mixed_levels),)
