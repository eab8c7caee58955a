"""`inspect --shapes propagate`: types by an installed torch, with progress on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from fxgraph.cli.live import ended_by_signals, host_for
from fxgraph.cli.progress import progress_line
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.features.shapes import Shapes, propagate
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph
from fxgraph.torchhost import HostError, State, TorchHost

#: Computes the shapes of a file: its name and snapshot in, all of its graphs' shapes out.
ShapesOf = Callable[[str, Snapshot], Shapes]

_MOST_STOPS = 10
_NOT_ASKED = "torch was not asked"


@contextmanager
def shapes_by_torch(python: str | None, complain: Callable[[str], None]) -> Iterator[ShapesOf]:
    """A function that computes shapes as long as the block lasts; where torch does not answer, it complains."""
    with ended_by_signals(), closing(host_for(python)) as host:
        yield lambda label, snapshot: _shapes_of(label, snapshot, host, complain)


def _shapes_of(label: str, snapshot: Snapshot, host: TorchHost, complain: Callable[[str], None]) -> Shapes:
    """The shapes of every graph of a file together."""
    every = Shapes()
    for graph in snapshot.dump.graphs:
        if graph.parent is not None:
            continue
        if host.state is State.FAILED and not every.torch:
            every.parts[graph.index] = Shapes(failed=_NOT_ASKED)
            continue
        found = _of_graph(label, snapshot, graph, host, complain)
        every.of.update(found.of)
        every.torch = found.torch or every.torch
        every.parts[graph.index] = found
    for graph in snapshot.dump.graphs:  # nested ones stand behind their parents
        if graph.parent is not None and graph.parent in every.parts:
            every.parts[graph.index] = every.parts[graph.parent]
    return every


def _of_graph(label: str, snapshot: Snapshot, graph: Graph, host: TorchHost, complain: Callable[[str], None]) -> Shapes:
    """The shapes of one graph; where torch ends on the way, those that it has told by then."""
    known = Shapes()
    began = time.monotonic()

    def take(shapes: Shapes) -> None:
        nonlocal known
        known = shapes

    def words() -> str:
        nodes = f", {known.done:,} of {known.total:,} nodes" if known.total else ""
        return f"{label}: torch computes types for {time.monotonic() - began:.0f} s{nodes}; Ctrl-C stops it"

    with progress_line(words):
        try:
            return propagate(snapshot, graph, host, progress=take)
        except HostError as error:
            complain(f"{one_line(label)}: {one_line(str(error))}")
            known.failed = str(error) if host.hello else _NOT_ASKED
            return known


def shape_lines(graph: Graph, shapes: Shapes) -> list[str]:
    """What was computed of a graph, what was taken for granted, and where it stopped."""
    known = [shape for node in graph.nodes if (shape := shapes.shape(graph, node)) is not None]
    part = shapes.about(graph)
    if not known:
        return [f"shapes: {one_line(part.failed or 'torch tells nothing of this graph')}"]
    computed = sum(shape.value is not None and not shape.given for shape in known)
    waiting = sum(shape.waits is not None for shape in known)
    lines = [f"shapes: {count_of(computed, 'value')} computed by torch {one_line(shapes.torch)}"]
    lines += [f"not all: {one_line(part.failed)}"] if part.failed else []
    lines += [one_line(words) for words in part.remarks]
    lines += [f"assumed: {one_line(words)}" for words in part.assumed]
    stops = [(node.name, shape.stop) for node in graph.nodes if (shape := shapes.shape(graph, node)) and shape.stop]
    for name, reason in stops[:_MOST_STOPS]:
        lines.append(f"stopped at {one_line(name)}: {one_line(reason)}")
    if len(stops) > _MOST_STOPS:
        lines.append(f"stopped at {count_of(len(stops) - _MOST_STOPS, 'more node')}")
    if waiting:
        lines.append(f"not computed, because they need these: {count_of(waiting, 'node')}")
    return lines
