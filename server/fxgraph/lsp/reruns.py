"""Shapes from the source, in an editor: the user asks for a run, sees which script it is, and agrees, or nothing runs.

A dump only proposes its source. The user is shown the script's path and hash, and what they agree to is that pair: a
script that has changed is asked for again. It runs on a thread of its own and is stopped by the user, or with the
session.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from fxgraph.lsp.live import EDIT_PAUSE, Setup
from fxgraph.lsp.worker import Worker

if TYPE_CHECKING:
    from fxgraph.features.snapshot import Snapshot
    from fxgraph.features.source_shapes import SourceShapes
    from fxgraph.graph import Graph
    from fxgraph.lsp.progress import Job
    from fxgraph.torchhost.rerun import Rerun

log = logging.getLogger(__name__)

_MOST_KEPT = 16
#: Seconds that the end of a session waits for scripts to be gone.
_LAST_WAIT = 3.0


class Agreement(NamedTuple):
    """What the user is asked to agree to: the absolute path of a script, and the SHA-256 of its content."""

    script: str
    sha256: str


class Editor(NamedTuple):
    """What is asked of the session. All but `confirm` are called on the thread of a run.

    confirm   asks the user whether a script may run, and calls back with the answer, on any thread
    progress  begins the sight of a run: its title, and what stops it; None where the client shows none
    current   the newest version of a document; None where it is not open
    changed   more is known of a document, or a run began or ended
    say       tells the user a sentence; True for one that warns
    """

    confirm: Callable[[Agreement, Callable[[bool], None]], None]
    progress: Callable[[str, Callable[[], None]], Job | None]
    current: Callable[[str], Snapshot | None]
    changed: Callable[[str], None]
    say: Callable[[str, bool], None]


class Reruns:
    """The runs of a session, one at a time for each document. Any thread may call."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._setup = Setup()
        self._lock = threading.Lock()
        self._agreed: set[Agreement] = set()
        self._running: dict[str, tuple[str, threading.Event, threading.Thread]] = {}
        self._runs: OrderedDict[str, Rerun] = OrderedDict()
        self._shapes: WeakKeyDictionary[Snapshot, SourceShapes] = WeakKeyDictionary()
        self._worker: Worker | None = None

    def use(self, setup: Setup) -> None:
        """Take what may run from now on. Where nothing may, what runs is stopped, and what was told is forgotten."""
        with self._lock:
            self._setup = setup
            if not setup.allowed:
                self._agreed.clear()
                self._runs.clear()
                self._shapes.clear()
        if not setup.allowed:
            self._stop_all()

    def close(self) -> bool:
        """Stop every run. Whether all of them have ended."""
        threads = self._stop_all()
        for thread in threads:
            thread.join(_LAST_WAIT)
        return not any(thread.is_alive() for thread in threads) and (self._worker is None or self._worker.stop(0.5))

    def _stop_all(self) -> list[threading.Thread]:
        with self._lock:
            running = list(self._running.values())
        for _, stopped, _ in running:
            stopped.set()
        return [thread for _, _, thread in running]

    def offer(self, uri: str, snapshot: Snapshot, folders: Sequence[str]) -> tuple[str, bool] | None:
        """The name of the script that may be run for a document, and whether it runs now; None where there is none."""
        from fxgraph.torchhost.scripts import ScriptError

        with self._lock:
            if not self._setup.allowed:
                return None
            if uri in self._running:
                return Path(self._running[uri][0]).name, True
        try:
            return Path(_proposed(snapshot, folders)).name, False
        except ScriptError:
            return None

    def ask(self, uri: str, snapshot: Snapshot, folders: Sequence[str]) -> None:
        """Ask the user for a run, and run the script if they agree. Raises ScriptError where nothing can be run."""
        from fxgraph.torchhost.rerun import hash_of
        from fxgraph.torchhost.scripts import ScriptError

        with self._lock:
            allowed, why_not, running = self._setup.allowed, self._setup.why_not, uri in self._running
        if not allowed:
            raise ScriptError(
                "the source is not run: this workspace is not trusted"
                if why_not
                else "the source is not run: `fxgraph.torch.enabled` does not allow it here"
            )
        if running:
            raise ScriptError("the source is running already")
        script = _proposed(snapshot, folders)
        asked = Agreement(script, hash_of(script))
        with self._lock:
            agreed = asked in self._agreed
        if agreed:
            self._begin(uri, asked)
        else:
            self._editor.confirm(asked, partial(self._answered, uri, asked))

    def stop(self, uri: str) -> bool:
        """End the run of a document. Whether there was one."""
        with self._lock:
            running = self._running.get(uri)
        if running is not None:
            running[1].set()
        return running is not None

    def source(self, uri: str, snapshot: Snapshot) -> SourceShapes | None:
        """What a run has told of this version; None where none ran, or it is not known yet for this version."""
        with self._lock:
            run, found = self._runs.get(uri), self._shapes.get(snapshot)
            if run is None or (found is not None and found.rerun is run):
                return found
            if self._worker is None:
                self._worker = Worker("source", makes_much=False)
        self._worker.later(uri, EDIT_PAUSE, partial(self._match_again, uri, run))
        return None

    def _answered(self, uri: str, asked: Agreement, agreed: bool) -> None:
        if not agreed:
            log.info("a source was not run: the user did not agree")
            return
        with self._lock:
            self._agreed.add(asked)
        self._begin(uri, asked)

    def _begin(self, uri: str, asked: Agreement) -> None:
        stopped = threading.Event()
        with self._lock:
            if not self._setup.allowed or uri in self._running:
                return
            thread = threading.Thread(
                target=self._run, args=(uri, asked, stopped, self._setup), name="source", daemon=True
            )
            self._running[uri] = asked.script, stopped, thread
            thread.start()

    # On the thread of a run.

    def _run(self, uri: str, asked: Agreement, stopped: threading.Event, setup: Setup) -> None:
        from fxgraph.torchhost import choices
        from fxgraph.torchhost.rerun import rerun
        from fxgraph.torchhost.scripts import ScriptError, python_with_torch

        name = Path(asked.script).name
        self._editor.changed(uri)
        job = self._editor.progress(f"Re-running {name}", stopped.set)

        def report(seconds: float, printed: int) -> None:
            if job is not None:
                job.say(f"{seconds:.0f} s, {printed:,} bytes printed")

        run: Rerun | None = None
        told: tuple[str, bool] | None = None
        try:
            found = choices(named=setup.named, selected=setup.selected, folder=setup.folder, log=log.info)
            python = python_with_torch(found)
            log.info("re-running %s with %s", name, python)
            run = rerun(python, asked.script, expected=asked.sha256, stopped=stopped, progress=report)
            told = self._take(uri, run)
        except ScriptError as error:
            told = str(error), True
        except Exception:
            told = f"{name}: the run failed: the log tells why", True
            raise
        finally:
            with self._lock:
                del self._running[uri]
                allowed = self._setup.allowed
            if job is not None:
                job.end()
            if told is not None and allowed:
                log.info("%s", told[0])
                self._editor.say(*told)
            self._editor.changed(uri)

    def _take(self, uri: str, run: Rerun) -> tuple[str, bool]:
        """Keep what a run has told. Returns a sentence of it, and whether it warns."""
        with self._lock:
            if not self._setup.allowed:
                return "", False
            self._runs[uri] = run
            self._runs.move_to_end(uri)
            while len(self._runs) > _MOST_KEPT:
                self._runs.popitem(last=False)
        snapshot = self._editor.current(uri)
        shapes = None if snapshot is None else self._match(uri, snapshot, run)
        return _sentence(run, snapshot, shapes)

    def _match_again(self, uri: str, run: Rerun) -> None:
        snapshot = self._editor.current(uri)
        if snapshot is not None:
            self._match(uri, snapshot, run)
            self._editor.changed(uri)

    def _match(self, uri: str, snapshot: Snapshot, run: Rerun) -> SourceShapes:
        from fxgraph.features.source_shapes import shapes_of_source

        shapes = shapes_of_source(snapshot, run)
        with self._lock:
            if self._runs.get(uri) is run:
                self._shapes[snapshot] = shapes
                # No way from a snapshot leads back to it: it must go with its last reader.
                snapshot.source_types = partial(_types, shapes)
        return shapes


