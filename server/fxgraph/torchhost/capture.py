"""Run a user's script as the user would, and save every graph that torch makes or that the script prints.

The run is the user's own: working directory, environment, GPU, standard streams and exit status are untouched, but for
`TORCH_TRACE` (set to a folder of ours where the user has set none) and torch's caches, which are off: a cached
compilation makes no graphs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from fxgraph.torchhost.captured import CapturedGraph, captured_graphs
from fxgraph.torchhost.scripts import ScriptError, journals, watched_environment

#: torch/_inductor/config.py, torch/_functorch/config.py, torch/_dynamo/config.py. The last two remember from run to
#: run which sizes varied, and make the second run's graphs dynamic. (The one switch for all writes a warning.)
_CACHES_OFF = {
    "TORCHINDUCTOR_FX_GRAPH_CACHE": "0",
    "TORCHINDUCTOR_AUTOGRAD_CACHE": "0",
    "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO": "0",
    "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_REMOTE_PGO": "0",
}


class Capture(NamedTuple):
    """A run that has ended.

    status  its exit status, as a shell tells it: 128 + n where signal n ended it
    torch   the version of its torch, or None where it imported none
    graphs  in the order in which they were made or printed
    errors  of hooks that failed
    """

    status: int
    torch: str | None
    graphs: list[CapturedGraph]
    errors: list[str]


def capture(
    python: str, script: str, arguments: Sequence[str] = (), environ: Mapping[str, str] | None = None
) -> Capture:
    """Run `python script arguments...` and wait for its end. Raises ScriptError where it cannot be started."""
    environ = os.environ if environ is None else environ
    with tempfile.TemporaryDirectory(prefix="fxgraph-capture-") as name:
        folder = Path(name)
        traces = Path(environ["TORCH_TRACE"]) if environ.get("TORCH_TRACE") else folder / "trace"
        traces.mkdir(parents=True, exist_ok=True)
        old = {path.name for path in traces.iterdir()}
        env = {**watched_environment("capture", folder, environ), **_CACHES_OFF, "TORCH_TRACE": str(traces)}
        status = _run([python, script, *arguments], env)
        entries = journals(folder)
        new = [path for path in sorted(traces.glob("*.log")) if path.name not in old]
        torch = next((str(entry["torch"]) for one in entries for entry in one if "torch" in entry), None)
        errors = [str(entry["error"]) for one in entries for entry in one if "error" in entry]
        return Capture(status, torch, captured_graphs(entries, {path.name: path.read_bytes() for path in new}), errors)


def _run(command: list[str], env: dict[str, str]) -> int:
    sys.stdout.flush()
    try:
        process = subprocess.Popen(command, env=env)  # noqa: S603  the script that the user named
    except OSError as error:
        raise ScriptError(f"{command[0]} cannot be started: {error.strerror or error}") from None
    with _passing_on_signals(process):
        status = process.wait()
    return 128 - status if status < 0 else status


@contextlib.contextmanager
def _passing_on_signals(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """The script decides what a signal does. Ctrl-C reaches it by itself, as it runs in the terminal's foreground."""

    def pass_on(number: int, _: FrameType | None) -> None:
        if number != signal.SIGINT:
            process.send_signal(number)

    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    with contextlib.suppress(ValueError):  # not the main thread: signals are not ours there
        for number in numbers:
            before[number] = signal.signal(number, pass_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
