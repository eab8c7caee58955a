"""Rules about values that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from fxgraph.analysis.elimination import unused_words
from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import HINT, INFORMATION, UNNECESSARY, Report, Rule
from fxgraph.analysis.rules.places import MOST, name_span, named, target_words
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, PLACEHOLDER, Node


def dead_node(facts: Facts) -> Iterator[Report]:
    """A node can be left out: only dead nodes read it, or none, and it is known to have no effect.

    Known are operators whose schema writes nothing, and a list of functions and methods of torch, `operator` and
    `math`. In-place operations, random numbers, checks, modules, custom operators and graphs of higher-order operators
    are never called dead, though `Graph.eliminate_dead_code` removes some of them. The parts of a dead chain name each
    other. Judged in whole graphs only; a node that has more users by its printed count than the text shows is not dead.

    ```text
    graph():
        %x : [num_users=2] = placeholder[target=x]
        %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
        %exp : [num_users=0] = call_function[target=torch.ops.aten.exp.default](args = (%neg,), kwargs = {})
        return x
    ```
    """
    graph, links = facts.graph, facts.links
    if not facts.dead:
        return
    nodes, users, chains = graph.nodes, links.users, _chains(facts)
    for index in sorted(facts.dead):
        node, chain, readers = nodes[index], chains[index], users[index]
        # A chain may be as long as the graph: only its first nodes are looked at for each of them.
        others = [nodes[other] for other in islice((other for other in chain if other != index), MOST + len(readers))]
        why = "nothing reads it" if not readers else f"only dead nodes read it ({named([r.name for r in readers])})"
        message = f"`{node.name}` is dead: {why}, and {_harmless(node)}"
        rest = [other.name for other in others if other not in readers]
        if rest:
            message += f"; goes together with {named(rest, count=len(chain) - 1 - len(readers))}"
        related = tuple((name_span(graph, other), f"`{other.name}` is dead, too") for other in others[:MOST])
        yield Report(graph.page.span(node.start, node.end), node.name, message, related)


def _harmless(node: Node) -> str:
    if node.opcode == CALL_FUNCTION:
        return f"{target_words(node)} has no side effect"
    if node.opcode == CALL_METHOD:
        return f"the method {node.target} has no side effect"
    return "fetching an attribute has no side effect"


def _chains(facts: Facts) -> dict[int, list[int]]:
    """By index of a dead node: the indices of the dead nodes that hang together with it, in graph order."""
    dead, readers = facts.dead, facts.links.readers
    chains: dict[int, list[int]] = {}
    for index in sorted(dead, reverse=True):  # readers stand below, mostly: their chains are there
        merged = [index]
        for reader in readers[index]:
            other = chains.get(reader)
            if other is not None and other is not merged:
                small, large = sorted((merged, other), key=len)
                large.extend(small)
                for member in small:
                    chains[member] = large
                merged = large
        chains[index] = merged
    for chain in {id(chain): chain for chain in chains.values()}.values():
        chain.sort()
    return chains


def unused_with_effect(facts: Facts) -> Iterator[Report]:
    """Nobody reads a node, but it has an effect, or what it does is not known.

    Off by default: in graphs of real programs most unused nodes are checks, copies into inputs and switches of a mode,
    and they belong there. Switch it on to see what each of them is there for, and
    which of them `Graph.eliminate_dead_code` is known to keep: inputs, operators whose schema writes, assertions,
    `operator.setitem`. Others it may take out, a call of the method `mul_` or of `batch_norm` say.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %y : [num_users=2] = placeholder[target=y]
        %copy_ : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%x, %y), kwargs = {})
        return y
    ```
    """
    graph = facts.graph
    for index in sorted(facts.unused - facts.dead):
        node = graph.nodes[index]
        if node.opcode == PLACEHOLDER or node.printed_users:
            continue
        effect = facts.effect(node)
        if effect is not None:
            yield Report(name_span(graph, node), node.name, f"`{node.name}` has {unused_words(node, effect)}")


def unused_input(facts: Facts) -> Iterator[Report]:
    """Nobody reads an input.

    Off by default: exported programs list every parameter and buffer, and AOTAutograd keeps every argument. An input
    that is missing in the body can still be a sign that something was traced away.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %mask : [num_users=0] = placeholder[target=mask]
        return x
    ```
    """
    graph = facts.graph
    for index in sorted(facts.unused):
        node = graph.nodes[index]
        if node.opcode == PLACEHOLDER and not node.printed_users:
            yield Report(name_span(graph, node), node.name, f"No node reads the input `{node.name}`")


RULES = (
    Rule("FX201", "dead-node", HINT, True, True, UNNECESSARY, dead_node),
    Rule("FX202", "unused-with-effect", INFORMATION, False, True, frozenset(), unused_with_effect),
    Rule("FX203", "unused-input", INFORMATION, False, True, frozenset(), unused_input),
)
