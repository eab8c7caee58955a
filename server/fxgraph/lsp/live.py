"""The session's torch: whether it may run, what it is asked, and what it has told so far.

No process runs before the first need: a hover on a node whose type is not printed, or inlay hints for such nodes, in a
session that may run one. Nobody waits for it: each question is answered with what is known, and the editor is told when
there is more.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, ref

from fxgraph.lsp.worker import Worker

if TYPE_CHECKING:
    from fxgraph.analysis import Finding
    from fxgraph.features.shapes import Shapes
    from fxgraph.features.snapshot import Snapshot
    from fxgraph.features.source_shapes import SourceShapes
    from fxgraph.features.told import Told
    from fxgraph.graph import Dump, Graph
    from fxgraph.lsp.diagnostics import Computed
    from fxgraph.lsp.progress import Job
    from fxgraph.lsp.reruns import Reruns
    from fxgraph.torchhost import TorchHost

log = logging.getLogger(__name__)

#: Seconds after an edit before torch is asked again.
EDIT_PAUSE = 0.5
#: So often, in seconds, inlay hints show what torch has computed of a graph so far.
SHOWN_EVERY = 1.0
#: Seconds before Pythons without a torch are looked at again.
NEXT_LOOK = 60.0
#: A work of this many seconds that an edit has made useless is stopped where less would not be won.
_STALE_AT_LEAST = 3.0


class Setup(NamedTuple):
    """What a host is made of.

    allowed   whether a process may be started at all
    why_not   one line for hovers where it may not; None for none
    named     the interpreter of the settings
    selected  the environment selected in the editor, in a trusted workspace
    folder    the workspace, if it is trusted
    imports   packages that register operators, which the user's settings name
    """

    allowed: bool = False
    why_not: str | None = None
    named: str | None = None
    selected: str | None = None
    folder: str | None = None
    imports: tuple[str, ...] = ()


class _Work:
    """The types of one graph of one version: being computed, or known, or why they are not.

    It does not hold the version's snapshot, which goes with its last reader.
    """

    def __init__(self, uri: str, root: Graph) -> None:
        self.uri = uri
        self.root = root
        self.stopped = threading.Event()
        self.by_user = False
        self.stale = False
        self.shapes: Shapes | None = None
        self.done = False
        self.line: str | None = None
        self.types: dict[int, dict[int, str]] = {}
        self.began = 0.0
        self.shown = 0.0


class LiveTorch:
    """Asks torch in the background. `told` and `family` may be called from any thread, and never wait.

    changed   is called with a URI and a snapshot when more is known of it, on the thread that asks
    progress  begins the sight of a long work: its title, and what stops it; None where the client shows none
    state     is told when it changes: the release that answers, or None and one line why none does
    """

    def __init__(
        self,
        changed: Callable[[str, Snapshot], None],
        progress: Callable[[str, Callable[[], None]], Job | None],
        state: Callable[[str | None, str | None], None] = lambda _version, _line: None,
    ) -> None:
        self._changed = changed
        self._progress = progress
        self._state = state
        self._setup = Setup()
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._host: TorchHost | None = None
        self._works: WeakKeyDictionary[Snapshot, dict[int, _Work]] = WeakKeyDictionary()
        self._findings: WeakKeyDictionary[Snapshot, dict[int, list[Finding]]] = WeakKeyDictionary()
        self._of_build: WeakKeyDictionary[Snapshot, list[Finding]] = WeakKeyDictionary()
        self._families: dict[str, Mapping[str, Any]] = {}
        self._asked: set[str] = set()
        self._edited: set[str] = set()
        self._failure: tuple[str, float] | None = None

    # On the protocol's thread.

    def use(self, setup: Setup) -> bool:
        """Take what may be asked from now on. Whether torch may be asked now and could not before."""
        with self._lock:
            if setup == self._setup:
                return False
            opened = setup.allowed and not self._setup.allowed
            self._setup = setup
            old, self._host = self._host, None
            for works in self._works.values():
                for work in works.values():
                    work.stopped.set()
                works.clear()
            self._works.clear()
            self._findings.clear()
            self._of_build.clear()
            self._families = {}
            self._asked.clear()
            self._failure = None
        if old is not None:
            threading.Thread(target=old.close, name="torch ends", daemon=True).start()
        self._state(None, setup.why_not)
        return opened

    def edited(self, uri: str) -> None:
        """A document has changed, or was closed: what is computed of its older versions is of no use."""
        with self._lock:
            self._edited.add(uri)
            for works in self._works.values():
                for work in works.values():
                    if work.uri == uri and not work.done:
                        work.stale = True

    def close(self) -> bool:
        """End the process and the thread. Whether both have ended."""
        with self._lock:
            self._setup = Setup()
            host, worker = self._host, self._worker
        if host is not None:
            host.close()
        return worker is None or worker.stop(timeout=0.5)

    # What is asked, on any thread.

    @property
    def release(self) -> str | None:
        """The release of torch that answers, `2.13.0`; None as long as none does."""
        host = self._host
        return str(host.hello.get("torch", "")).partition("+")[0] or None if host is not None else None

    def told(self, uri: str, snapshot: Snapshot, graph: Graph, *, wanted: bool) -> Told:
        """What is known of a graph; `wanted` begins the work where it has not begun."""
        from fxgraph.features.told import NO_INPUT, Told, can_compute, root_of

        root = root_of(snapshot.dump, graph)
        with self._lock:
            if not self._setup.allowed:
                return Told(line=self._setup.why_not)
            work = self._works.get(snapshot, {}).get(root.index)
            failure = self._failure
        if work is None and wanted:
            if not can_compute(snapshot, root):
                return Told(line=NO_INPUT)
            if failure is not None and time.monotonic() - failure[1] < NEXT_LOOK:
                return Told(line=failure[0])
            work = self._begin(uri, snapshot, root)
        if work is None:
            return Told()
        host = self._host
        version = work.shapes.torch if work.shapes is not None else ""
        if work.done:
            return Told(version, work.shapes, work.line)
        if not version and (host is None or not host.hello):
            return Told(line="torch is starting: its type comes later.")
        at = f" ({work.shapes.done:,} of {work.shapes.total:,} nodes)" if work.shapes is not None else ""
        return Told(version, work.shapes, f"torch is computing{at}: its type comes later.")

    def family(self, name: str) -> tuple[str, Mapping[str, Any]] | None:
        """What the running torch says of a packet, with its version; None where it does not run, or is asked now."""
        with self._lock:
            host = self._host
            if host is None or not host.hello or not self._setup.allowed:
                return None
            found = self._families.get(name)
            if found is None and name not in self._asked and self._worker is not None:
                self._asked.add(name)
                self._worker.soon(partial(self._ask_family, host, name))
        return None if found is None else (str(host.hello.get("torch", "")), found)

    def findings(self, snapshot: Snapshot) -> Computed:
        """FX501: printed types that are not what torch computed. FX401 and FX402 by the build, once that is known."""
        from fxgraph.features.build_findings import RULES
        from fxgraph.lsp.diagnostics import Computed

        with self._lock:
            found = [finding for found in self._findings.get(snapshot, {}).values() for finding in found]
            of_build = self._of_build.get(snapshot)
        if of_build is None:
            return Computed(found, frozenset())
        return Computed([*found, *of_build], RULES)

    def _begin(self, uri: str, snapshot: Snapshot, root: Graph) -> _Work | None:
        from fxgraph.torchhost import TorchHost, choices

        with self._lock:
            setup = self._setup
            if not setup.allowed:
                return None
            works = self._works.setdefault(snapshot, {})
            if root.index in works:
                return works[root.index]
            if self._host is None:
                found = choices(named=setup.named, selected=setup.selected, folder=setup.folder, log=log.info)
                self._host = TorchHost(found, log=log.info, imports=setup.imports)
            if self._worker is None:
                self._worker = Worker("torch", makes_much=False)
            work = works[root.index] = _Work(uri, root)
            delay = EDIT_PAUSE if uri in self._edited else 0
            self._worker.later((uri, root.index), delay, partial(self._compute, self._host, work, snapshot))
        return work

    # On the thread that asks torch.

    def _compute(self, host: TorchHost, work: _Work, snapshot: Snapshot) -> None:
        from fxgraph.torchhost import HostError, StoppedError

        if self._is_useless(host, work):
            self._forget(work, snapshot)
            return
        shown: list[Job] = []
        try:
            if not host.hello:
                self._show("torch is starting", work, shown)
            try:
                host.start(work.stopped)
            except StoppedError:
                raise
            except HostError as error:
                log.warning("%s", error)
                self._fail(host, str(error))
                self._forget(work, snapshot)
                return
            if host is self._host:
                self._state(self.release, None)
            if self._is_useless(host, work):
                self._forget(work, snapshot)
                return
            self._propagate(host, work, snapshot, shown)
        except StoppedError:
            if work.by_user:
                work.done, work.line = True, "torch was stopped: an edit lets it begin again."
            else:
                self._forget(work, snapshot)
        except HostError as error:
            work.done, work.line = True, _line(str(error))
            log.warning("%s", error)
        except Exception:
            work.done, work.line = True, "torch has no answer: the log tells why."
            raise
        finally:
            for job in shown:  # behind what they led to
                job.end()
        if work.done and work.line is None and host is self._host:
            self._changed(work.uri, snapshot)
            self._ask_families(host, work)
            if self._worker is not None:  # behind the families; it must not keep the version
                self._worker.soon(partial(self._judge_build, host, work.uri, ref(snapshot)))

    def _is_useless(self, host: TorchHost, work: _Work) -> bool:
        return work.stale or host is not self._host

    def _propagate(self, host: TorchHost, work: _Work, snapshot: Snapshot, shown: list[Job]) -> None:
        from fxgraph.features.shapes import propagate, shape_findings

        work.began = work.shown = time.monotonic()

        def part(shapes: Shapes) -> None:
            work.shapes = shapes
            self._drop_if_stale(work, shapes)
            if time.monotonic() - work.shown > SHOWN_EVERY and not work.stale:
                work.shown = time.monotonic()
                self._make_known(host, work, snapshot)
                self._changed(work.uri, snapshot)
            if not shown:
                self._show("torch computes types", work, shown)
            for job in shown:
                job.report(shapes.done, shapes.total, "nodes")

        shapes = propagate(snapshot, work.root, host, progress=part, stopped=work.stopped)
        work.shapes = shapes
        findings = shape_findings(snapshot, shapes)
        self._make_known(host, work, snapshot)
        with self._lock:
            if host is self._host and findings:
                self._findings.setdefault(snapshot, {})[work.root.index] = findings
        work.done = True

    def _make_known(self, host: TorchHost, work: _Work, snapshot: Snapshot) -> None:
        """Let inlay hints show what is known by now."""
        with self._lock:
            if host is self._host:
                work.types = {}
                # No way from a snapshot leads back to it: it must go with its last reader.
                works = self._works.get(snapshot, {})
                snapshot.known_types = partial(self._known_types, snapshot.dump, works)

    def _known_types(self, dump: Dump, works: dict[int, _Work], graph: Graph) -> tuple[Mapping[int, str], str]:
        from fxgraph.features.told import known_types, root_of

        with self._lock:
            work = works.get(root_of(dump, graph).index)
        if work is None or work.shapes is None:
            return {}, ""
        kept, types = work.types, work.types.get(graph.index)  # another part of the answer sets them anew
        if types is None:
            types = kept[graph.index] = known_types(graph, work.shapes)
        return types, f"propagated by torch {work.shapes.torch}"

    def _drop_if_stale(self, work: _Work, shapes: Shapes) -> None:
        """Stop a work that nobody needs, if waiting for its end would take longer than starting torch again."""
        spent = time.monotonic() - work.began
        left = spent * (shapes.total - shapes.done) / max(shapes.done, 1)
        if work.stale and left > _STALE_AT_LEAST:
            work.stopped.set()

    def _show(self, title: str, work: _Work, shown: list[Job]) -> None:
        def stop() -> None:
            work.by_user = True
            work.stopped.set()

        if (job := self._progress(title, stop)) is not None:
            shown.append(job)

    def _fail(self, host: TorchHost, message: str) -> None:
        with self._lock:
            if host is not self._host:
                return
            self._failure = (_line(message), time.monotonic())
        self._state(None, message)

    def _forget(self, work: _Work, snapshot: Snapshot) -> None:
        with self._lock:
            works = self._works.get(snapshot, {})
            if works.get(work.root.index) is work:
                del works[work.root.index]

    def _ask_families(self, host: TorchHost, work: _Work) -> None:
        """What torch says of the operators of a graph, before somebody asks for it."""
        from fxgraph.ops import split_target

        targets = {node.target for node in work.root.nodes if node.opcode == "call_function"}
        names = {operator.name for target in targets if (operator := split_target(target)) is not None}
        for name in sorted(names):
            with self._lock:
                new = name not in self._asked and self._worker is not None
                self._asked.add(name)
                if new and self._worker is not None:
                    self._worker.soon(partial(self._ask_family, host, name))

    def _judge_build(self, host: TorchHost, uri: str, version: ref[Snapshot]) -> None:
        """FX401 and FX402, once more, by what the build has."""
        from fxgraph.features.build_findings import build_findings
        from fxgraph.lsp.diagnostics import AT_MOST

        snapshot = version()
        if snapshot is None or host is not self._host:
            return
        with self._lock:
            families = dict(self._families)
        found = build_findings(snapshot, str(host.hello.get("torch", "")), families, AT_MOST)
        if found is not None:
            with self._lock:
                if host is self._host:
                    self._of_build[snapshot] = found
            self._changed(uri, snapshot)

    def _ask_family(self, host: TorchHost, name: str) -> None:
        from fxgraph.torchhost import HostError

        if host is not self._host:
            return
        try:
            answer = host.ask("operator", {"name": name}, keep=False)
        except HostError as error:
            log.info("torch: %s", error)
            answer = None
        with self._lock:
            if host is not self._host:
                return
            if answer is None:
                self._asked.discard(name)
            else:
                self._families[name] = answer


class About:
    """`features.told.Torch` for one document."""

    def __init__(self, live: LiveTorch, reruns: Reruns, uri: str) -> None:
        self._live = live
        self._reruns = reruns
        self._uri = uri

    def told(self, snapshot: Snapshot, graph: Graph, *, wanted: bool) -> Told:
        """See `LiveTorch.told`."""
        return self._live.told(self._uri, snapshot, graph, wanted=wanted)

    def source(self, snapshot: Snapshot) -> SourceShapes | None:
        """See `Reruns.source`."""
        return self._reruns.source(self._uri, snapshot)

    def offer(self, snapshot: Snapshot, folders: Sequence[str]) -> tuple[str, bool] | None:
        """See `Reruns.offer`."""
        return self._reruns.offer(self._uri, snapshot, folders)

    def family(self, name: str) -> tuple[str, Mapping[str, Any]] | None:
        """See `LiveTorch.family`."""
        return self._live.family(name)

    @property
    def release(self) -> str | None:
        """The release of torch that answers; None as long as none does."""
        return self._live.release

    def findings(self, snapshot: Snapshot) -> Computed:
        """What torch found wrong in this version."""
        return self._live.findings(snapshot)


def _line(message: str) -> str:
    from fxgraph.features.markdown import prose

    return f"{prose(message)}."
