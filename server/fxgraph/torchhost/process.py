"""One process that runs `host/` under some Python: started, spoken to in lines of JSON, watched, killed."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import weakref
from collections import deque
from pathlib import Path
from typing import IO, Any

#: The folder that Python runs: its `__main__.py`.
HOST = Path(__file__).with_name("host")

#: No torch of the host may find a GPU, write logs into files, or load plugins.
_HIDDEN = {
    "CUDA_VISIBLE_DEVICES": "",
    "HIP_VISIBLE_DEVICES": "",
    "ROCR_VISIBLE_DEVICES": "",
    "ZE_AFFINITY_MASK": "",
    "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_LEFT_OUT = ("TORCH_LOGS", "TORCH_TRACE", "TORCH_COMPILE", "TORCHDYNAMO", "TORCHINDUCTOR", "TORCH_FX", "AOT_", "FX_")
_LAST_LINES = 20


class HostProcess:
    """A running host.

    messages  what it says, one dict each; None once it has closed its pipe
    """

    def __init__(self, python: str) -> None:
        """Start it; raises OSError where that cannot be."""
        self.messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._folder = tempfile.mkdtemp(prefix="fxgraph-torch-")
        # Also where nobody ends it: the process ends with its pipe, the folder with us.
        self._clean = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._said: deque[str] = deque(maxlen=_LAST_LINES)
        try:
            self._process = subprocess.Popen(  # noqa: S603  an interpreter that the user named
                [python, "-I", "-X", "utf8", str(HOST)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=_environment(),
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError:
            self._clean()
            raise
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        if stdin is None or stdout is None or stderr is None:
            raise OSError("no pipes to the process")
        self._stdin = stdin
        self._threads = [
            threading.Thread(target=self._listen, args=(stdout,), name="fxgraph torch answers", daemon=True),
            threading.Thread(target=self._drain, args=(stderr,), name="fxgraph torch errors", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: dict[str, Any]) -> None:
        """Send one line. One to a process that has ended is lost; `messages` tells."""
        with contextlib.suppress(OSError):
            self._stdin.write(json.dumps(message).encode() + b"\n")
            self._stdin.flush()

    def resident(self) -> int | None:
        """Bytes of memory that it holds, or None where the system does not tell."""
        return resident_size(self.pid)

    def end(self) -> str:
        """Kill it and whatever it started, and say how it ended, in words: `exit status 1: ModuleNotFoundError: ...`.

        A process that ended by itself gives its own status.
        """
        status = self._process.poll()
        if status is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                # It may be just ending: its pipe closes a moment before the process is gone.
                status = self._process.wait(0.2) if not self._threads[0].is_alive() else None
        if status is None:
            self._kill()
        else:
            self._kill_group()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._stdin.close()
        for thread in self._threads:
            thread.join(5)
        self._clean()
        return self._words(status)

    def _words(self, status: int | None) -> str:
        if status is None:
            how = "killed"
        elif status < 0:
            try:
                how = f"signal {signal.Signals(-status).name}"
            except ValueError:
                how = f"signal {-status}"
        else:
            how = f"exit status {status}"
        last = next((line for line in reversed(self._said) if line.strip()), "")
        return f"{how}: {last}" if last else how

    def _kill(self) -> None:
        self._kill_group()
        with contextlib.suppress(OSError):
            self._process.kill()

    def _kill_group(self) -> None:
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _listen(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            for line in stream:
                message = _message(line)
                if message is None:
                    self._said.append(f"spoke something else: {line[:80]!r}")
                    break
                self.messages.put(message)
        self.messages.put(None)

    def _drain(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while line := stream.readline(10_000):
                self._said.append(line.decode("utf-8", "replace").rstrip()[:300])


def _message(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    return {**kept, **_HIDDEN}


def resident_size(pid: int) -> int | None:
    """Bytes of memory that a process holds, or None where the system does not tell (Windows, or no such process)."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    if os.name != "posix":
        return None
    try:
        told = subprocess.run(  # noqa: S603
            ["/bin/ps", "-o", "rss=", "-p", str(pid)], capture_output=True, timeout=5, check=False
        )
        return int(told.stdout) * 1024
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
