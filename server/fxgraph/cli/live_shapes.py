"""`inspect --shapes propagate`: types by an installed torch, with progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fxgraph.cli.live import host_for
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.features.shapes import Shapes, propagate
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph
from fxgraph.torchhost import HostError, State, TorchHost

#: Computes the shapes of a file: its name and snapshot in, all of its graphs' shapes out.
ShapesOf = Callable[[str, Snapshot], Shapes]

_MOST_STOPS = 10


@contextmanager
def shapes_by_torch(python: str | None, complain: Callable[[str], None]) -> Iterator[ShapesOf]:
    """A function that computes shapes as long as the block lasts; where torch does not answer, it complains."""
    host = host_for(python)
    try:
        yield lambda label, snapshot: _shapes_of(label, snapshot, host, complain)
    finally:
        host.close()


def _shapes_of(label: str, snapshot: Snapshot, host: TorchHost, complain: Callable[[str], None]) -> Shapes:
    """The shapes of every graph of a file together."""
    every = Shapes()
    for graph in snapshot.dump.graphs:
        if graph.parent is not None or (host.state is State.FAILED and not every.torch):
            continue
        try:
            found = propagate(snapshot, graph, host, progress=_progress(label))
        except HostError as error:
            complain(f"{one_line(label)}: {one_line(str(error))}")
            continue
        finally:
            _clear()
        every.of.update(found.of)
        every.torch = found.torch
        every.assumed = list(dict.fromkeys([*every.assumed, *found.assumed]))
    return every


def _progress(label: str) -> Callable[[Shapes], None]:
    def show(shapes: Shapes) -> None:
        if sys.stderr.isatty():
            print(
                f"\r{one_line(label)}: {shapes.done:,} of {shapes.total:,} nodes", end="", file=sys.stderr, flush=True
            )

    return show


def _clear() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def shape_lines(graph: Graph, shapes: Shapes) -> list[str]:
    """What was computed of a graph, what was taken for granted, and where it stopped."""
    known = [shape for node in graph.nodes if (shape := shapes.shape(graph, node)) is not None]
    if not known:
        return ["shapes: torch was not asked, or did not answer"]
    computed = sum(shape.value is not None and not shape.given for shape in known)
    waiting = sum(shape.waits is not None for shape in known)
    lines = [f"shapes: {count_of(computed, 'value')} computed by torch {one_line(shapes.torch)}"]
    lines += [f"assumed: {one_line(words)}" for words in shapes.assumed]
    stops = [(node.name, shape.stop) for node in graph.nodes if (shape := shapes.shape(graph, node)) and shape.stop]
    for name, reason in stops[:_MOST_STOPS]:
        lines.append(f"stopped at {one_line(name)}: {one_line(reason)}")
    if len(stops) > _MOST_STOPS:
        lines.append(f"stopped at {count_of(len(stops) - _MOST_STOPS, 'more node')}")
    if waiting:
        lines.append(f"not computed, because they need these: {count_of(waiting, 'node')}")
    return lines
