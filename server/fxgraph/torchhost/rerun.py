"""Run a user's script again for the shapes of the graphs that it prints. Only ever because the user asks for it.

The script runs in a process of its own as the user would run it: their environment, its own folder as the working
directory and first on Python's path. Its output is read and, beyond a limit, dropped; it gets no input; it can be
stopped, together with all that it has started.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from fxgraph.torchhost.scripts import ScriptError, journals, watched_environment

#: So much of each stream is kept: the beginning of what it prints, the end of what it complains.
MOST_OUTPUT = 1 << 20
_LOOK = 0.05


class RecordedGraph(NamedTuple):
    """A graph that the script has printed.

    text     as `print(graph)` writes it, whichever form the script printed
    types    what is known of the values, by name of the node: `type`, `stride`, `device`, `bytes`, or `parts`; see
             `host/fxgraph_host/tensors.py`
    stopped  why a run with fake tensors stopped, and at which node, else None
    """

    text: str
    types: dict[str, dict[str, Any]]
    stopped: str | None


class Rerun(NamedTuple):
    """What a run has told.

    script   its absolute path
    sha256   of the script's content when the run began
    torch    the version of its torch, or None where it imported none
    graphs   in the order in which they were printed
    ended    None where it ended well, else how, in words: `exit status 1: RuntimeError: ...`
    output   the beginning of what it printed
    printed  how many bytes it printed
    errors   of hooks that failed
    """

    script: str
    sha256: str
    torch: str | None
    graphs: list[RecordedGraph]
    ended: str | None
    output: bytes
    printed: int
    errors: list[str]


def hash_of(script: str) -> str:
    """The SHA-256 of a script's content; raises ScriptError."""
    try:
        return hashlib.sha256(Path(script).read_bytes()).hexdigest()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such file"
        raise ScriptError(f"{script}: {reason.lower()}") from None


def rerun(
    python: str,
    script: str,
    arguments: Sequence[str] = (),
    *,
    expected: str | None = None,
    stopped: threading.Event | None = None,
    progress: Callable[[float, int], None] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Rerun:
    """Run the script to its end, or until `stopped` is set; then what was seen so far counts.

    arguments  of the script, behind its name
    expected   the hash that the user has agreed to: another content is not run
    progress   is told now and then for how many seconds it runs, and how many bytes it has printed

    Raises ScriptError where it is not run.
    """
    path = Path(script).resolve()
    sha256 = hash_of(str(path))
    if expected is not None and expected != sha256:
        raise ScriptError(f"{path}: has changed since it was shown")
    with tempfile.TemporaryDirectory(prefix="fxgraph-rerun-") as name:
        folder = Path(name)
        environment = watched_environment("rerun", folder, os.environ if environ is None else environ)
        process = _Script(python, path, arguments, environment)
        started = time.monotonic()
        status: int | None = None
        try:
            while status is None and not (stopped is not None and stopped.is_set()):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    status = process.popen.wait(_LOOK)
                if progress is not None:
                    progress(time.monotonic() - started, process.stdout.length)
        finally:
            process.end()
        torch, graphs, errors = _told(folder)
        output = process.stdout
        return Rerun(str(path), sha256, torch, graphs, process.words(status), bytes(output.kept), output.length, errors)


def _told(folder: Path) -> tuple[str | None, list[RecordedGraph], list[str]]:
    torch: str | None = None
    found: list[RecordedGraph] = []
    errors: dict[str, None] = {}
    for entries in journals(folder):
        graphs: dict[int, RecordedGraph] = {}
        for entry in entries:
            if "torch" in entry:
                torch = torch or str(entry["torch"])
            elif "error" in entry:
                errors[str(entry["error"])] = None
            elif "text" in entry:
                graphs[entry["graph"]] = RecordedGraph(entry["text"], entry["types"], None)
            elif entry.get("graph") in graphs:
                before = graphs[entry["graph"]]
                graphs[entry["graph"]] = before._replace(types=entry["types"], stopped=entry["stopped"])
        found += graphs.values()
    return torch, found, list(errors)


class _Stream:
    """Reads a stream to its end on a thread, so that the script never waits for us; keeps one end of it."""

    def __init__(self, stream: IO[bytes], keep_end: bool) -> None:
        self.length = 0
        self.kept = bytearray()
        self._stream = stream
        self._keep_end = keep_end
        self.thread = threading.Thread(target=self._read, name="fxgraph script output", daemon=True)
        self.thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._stream:
            while data := self._stream.read(1 << 16):
                self.length += len(data)
                if self._keep_end:
                    self.kept = (self.kept + data)[-MOST_OUTPUT:]
                elif len(self.kept) < MOST_OUTPUT:
                    self.kept += data[: MOST_OUTPUT - len(self.kept)]


class _Script:
    """The running script: a group of processes with two streams."""

    def __init__(self, python: str, script: Path, arguments: Sequence[str], environment: dict[str, str]) -> None:
        try:
            self.popen = subprocess.Popen(  # noqa: S603  the script that the user named
                [python, str(script), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=script.parent,
                env=environment,
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise ScriptError(f"{python} cannot be started: {error.strerror or error}") from None
        if self.popen.stdout is None or self.popen.stderr is None:
            raise ScriptError(f"{python}: no pipes to the process")
        self.stdout = _Stream(self.popen.stdout, keep_end=False)
        self.stderr = _Stream(self.popen.stderr, keep_end=True)

    def end(self) -> None:
        """Kill it where it still runs, and whatever it has started and left behind."""
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.popen.kill()
        self.popen.wait()
        for stream in (self.stdout, self.stderr):
            stream.thread.join(5)

    def words(self, status: int | None) -> str | None:
        """How it ended; None for a good end. `status` is None where it was stopped."""
        if status == 0:
            return None
        if status is None:
            return "stopped"
        how = f"exit status {status}" if status > 0 else f"signal {-status}"
        lines = self.stderr.kept.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {lines[-1][:300]}" if lines else how
