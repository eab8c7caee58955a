"""Rules about operators: what the catalogue of torch's releases knows of the overload and of its arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from string import ascii_letters, digits
from typing import NamedTuple

from fxgraph.analysis.facts import Build, Facts
from fxgraph.analysis.finding import INFORMATION, WARNING, Report, Rule
from fxgraph.analysis.rules.places import name_span, named
from fxgraph.graph import CALL_FUNCTION, Graph, Node
from fxgraph.ops import Overload, Schema, SchemaError, Target, catalogue, parse_schema, split_target
from fxgraph.reading import arguments, in_any_place, parts, stretches

_LONGEST_NAME = 200


class Given(NamedTuple):
    """What a call gives: how many positional arguments and which keywords; `sure` is False where text of an argument
    may have been taken for more arguments than it is.
    """

    positional: int
    keywords: tuple[str, ...]
    sure: bool


def unknown_overload(facts: Facts) -> Iterator[Report]:
    """An operator has no such overload in any known release of torch.

    `torch.ops.aten.add.Tensr` raises `AttributeError` where the graph is built again. A hand edit, or a pass that
    makes up names of overloads, leaves this behind. Only operators whose overloads are recorded for every known
    release are judged; custom namespaces are left alone. In an editor that has asked your torch, what this torch has is
    never called unknown, and what only other releases have is told as information: "not in your torch 2.2.2".

    ```text
    graph():
        %x : [num_users=2] = placeholder[target=x]
        %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensr](args = (%x, %x), kwargs = {})
        return add
    ```
    """
    build = facts.build
    for index, target in _operators(facts.graph, lambda target: _is_unknown(target) or _lacks(build, target)):
        if build is not None and target.overload in build.overloads.get(target.name, ()):
            continue
        node = facts.graph.nodes[index]
        if build is not None and not _is_unknown(target):
            yield Report(name_span(facts.graph, node), node.name, _elsewhere(target, build), severity=INFORMATION)
            continue
        close = _unknown(target.name, target.overload or "")
        releases = catalogue().releases
        message = (
            f"`{target.name}` has no overload `{(target.overload or '')[:_LONGEST_NAME]}` "
            f"in any known release of torch ({releases[0]} to {releases[-1]})"
        )
        if close:
            message += f"; similar: {named([f'{target.name}.{name}' for name in close])}"
        yield Report(name_span(facts.graph, node), node.name, message)


def schema_mismatch(facts: Facts) -> Iterator[Report]:
    """A call lacks an argument that the operator's schema requires, gives too many, or one of an unknown name.

    torch refuses such a call where the graph is run. The values are not judged, and nothing is said if the schema of
    any known release takes the call, or that of your own torch, once an editor has asked it.

    ```text
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x,), kwargs = {})
        return mm
    ```
    """
    # big graphs repeat the same calls with other operands: judge each kind once
    fitting: set[tuple[Target, str | bytes]] = set()
    places = enumerate(stretches(facts.graph.nodes))
    for index, target in _operators(facts.graph, _is_judged):
        kind = (target, _outline(facts.graph, *next(place for at, place in places if at == index)))
        if kind in fitting:
            continue
        node = facts.graph.nodes[index]
        overloads = _variants(target.qualified)
        given = given_to(facts.graph, node)
        wrong = [
            words
            for overload in overloads
            if given is not None and (words := _mismatch(overload.parsed, given)) is not None
        ]
        if len(wrong) < len(overloads) or (given is not None and _fits_build(facts.build, target, given)):
            fitting.add(kind)
        else:
            newest = overloads[0]
            message = f"`{target.qualified}` {wrong[0]}; its schema is `{newest.schema}` in torch {newest.release}"
            yield Report(name_span(facts.graph, node), node.name, message)


def _fits_build(build: Build | None, target: Target, given: Given) -> bool:
    """Whether the schema of an installed torch takes a call."""
    schema = build.overloads.get(target.name, {}).get(target.overload or "") if build is not None else None
    try:
        return schema is not None and _mismatch(parse_schema(schema), given) is None
    except SchemaError:
        return True  # it has one, and nothing is known of it


def _operators(graph: Graph, wanted: Callable[[Target], bool]) -> Iterator[tuple[int, Target]]:
    """The calls of overloads that are wanted, by their nodes' indices; each target is looked up once."""
    targets: dict[str, Target | None] = {}
    for index, node in enumerate(in_any_place(graph.nodes)):
        if node.opcode != CALL_FUNCTION:
            continue
        text = node.target
        if text not in targets:
            target = _target(text) if "." in text else None
            targets[text] = target if target is not None and target.overload is not None and wanted(target) else None
        found = targets[text]
        if found is not None:
            yield index, found


def _is_unknown(target: Target) -> bool:
    return _unknown(target.name, target.overload or "") is not None


def _lacks(build: Build | None, target: Target) -> bool:
    """Whether a build has no such overload of torch's own. Other namespaces may come with a package."""
    if build is None or target.namespace != "aten" or target.name not in build.overloads:
        return False
    return target.overload not in build.overloads[target.name] and catalogue().overload(target.qualified) is not None


