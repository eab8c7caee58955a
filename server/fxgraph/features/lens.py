"""One line above each graph: its level and stage, how much is in it, and where its compilation goes on."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fxgraph.features.amounts import bytes_of, human_bytes
from fxgraph.features.compiles import compiles_of
from fxgraph.features.inputs import inputs_of
from fxgraph.features.markdown import shortened
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import returned_names
from fxgraph.features.symbols import graph_title
from fxgraph.features.table import COLUMNS, rows
from fxgraph.graph import Graph, Node, Span


class Lens(NamedTuple):
    """What stands above a graph.

    span      the graph's first line
    graph     its place in `Dump.graphs`
    summary   `aten, aot_forward, 14 nodes, 3 inputs (24 kB), 2 dead, returns 4 kB`
    following what the next graph of the same compilation is called and the span of its first line, or None
    """

    span: Span
    graph: int
    summary: str
    following: tuple[str, Span] | None


def lenses(snapshot: Snapshot) -> list[Lens]:
    """A lens for each graph that has a head or an input; nodes that other text quotes have none."""
    following = {}
    for group in compiles_of(snapshot.dump.graphs):
        for graph, below in pairwise(group.graphs):
            # dynamo's graph is the first: below others it is that of a later compilation under the same id
            if not _is_of_dynamo(snapshot, below) or _is_of_dynamo(snapshot, graph):
                following[graph.index] = below
    found = []
    for graph in snapshot.dump.graphs:
        if graph.nodes and (graph.has_head or not graph.is_fragment):
            other = following.get(graph.index)
            go_on = None if other is None else (shortened(graph_title(other)), first_line(other))
            found.append(Lens(first_line(graph), graph.index, summary(snapshot, graph), go_on))
    return found


def _is_of_dynamo(snapshot: Snapshot, graph: Graph) -> bool:
    stage = snapshot.facts[graph.index].stage
    return stage is not None and stage.name == "dynamo"


def first_line(graph: Graph) -> Span:
    """The span of a graph's first line."""
    end = graph.page.text.find("\n", graph.begin, graph.end)
    return graph.page.span(graph.begin, graph.end if end < 0 else end)


def summary(snapshot: Snapshot, graph: Graph) -> str:
    """A graph in one line."""
    facts = snapshot.facts[graph.index]
    inputs = inputs_of(graph)
    words = [facts.level.name, facts.stage.name if facts.stage else None, _count(len(graph.nodes), "node")]
    words.append(_count(len(inputs), "input") + _size(inputs, " ({})"))
    if facts.dead:
        words.append(f"{len(facts.dead)} dead")
    definitions = facts.links.definitions
    returned = [definitions[name] for name in returned_names(graph) if name in definitions]
    words.append(_size(returned, "returns {}"))
    return ", ".join(word for word in words if word)


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _size(nodes: list[Node], form: str) -> str:
    """The bytes of some values in words, "" where one of them is not known."""
    sizes = [bytes_of(node.type) for node in nodes]
    known = [size for size in sizes if size is not None]
    return form.format(human_bytes(sum(known))) if known and len(known) == len(sizes) else ""


def table_text(snapshot: Snapshot, graph: int) -> str | None:
    """The table of a graph in columns, or None where there is no graph of that number."""
    if not 0 <= graph < len(snapshot.dump.graphs):
        return None
    facts = snapshot.facts[graph]
    lines = [COLUMNS, *[tuple(map(cell_text, row.cells)) for row in rows(facts, facts.graph.nodes)]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    made = ["  ".join([cell.ljust(width) for cell, width in zip(line, widths, strict=True)]).rstrip() for line in lines]
    return "\n".join([f"{shortened(graph_title(facts.graph))}: {summary(snapshot, facts.graph)}", "", *made, ""])


#: A cell of the table is cut behind so many characters: one target of ten thousand must not widen every line.
_WIDEST = 100


def cell_text(cell: str) -> str:
    """A cell of a table on one line, without control codes, cut where it is very long."""
    cell = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in cell)
    return cell if len(cell) <= _WIDEST else cell[: _WIDEST - 1] + "…"
