"""Rules about printed counts."""

from __future__ import annotations

from collections.abc import Iterator

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import WARNING, Report, Rule
from fxgraph.analysis.rules.places import MOST, name_span
from fxgraph.reading import in_any_place


def wrong_user_count(facts: Facts) -> Iterator[Report]:
    """The printed `num_users` is not the number of distinct nodes that read the value.

    torch prints `len(node.users)`: a node that takes a value twice counts once, the output node counts, too. Where the
    text disagrees, lines were changed, removed or added by hand, or a pass wrote to `node.args` without updating users.
    Judged in whole graphs only, and not for a name that is defined twice.

    ```text
    graph():
        %x : [num_users=2] = placeholder[target=x]
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
        return relu
    ```
    """
    graph, links, users = facts.graph, facts.links, facts.links.users
    counts = links.readers.counts()
    nodes = enumerate(in_any_place(graph.nodes))
    for index in [index for index, node in nodes if node.printed_users not in (None, counts[index])]:
        node, readers = graph.nodes[index], users[index]
        printed = node.printed_users
        if node.name in links.ambiguous:
            continue
        count = (
            "no node reads it"
            if not readers
            else f"{len(readers)} {'node reads' if len(readers) == 1 else 'nodes read'} it"
        )
        related = tuple((name_span(graph, reader), f"reads `{node.name}`") for reader in readers[:MOST])
        message = f"`{node.name}` is printed with {printed} {'user' if printed == 1 else 'users'}, but {count}"
        yield Report(name_span(graph, node), node.name, message, related)


RULES = (Rule("FX104", "wrong-user-count", WARNING, True, True, frozenset(), wrong_user_count),)
