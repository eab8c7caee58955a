"""Words that an editor shows between those of the dump: types, what an input is, last uses, names of arguments."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from fxgraph.features.binding import bind, release_named
from fxgraph.features.inputs import origins
from fxgraph.features.markdown import shortened
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.stretches import graphs_between, nodes_between
from fxgraph.features.told import lacks_type
from fxgraph.graph import CALL_FUNCTION, OUTPUT, PLACEHOLDER, Graph, Node
from fxgraph.reading import uses

#: What may be asked for.
TYPES, INPUTS, LAST_USES, ARGUMENT_NAMES = "types", "inputs", "lastUses", "argumentNames"

#: So many nodes are done between two calls of `pause`.
_AT_ONCE = 500


class Hint(NamedTuple):
    """`text` is shown at a document offset; `ground` says how it is known. `kind` is what was asked for."""

    offset: int
    text: str
    kind: str
    ground: str


def hints(
    snapshot: Snapshot,
    wanted: Iterable[str],
    start: int = 0,
    end: int | None = None,
    pause: Callable[[], None] = lambda: None,
) -> list[Hint]:
    """The hints of [start, end) of the document, in the order of the text. `pause` ends the work by what it raises."""
    wanted = frozenset(wanted)
    found: list[Hint] = []
    for graph in graphs_between(snapshot, start, end := len(snapshot.text) if end is None else end):
        nodes = nodes_between(graph, start, end)
        pause()
        if INPUTS in wanted:
            found += _input_hints(snapshot, graph, nodes)
        if TYPES in wanted:
            found += _type_hints(graph, nodes, snapshot.worked_out(graph))
        if LAST_USES in wanted and graph.form == "graph_str" and graph.is_whole:
            found += _last_use_hints(snapshot, graph, nodes)
        if ARGUMENT_NAMES in wanted:
            release = release_named(snapshot.dump.header)
            for number, node in enumerate(nodes):
                if number % _AT_ONCE == 0:
                    pause()
                found += _argument_hints(graph, node, release)
    found = [hint for hint in found if start <= hint.offset <= end]
    found.sort(key=lambda hint: hint.offset)
    return found


def _behind_name(graph: Graph, node: Node) -> int:
    return graph.page.span(node.start, node.start + len(node.name)).end


def _input_hints(snapshot: Snapshot, graph: Graph, nodes: list[Node]) -> Iterator[Hint]:
    inputs = [node for node in nodes if node.opcode == PLACEHOLDER]
    if not inputs:
        return
    known = origins(snapshot, graph)
    for node in inputs:
        origin = known.get(node.name)
        if origin is not None and origin.name != node.name:
            yield Hint(_behind_name(graph, node), f"= {shortened(origin.name)}", INPUTS, origin.ground)


def _type_hints(graph: Graph, nodes: list[Node], known: list[tuple[Mapping[int, str], str]]) -> Iterator[Hint]:
    for node in nodes:
        told = next(((types[node.index], ground) for types, ground in known if node.index in types), None)
        if told is not None and lacks_type(node):
            yield Hint(_behind_name(graph, node), f": {shortened(told[0])}", TYPES, told[1])


def _last_use_hints(snapshot: Snapshot, graph: Graph, nodes: list[Node]) -> Iterator[Hint]:
    """Behind a record, the values that nobody reads any more: where generated code sets them to None."""
    links = snapshot.facts[graph.index].links
    for node in nodes:
        if node.opcode in (OUTPUT, PLACEHOLDER):
            continue
        ended = []
        for name in dict.fromkeys(node.reads):
            definition = links.definitions.get(name)
            if definition is not None and links.users[definition.index][-1:] == [node]:
                ended.append(name)
        if ended:
            text = "".join(f"{name} = " for name in ended)
            yield Hint(graph.page.span(node.begin, node.end).end, f";  {text}None", LAST_USES, "no node below reads it")


def _argument_hints(graph: Graph, node: Node, release: str | None) -> Iterator[Hint]:
    if node.opcode != CALL_FUNCTION:
        return
    reads = sorted(use.start for use in uses(graph, node))
    for bound in bind(graph, node, release):
        argument = bound.argument
        following = bisect_left(reads, argument.start)
        reads_a_node = following < len(reads) and reads[following] < argument.end
        if bound.schema is None or bound.name is None or reads_a_node or argument.start >= argument.end:
            continue
        before = graph.page.text[max(argument.start - 3, 0) : argument.start].rstrip()
        if before.endswith(("=", ":")):  # a keyword that is printed
            continue
        offset = graph.page.to_document(argument.start)
        yield Hint(offset, f"{bound.name}:", ARGUMENT_NAMES, f"{bound.schema.type} {bound.schema.name}")