def _proposed(snapshot: Snapshot, folders: Sequence[str]) -> str:
    from fxgraph.features.source_shapes import proposed_source
    from fxgraph.torchhost.scripts import ScriptError
    from fxgraph.torchhost.sources import proposed

    if snapshot.path is None:
        raise ScriptError("only a file on this machine has a source that can be run")
    return proposed(snapshot.path, proposed_source(snapshot), folders).script


def _types(shapes: SourceShapes, graph: Graph) -> tuple[Mapping[int, str], str]:
    from fxgraph.features.hovers.propagated import source_words
    from fxgraph.features.told import known_types

    return known_types(graph, shapes), source_words(shapes)


def _sentence(run: Rerun, snapshot: Snapshot | None, shapes: SourceShapes | None) -> tuple[str, bool]:
    name = Path(run.script).name
    if run.errors:
        log.warning("hooks failed in %s, some graphs may be missing: %s", name, "; ".join(run.errors))
    if snapshot is None or shapes is None:
        return f"{name}: the dump was closed meanwhile", False
    ended = "" if run.ended is None else f" ({run.ended})"
    if run.torch is None:
        return f"{name} imports no torch{ended}", True
    if not shapes.matches:
        graphs = f"{len(run.graphs):,} graph{'' if len(run.graphs) == 1 else 's'}"
        return f"{name} prints {graphs}, and none that is in this file{ended}", True
    stale = [match for match in shapes.matches.values() if match.is_stale]
    if stale:
        matching, nodes = sum(match.matching for match in stale), sum(match.nodes for match in stale)
        return f"The source has changed: {matching:,} of {nodes:,} nodes match what {name} prints{ended}", True
    differs = next((match.differs for match in shapes.matches.values() if match.differs is not None), None)
    if differs is not None:
        return f"{name} ran with other shapes: {differs.replace('`', '')}{ended}", True
    if not shapes.of:
        return f"{name} calls neither the module nor the model it was traced from: no inputs are known{ended}", True
    values = f"{len(shapes.of):,} value{'' if len(shapes.of) == 1 else 's'}"
    return f"{name} told the types of {values} (torch {run.torch}){ended}", bool(ended)
