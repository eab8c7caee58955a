"""A call's operands beside the names that the operator's schema gives them."""

from __future__ import annotations

from typing import NamedTuple

from fxgraph import ops
from fxgraph.graph import CALL_FUNCTION, Graph, Node
from fxgraph.ops import Overload, catalogue, split_target
from fxgraph.ops.releases import resolve
from fxgraph.reading import Argument, arguments


class Bound(NamedTuple):
    """One operand. `name` is the schema's or the keyword's name of it, None where neither tells; `schema` the schema's
    argument where the operator is known.
    """

    name: str | None
    argument: Argument
    schema: ops.Argument | None


def release_named(header: dict[str, str]) -> str | None:
    """The known torch release that a dump's header line names, else None: then the newest known one is taken."""
    torch = header.get("torch")
    return None if torch is None else resolve(torch, catalogue().releases)


def overload_of(node: Node, release: str | None = None) -> Overload | None:
    """The overload that a node calls, where its target names one that is known.

    Facts of the release if it has such an overload, else those of the newest known release that has.
    """
    target = split_target(node.target) if node.opcode == CALL_FUNCTION else None
    if target is None or target.overload is None:
        return None
    return catalogue().overload(target.qualified, release) or catalogue().overload(target.qualified)


def bind(graph: Graph, node: Node, release: str | None = None) -> list[Bound]:
    """The operands of a call in their order, positional ones first."""
    overload = overload_of(node, release)
    known = overload.arguments if overload is not None else ()
    by_place = [argument for argument in known if not argument.kwarg_only]
    by_name = {argument.name: argument for argument in known}
    given = arguments(graph, node)
    bound = []
    for place, argument in enumerate(given.positional):
        schema = by_place[place] if place < len(by_place) else None
        bound.append(Bound(schema.name if schema else None, argument, schema))
    for name, argument in given.keyword:
        bound.append(Bound(name, argument, by_name.get(name)))
    return bound
