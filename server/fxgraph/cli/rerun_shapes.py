"""`inspect --shapes source --source FILE`: types by running the script that has printed the dump."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fxgraph.cli.inputs import UnusableError, read_text
from fxgraph.cli.live import ended_by_signals, interpreter_for
from fxgraph.cli.live_shapes import ShapesOf, shape_lines
from fxgraph.cli.progress import progress_line
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.features.shapes import Shapes
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.source_shapes import SourceShapes, proposed_source, shapes_of_source
from fxgraph.graph import Graph
from fxgraph.torchhost.rerun import Rerun, rerun
from fxgraph.torchhost.scripts import ScriptError
from fxgraph.torchhost.sources import proposed

_SHORT_HASH = 12


@contextmanager
def shapes_by_source(
    source: str, python: str | None, complain: Callable[[str], None], arguments: Sequence[str] = ()
) -> Iterator[ShapesOf | None]:
    """A function that finds the shapes of a file in what the script has told, which runs once, at the beginning; None
    where it cannot be run, which is complained of.
    """
    try:
        python = interpreter_for(python)
        told = [(0.0, 0)]
        with ended_by_signals(), _stopped_by_ctrl_c() as stopped, progress_line(lambda: _words(source, *told[0])):
            run = rerun(python, source, arguments, stopped=stopped, progress=lambda *new: told.__setitem__(0, new))
    except ScriptError as error:
        complain(str(error))
        yield None
        return
    if run.ended is not None:
        complain(one_line(f"{source}: {run.ended}"))
    for error_text in run.errors:
        complain(one_line(f"{source}: a hook failed, some graphs may be missing: {error_text}"))

    def shapes_of(label: str, snapshot: Snapshot) -> SourceShapes:
        shapes = shapes_of_source(snapshot, run)
        if snapshot.dump.graphs and not shapes.matches:
            printed = count_of(len(run.graphs), "graph")
            complain(one_line(f"{label}: {source} prints {printed}, and none that is in this file"))
        return shapes

    yield shapes_of


@contextmanager
def _stopped_by_ctrl_c() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets as long as the block lasts: the script ends, and what it has printed so far counts."""
    stopped = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stopped.set())
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def proposal(paths: Sequence[str]) -> str:
    """One line for a user who has not said which script: what the header of a dump, or a script beside it, proposes."""
    for path in paths:
        proposed = _proposed(path)
        if proposed is not None:
            script, reason = proposed
            return one_line(f"--shapes source runs a script: {reason} {script}; if that is it, add --source {script}")
    return "--shapes source runs a script: name it with --source FILE"


def _proposed(path: str) -> tuple[str, str] | None:
    if path == "-" or not Path(path).is_file():
        return None
    try:
        found = proposed(path, proposed_source(Snapshot(read_text(path), path)))
    except (UnusableError, ScriptError):
        return None
    return found.script, f"the header of {path} names" if found.by_header else f"beside {path} there is"


def source_lines(graph: Graph, shapes: Shapes) -> list[str]:
    """What was found of a graph, and where from; what was computed, where no script has told it."""
    if not isinstance(shapes, SourceShapes) or shapes.rerun is None:
        return shape_lines(graph, shapes)
    run, match = shapes.rerun, shapes.matches.get(graph.index)
    if match is None:
        return [f"shapes: {one_line(run.script)} does not print this graph"]
    known = sum((graph.index, node.index) in shapes.of for node in graph.nodes)
    lines = [f"shapes: {count_of(known, 'value')} {_by(run)}"]
    if match.is_stale:
        lines.append(
            f"the source has changed: {match.matching:,} of {count_of(match.nodes, 'node')} match what it prints"
        )
    if match.differs is not None:
        lines.append(one_line(f"the source ran with other shapes: {match.differs}"))
    if match.stopped is not None:
        lines.append(f"stopped at {one_line(match.stopped)}")
    elif not known:
        lines.append("the script calls neither this module nor the model it was traced from: no inputs are known")
    return lines


def _by(run: Rerun) -> str:
    return one_line(f"by running {run.script} (sha256 {run.sha256[:_SHORT_HASH]}) with torch {run.torch}")


def _words(source: str, seconds: float, printed: int) -> str:
    return f"{source}: running for {seconds:.0f} s, {printed:,} bytes printed; Ctrl-C stops it"