def _elsewhere(target: Target, build: Build) -> str:
    known = catalogue().overload(target.qualified)
    where = f"; it is known {known.known_in}" if known is not None else ""
    return f"`{target.qualified}` is not in your torch {build.torch}{where}"


def _is_judged(target: Target) -> bool:
    return bool(_variants(target.qualified))


_VALUE = re.compile(r"[\w.]+\b(?!'?:| ?=)")
#: The letters of names and numbers, to be taken out of a call without keywords.
_LETTERS = f"{ascii_letters}{digits}_.%+-".encode()


def _outline(graph: Graph, begin: int, end: int) -> str | bytes:
    """The text of the call that stands in [begin, end) with its operands taken out: calls of one outline give their
    arguments alike.

    The number of arguments and the keywords stay; which node or number is given goes.
    """
    text = graph.page.text
    if graph.form == "graph_str":
        call = text[max(text.find("(args = ", begin, end), begin) : end]
        return _without_letters(call) if call.endswith(" kwargs = {})") else _VALUE.sub("%", call)
    if graph.form == "tabular":
        return _VALUE.sub("%", text[begin:end])
    start = max(text.find(" = ", begin, end) + 3, begin)
    stop = text.find(";  ", begin, end)  # behind it names are set to None
    call = text[start : stop if stop >= 0 else end]
    return _without_letters(call) if "=" not in call and call.isascii() else _VALUE.sub("%", call)


def _without_letters(call: str) -> bytes:
    return call.encode("utf-8", "surrogatepass").translate(None, _LETTERS)


@lru_cache(maxsize=8192)
def _target(text: str) -> Target | None:
    return split_target(text)


@lru_cache(maxsize=8192)
def _unknown(packet: str, overload: str) -> tuple[str, ...] | None:
    """Similar overloads, where the packet surely has none of this name; else None."""
    known = catalogue()
    if known.packet(packet) is None or not all(known.covers(packet, release) for release in known.releases):
        return None
    if known.overload(f"{packet}.{overload}") is not None:
        return None
    names: dict[str, None] = {}
    for release in reversed(known.releases):
        found = known.packet(packet, release)
        names.update(dict.fromkeys(found.overloads if found else ()))
    return tuple(get_close_matches(overload, names, 2)) if len(overload) <= _LONGEST_NAME else ()


@lru_cache(maxsize=8192)
def _variants(qualified: str) -> tuple[Overload, ...]:
    """The overload as of each release that has it, newest first; none where its arguments cannot be judged."""
    known = catalogue()
    packet = qualified.rpartition(".")[0]
    if not all(known.covers(packet, release) for release in known.releases):
        return ()
    found = [known.overload(qualified, release) for release in reversed(known.releases)]
    variants = tuple(one for one in found if one is not None)
    try:
        usable = all(not one.is_script_only and not one.parsed.takes_more for one in variants)
    except SchemaError:
        return ()
    return variants if usable else ()


def given_to(graph: Graph, node: Node) -> Given | None:
    """What a node's call gives, or None where the text of its arguments cannot be taken apart."""
    stretch = parts(graph, node).args
    if stretch is None:
        return None
    text = graph.page.text[stretch[0] : stretch[1]]
    if graph.form == "graph_str":
        usable = text.startswith("(args = (") and text.endswith("})") and ", kwargs = {" in text
    else:
        usable = text.startswith("(") and text.endswith((")", "}"))
    found = arguments(graph, node)
    every = [*found.positional, *[value for _, value in found.keyword]]
    if not usable or any(value.text.startswith(("*", "...")) for value in every):
        return None
    if not found.positional and not found.keyword and len(text.replace(" ", "")) > len("(args=(),kwargs={})"):
        return None
    words = tuple(word for word, _ in found.keyword)
    # print(graph) leaves out the quotes of strings: `(%a, mode: x, b: y)` may be one string or two arguments.
    sure = graph.form != "graph_str" and all(word.isidentifier() for word in words)
    return Given(len(found.positional), words, sure)


def _mismatch(schema: Schema, given: Given) -> str | None:
    """What is wrong with a call, as words behind the operator's name; None where it fits."""
    sure = given.sure or not any("str" in argument.type for argument in schema.arguments)
    places = [argument for argument in schema.arguments if not argument.kwarg_only]
    if sure and given.positional > len(places):
        return f"takes {_count(len(places), 'positional argument')}, but {given.positional} are given"
    names = {argument.name for argument in schema.arguments}
    unknown = [word for word in given.keywords if word not in names]
    if sure and unknown:
        return f"has no argument{'' if len(unknown) == 1 else 's'} {named(unknown)}"
    taken = {argument.name for argument in places[: given.positional]} | set(given.keywords)
    missing = [one.name for one in schema.arguments if one.required and one.name not in taken]
    if missing and (sure or not unknown):
        return f"lacks its argument{'' if len(missing) == 1 else 's'} {named(missing)}"
    return None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


RULES = (
    Rule("FX401", "unknown-overload", WARNING, True, False, frozenset(), unknown_overload),
    Rule("FX402", "schema-mismatch", WARNING, True, False, frozenset(), schema_mismatch),
)
