"""The end of a value: its users, the last of them, and whether anybody needs it."""

from __future__ import annotations

from fxgraph.analysis import Facts
from fxgraph.analysis.elimination import unused_words
from fxgraph.features.binding import bind, overload_of
from fxgraph.features.hovers.values import line_of, named
from fxgraph.features.markdown import capped, code, prose
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, PLACEHOLDER, Graph, Node

MOST_USERS = 8
#: A hover does not look at more users than these, the last ones.
_MOST_LOOKED_AT = 2000


def users_text(snapshot: Snapshot, graph: Graph, node: Node) -> str | None:
    """Who reads a node, with line numbers, and which of them is the last. None for the output node."""
    if node.opcode == OUTPUT:
        return None
    users = snapshot.facts[graph.index].links.users[node.index]
    if not users:
        return None if graph.is_whole else "No users in this text, which does not hold the whole graph."
    first = [named(snapshot, graph, user) for user in users[: MOST_USERS + 1]]
    shown = capped(first, MOST_USERS, len(users))
    count = "1 user" if len(users) == 1 else f"{len(users):,} users"
    return f"{count}: {', '.join(shown)}"


def last_use_text(snapshot: Snapshot, graph: Graph, node: Node, release: str | None) -> str | None:
    """Where generated code drops the reference (torch/fx/graph.py `delete_unused_values`), and the views that go on.

    None for inputs, which the caller holds, for attributes, which the module holds, for returned values, and where the
    text does not hold the whole graph.
    """
    facts = snapshot.facts[graph.index]
    users = facts.links.users[node.index]
    if not users or not graph.is_whole or node.opcode not in _MADE_HERE or _is_returned(facts, node):
        return None
    last = users[-1]
    text = f"Last use: {named(snapshot, graph, last)}. Generated code drops the reference here"
    views = [
        view
        for view in users[-_MOST_LOOKED_AT:]
        if _lives_on(facts, view, last) and _is_view_of(graph, view, node, release)
    ]
    if not views:
        return text + "."
    names = ", ".join(capped([code(view.name) for view in views], 3))
    if len(views) == 1:
        return f"{text}; {names}, a view of it, goes on{_until(snapshot, graph, views[0])}."
    return f"{text}; {names}, views of it, go on."


_MADE_HERE = frozenset({"call_function", "call_method", "call_module"})


def _is_view_of(graph: Graph, user: Node, node: Node, release: str | None) -> bool:
    """Whether the schema says that the user returns this node's memory."""
    overload = overload_of(user, release)
    if overload is None or not overload.is_view:
        return False
    return any(
        bound.argument.node == node.name and bound.schema is not None and bound.schema.alias is not None
        for bound in bind(graph, user, release)
    )


def _lives_on(facts: Facts, view: Node, last: Node) -> bool:
    users = facts.links.users[view.index]
    return bool(users) and users[-1].index > last.index


def _is_returned(facts: Facts, node: Node) -> bool:
    """Whether the output reads it: the output stands last, so it is the last of the users."""
    users = facts.links.users[node.index]
    return bool(users) and users[-1].opcode == OUTPUT


def _until(snapshot: Snapshot, graph: Graph, view: Node) -> str:
    facts = snapshot.facts[graph.index]
    if _is_returned(facts, view):
        return " and is returned"
    return f" until line {line_of(snapshot, graph, facts.links.users[view.index][-1])}"


def fate_text(snapshot: Snapshot, graph: Graph, node: Node) -> str | None:
    """Whether a node is dead, or what speaks for one that nobody reads. None for nodes that are simply used."""
    facts = snapshot.facts[graph.index]
    if node.index in facts.dead:
        users = facts.links.users[node.index]
        why = "only dead nodes read it" if users else "nobody reads it"
        return f"**Dead**: {why}, and its target is known to have no effect. Dead code elimination takes it out."
    if node.index not in facts.unused or node.opcode == OUTPUT:
        return None
    if node.opcode == PLACEHOLDER:
        return "No users: an unused input stays in the signature." if graph.is_whole else None
    effect = facts.effect(node)
    if effect is not None:
        words = unused_words(node, prose(effect))
        return f"{words[0].upper()}{words[1:]}."
    return "No users." if graph.is_whole else None
