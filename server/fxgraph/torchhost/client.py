"""Our side of the torch host: started on first need, one question at a time, and an answer for each, whatever happens.

off       it may not run (untrusted workspace, switched off), or was closed
starting  Python runs, torch is being imported
ready     torch answers
busy      it works on a question
failed    it ended, or no interpreter has a torch; a later question starts it again, after a while
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, NamedTuple

from fxgraph.torchhost.interpreters import Choice
from fxgraph.torchhost.process import HostProcess

Answer = dict[str, Any]

#: So often a running question is looked after: stopped? too long? too much memory?
_LOOK = 0.1
_MOST_KEPT = 64
_LONGEST_WAIT = 300.0
_GONE = "its process ended"


def _nothing(_: object) -> None:
    """For whoever wants no log and no parts."""


class State(Enum):
    """What the host is doing: see the module."""

    OFF = "off"
    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    FAILED = "failed"


class HostError(Exception):
    """A question that has no answer; the message is one line for the user."""


class StoppedError(HostError):
    """The user stopped it."""


class Limits(NamedTuple):
    """Seconds to start and to answer, and bytes of resident memory."""

    start: float = 90.0
    answer: float = 120.0
    memory: int = 6 << 30


class TorchHost:
    """A host that may run, under the first of some interpreters that has a torch.

    `ask` may be called from any thread; questions wait for each other.
    """

    def __init__(
        self,
        choices: Sequence[Choice],
        *,
        enabled: bool = True,
        imports: Sequence[str] = (),
        log: Callable[[str], None] = _nothing,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        start: Callable[[str], HostProcess] = HostProcess,
    ) -> None:
        """`imports` are packages that register operators, named by the user: the host imports them when it starts.

        `clock` counts seconds, `start` starts a process: both are there for tests.
        """
        self._choices = list(choices)
        self._imports = list(imports)
        self._log = log
        self._limits = limits or Limits()
        self._clock = clock
        self._start = start
        self._turn = threading.Lock()
        self._process: HostProcess | None = None
        self._kept: OrderedDict[str, Answer | HostError] = OrderedDict()
        self._failures = 0
        self._not_before = 0.0
        self._why_failed = ""
        self._number = 0
        self._closing = False
        self.state = State.OFF
        self._enabled = enabled
        #: What the running host said of itself: `torch`, `python`, `executable`, `counts`.
        self.hello: Answer = {}

    def ask(
        self,
        question: str,
        payload: Answer | None = None,
        *,
        progress: Callable[[Any], None] = _nothing,
        stopped: threading.Event | None = None,
        keep: bool = True,
    ) -> Answer:
        """The answer to a question: see `host/fxgraph_host/serve.py` for what can be asked.

        progress  takes parts of the answer as they come
        stopped   set it, from any thread, to stop the question: the host is killed
        keep      an answer, or the host's end over it, is remembered by the question's content

        Raises HostError, or StoppedError.
        """
        if not self._enabled:
            raise HostError("torch is not asked: it is switched off here")
        message = {"ask": question, **(payload or {})}
        key = hashlib.sha256(json.dumps(message, sort_keys=True).encode()).hexdigest()
        with self._turn:
            kept = self._kept.get(key)
            if kept is None:
                try:
                    kept = self._ask(message, progress, stopped)
                except StoppedError:
                    raise
                except _EndedError as error:
                    kept = HostError(str(error))
                except HostError:
                    raise
                if keep:
                    self._keep(key, kept)
            else:
                self._kept.move_to_end(key)
        if isinstance(kept, HostError):
            raise HostError(str(kept))
        return kept

    def start(self, stopped: threading.Event | None = None) -> Answer:
        """What the host says of itself, started if it must be; raises HostError, or StoppedError."""
        if not self._enabled:
            raise HostError("torch is not asked: it is switched off here")
        with self._turn:
            self._running(stopped)
            return self.hello

    def close(self) -> None:
        """End the process; a question that waits gets a HostError."""
        self._closing = True
        self._enabled = False
        with self._turn:
            self._end()
            self.state = State.OFF

    def _keep(self, key: str, answer: Answer | HostError) -> None:
        self._kept[key] = answer
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)

    def _ask(
        self, message: Answer, progress: Callable[[Any], None], stopped: threading.Event | None
    ) -> Answer | HostError:
        process = self._running(stopped)
        self._number += 1
        self.state = State.BUSY
        process.send({"id": self._number, **message})
        deadline = self._clock() + self._limits.answer
        while True:
            told = self._next(process, deadline, stopped)
            if told.get("id") != self._number:
                continue
            if "part" in told:
                progress(told["part"])
                continue
            self.state = State.READY
            self._failures = 0
            if "answer" in told:
                answer: Answer = told["answer"]
                return answer
            return HostError(f"torch {self.hello.get('torch', '')}: {told.get('error', 'no answer')}")

    def _running(self, stopped: threading.Event | None) -> HostProcess:
        if self._process is not None:
            return self._process
        wait = self._not_before - self._clock()
        if wait > 0:
            raise HostError(f"{self._why_failed}; it is tried again in {wait:.0f} s at the earliest")
        reasons: list[str] = []
        self.state = State.STARTING
        for choice in self._choices:
            process, reason = self._try(choice, stopped)
            if process is not None:
                return process
            self._log(f"torch: {choice.path}: {reason}")
            reasons.append(f"{choice.path}: {reason}")
        raise self._failed(f"no torch to ask: {'; '.join(reasons) or 'no Python was found'}")

    def _try(self, choice: Choice, stopped: threading.Event | None) -> tuple[HostProcess | None, str]:
        """Start the host under one interpreter: the process, or None and words for what went wrong."""
        self._log(f"torch: starting {choice.path} ({choice.reason})")
        try:
            self._process = process = self._start(choice.path)
        except OSError as error:
            return None, f"cannot be started: {error.strerror or error}"
        try:
            hello = self._next(process, self._clock() + self._limits.start, stopped, starting=True)
        except _EndedError as error:
            reason = str(error)
            return None, f"the host does not start under it: {reason}" if reason.startswith(_GONE) else reason
        if "hello" not in hello:
            self._end()
            return None, str(hello.get("error", "is no Python that can run the host"))
        self.hello = hello["hello"]
        self.state = State.READY
        self._log(f"torch: {self.hello.get('torch')} under Python {self.hello.get('python')} answers")
        return (None, reason) if self._imports and (reason := self._import(process, stopped)) else (process, "")

    def _import(self, process: HostProcess, stopped: threading.Event | None) -> str:
        """Let the host import the user's packages. Words for what ended it, or none: a package may be missing."""
        process.send({"id": 0, "ask": "import", "names": self._imports})
        try:
            told = self._next(process, self._clock() + self._limits.start, stopped, starting=True)
        except _EndedError as error:
            return f"while it imported {', '.join(self._imports)}: {error}"
        answer = told.get("answer") or {}
        for name in answer.get("imported", ()):
            self._log(f"torch: imported {name}, as fxgraph.torch.imports says")
        for name, reason in dict(answer.get("failed") or {}).items():
            self._log(f"torch: {name}, of fxgraph.torch.imports, was not imported: {reason}")
        return ""

    def _next(
        self, process: HostProcess, deadline: float, stopped: threading.Event | None, *, starting: bool = False
    ) -> Answer:
        """The next message. Raises _EndedError, or StoppedError, once the process is gone."""
        while True:
            if (stopped is not None and stopped.is_set()) or self._closing:
                self._end()
                self.state = State.OFF
                raise StoppedError("stopped")
            try:
                told = process.messages.get(timeout=_LOOK)
            except queue.Empty:
                told = {}
            if told is None:
                how = self._end()
                raise self._ended(f"{_GONE} ({how})", starting)
            if told:
                return told
            if self._clock() > deadline:
                self._end()
                limit = self._limits.start if starting else self._limits.answer
                raise self._ended(f"no answer within {limit:g} s", starting)
            held = process.resident()
            if held is not None and held > self._limits.memory:
                self._end()
                raise self._ended(f"it held {held >> 20:,} MB, more than {self._limits.memory >> 20:,} MB", starting)

    def _ended(self, reason: str, starting: bool) -> _EndedError:
        if starting:
            return _EndedError(reason)
        version = self.hello.get("torch", "")
        self._log(f"torch: {reason}")
        return _EndedError(str(self._failed(f"torch {version} gave no answer: {reason}")))

    def _failed(self, message: str) -> HostError:
        self.state = State.FAILED
        self._why_failed = message
        self._not_before = self._clock() + min(2.0**self._failures, _LONGEST_WAIT)
        self._failures += 1
        return HostError(message)

    def _end(self) -> str:
        process, self._process = self._process, None
        return process.end() if process is not None else "not started"


class _EndedError(HostError):
    """The process ended over a question: asking the same again would end it again."""
