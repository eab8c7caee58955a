"""The hover of a target: which operator it is, its family, and what is known of it in which releases."""

from __future__ import annotations

from fxgraph.analysis.purity import UNKNOWN_OPERATOR, function_effect
from fxgraph.features.binding import release_named
from fxgraph.features.hovers.build import build_text
from fxgraph.features.hovers.higher_order_words import HIGHER_ORDER
from fxgraph.features.hovers.python_words import python_text, table_spelling
from fxgraph.features.markdown import bullets, capped, code, paragraphs, prose
from fxgraph.features.nested import graph_named_by
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.told import Torch
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, PLACEHOLDER, Graph, Node
from fxgraph.ops import Overload, Packet, Target, catalogue, guess_family, split_target

MOST_OVERLOADS = 12
_SCHEMA = 700
_OPEN = "which overload runs depends on the arguments"


def target_text(snapshot: Snapshot, graph: Graph, node: Node, torch: Torch | None = None) -> str:
    """What a node's target is; the overload family where it is an operator."""
    if node.opcode == CALL_FUNCTION:
        known = _function(node.target, release_named(snapshot.dump.header))
        return paragraphs([known, None if torch is None else build_text(torch, node.target)])
    if node.opcode == CALL_METHOD:
        return _method(node.target, release_named(snapshot.dump.header))
    head = f"**{code(node.target)}**"
    nested = graph_named_by(snapshot, graph, node)
    where = ""
    if nested is not None:
        where = f" Its graph begins in line {snapshot.lines.line_of(nested.span().start) + 1}."
    if node.opcode == CALL_MODULE:
        return f"{head}: a submodule of the module that owns the graph. What it computes stands in its class.{where}"
    if node.opcode == GET_ATTR:
        return f"{head}: an attribute of the module that owns the graph.{where}"
    if node.opcode == PLACEHOLDER:
        return f"{head}: the argument that this input takes."
    return head


def _function(target: str, release: str | None) -> str:
    operator = split_target(target)
    if operator is not None:
        return _operator(operator, release)
    words = python_text(target)
    if words is not None:
        return f"**{code(target)}**: {words}"
    bare = table_spelling(target)
    if bare is not None:
        return f"**{code(target)}**: a function called {code(bare)}; a table does not tell of which module."
    family = guess_family(target, release=release)
    if family is None:
        return f"**{code(target)}**: a Python function."
    return _guessed(f"**{code(target)}**: a function above the ATen level.", family)


def _method(target: str, release: str | None) -> str:
    head = f"**{code(target)}**: a method of the first argument, in most graphs of a `torch.Tensor`."
    family = guess_family(target, method=True, release=release)
    return head if family is None else _guessed(head, family)


def _guessed(head: str, family: Packet) -> str:
    overloads = _tensors_first(family)
    return paragraphs(
        [
            head,
            f"The ATen family of that name, {code(family.name)}, is likely what it calls; {_OPEN}:",
            bullets(capped([_schema(one) for one in overloads], MOST_OVERLOADS)),
            _release(family.release),
        ]
    )


def _operator(target: Target, release: str | None) -> str:
    known = catalogue()
    name = f"**{code(target.qualified)}**"
    chosen = None
    if target.overload is not None:
        chosen = known.overload(target.qualified, release) or known.overload(target.qualified)
    packet = known.packet(target.name, chosen.release if chosen is not None else release) or known.packet(target.name)
    if target.is_higher_order or (packet is not None and packet.is_higher_order):
        return _higher_order(name, target, packet)
    if packet is None:
        return f"{name}: an operator of the namespace {code(target.namespace)}. Nothing is known of it here."
    others = [one for one in _tensors_first(packet) if chosen is None or one.name != chosen.name]
    if chosen is not None:
        family = f"Other overloads of {code(packet.name)}:" if others else None
        facts: str | None = _facts(chosen)
    else:
        family = f"Overloads of {code(packet.name)}:"
        facts = (
            f"{code(packet.name)} has no overload {code(target.overload)} in the known releases."
            if target.overload is not None
            else f"A packet: {_OPEN}."
        )
    return paragraphs(
        [
            name,
            _schema(chosen) if chosen is not None else None,
            facts,
            family,
            bullets(capped([_schema(one) for one in others], MOST_OVERLOADS)),
            _release(packet.release),
        ]
    )


def _higher_order(name: str, target: Target, packet: Packet | None) -> str:
    words = HIGHER_ORDER.get(target.packet)
    parameters = code(f"{target.packet}{packet.parameters}", _SCHEMA) if packet and packet.parameters else None
    what = f"{name}: a higher-order operator"
    return paragraphs(
        [
            f"{what}, which takes graphs as arguments." if words is None else f"{what}. {_capitalised(words)}.",
            parameters,
            f"Known {packet.known_in}." if packet is not None else None,
        ]
    )


def _facts(overload: Overload) -> str:
    """Tags, view or in place, decomposition, releases: short, in one line."""
    facts = []
    writes = [argument.name for argument in overload.arguments if argument.writes]
    if writes:
        facts.append(f"writes to {', '.join(code(name) for name in writes)}")
    elif overload.is_view:
        shared = next((one.name for one in overload.arguments if one.alias is not None), "self")
        facts.append(f"a view of {code(shared)} by its schema")
    else:
        effect = function_effect(overload.qualified)
        if effect is None:
            facts.append("functional: no view, writes nothing")
        else:
            facts.append("no view, and writes nothing by its schema")
            if effect != UNKNOWN_OPERATOR:
                facts.append(f"it {prose(effect)}")
    facts.append("has a decomposition" if overload.has_decomposition else "no registered decomposition")
    if overload.tags:
        facts.append("tags " + ", ".join(code(tag) for tag in overload.tags))
    return f"{_capitalised('; '.join(facts))}. Known {overload.known_in}."


def _capitalised(words: str) -> str:
    return words[0].upper() + words[1:]


def _tensors_first(packet: Packet) -> list[Overload]:
    """The overloads in the order of registration; those of TorchScript alone, on Python's numbers, last."""
    return sorted(packet.overloads.values(), key=lambda overload: overload.is_script_only)


def _schema(overload: Overload) -> str:
    return code(overload.schema, _SCHEMA)


def _release(release: str) -> str:
    return f"As of torch {release}."
