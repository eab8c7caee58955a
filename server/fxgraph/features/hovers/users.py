"""The hover of `num_users=3`."""

from __future__ import annotations

from fxgraph.features.hovers.life import users_text
from fxgraph.features.markdown import code, paragraphs
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node

_MEANING = (
    "`num_users` counts the distinct nodes that read the value when the graph was printed. A node that reads it twice "
    "counts once; the output node counts."
)


def count_text(snapshot: Snapshot, graph: Graph, node: Node) -> str:
    """What the number counts, the number found in the text, and who they are."""
    found = len(snapshot.facts[graph.index].links.users[node.index])
    printed = node.printed_users
    verdict = None
    if printed is not None and not graph.is_whole:
        verdict = f"{found:,} of the printed {printed:,} stand in this text, which does not hold the whole graph."
    elif printed is not None and printed != found:
        verdict = f"Printed is {printed:,}, the text has {found:,}."
    who = users_text(snapshot, graph, node) or f"{code(node.name)} has no users."
    return paragraphs([_MEANING, verdict, who])
