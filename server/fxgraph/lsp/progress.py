"""Work that is seen to go on, and can be stopped: `$/progress` for a token that the client gave, or that we gave."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any

from fxgraph.lsp.protocol import REQUEST_CANCELLED, Protocol, Refusal, Reply

#: Seconds between two reports.
_PAUSE = 0.1


class Progress:
    """The progress of one request. Without a token nothing is told.

    `stopped` may be set by another thread: the next report ends the work.
    """

    def __init__(self, protocol: Protocol, token: int | str | None, title: str, reply: Reply) -> None:
        self.stopped = False
        self._protocol = protocol
        self._token = token
        self._title = title
        self._reply = reply
        self._told = 0.0

    def __enter__(self) -> Progress:
        self._tell({"kind": "begin", "title": self._title, "cancellable": True, "percentage": 0})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tell({"kind": "end"})

    def check(self) -> None:
        """Raise Refusal where nobody waits for the answer any more."""
        if self.stopped or not self._reply.is_owed:
            raise Refusal(REQUEST_CANCELLED, "cancelled")

    def report(self, done: int, of: int, message: str) -> None:
        """Tell how far it is. Raises Refusal as `check` does."""
        self.check()
        now = time.monotonic()
        if now - self._told >= _PAUSE:
            self._told = now
            percentage = 100 * done // max(of, 1)
            self._tell({"kind": "report", "message": f"{done:,} of {of:,}: {message}", "percentage": percentage})

    def _tell(self, value: dict[str, Any]) -> None:
        if self._token is not None:
            self._protocol.tell("$/progress", {"token": self._token, "value": value})


class Job:
    """The progress of a work that nobody has asked for by a request. Its token is ours.

    Nothing is told before the client has answered `window/workDoneProgress/create`: see `begin`. Any thread may call.
    """

    def __init__(self, protocol: Protocol, token: str, title: str, ended: Callable[[], object]) -> None:
        """`ended` is called at the end."""
        self._protocol = protocol
        self._at_end = ended
        self._token = token
        self._title = title
        self._lock = threading.Lock()
        self._begun = self._ended = False
        self._told = 0.0
        self._message = ""

    def begin(self, created: Future[Any]) -> None:
        """Take the client's answer: an error means that it shows nothing."""
        with self._lock:
            if created.exception() is None and not self._ended:
                self._begun = True
                self._tell({"kind": "begin", "title": self._title, "cancellable": True})

    def report(self, done: int, of: int, message: str) -> None:
        """Tell how far it is."""
        self.say(f"{done:,} of {of:,} {message}")

    def say(self, message: str) -> None:
        """Tell how it goes; what comes too soon behind another message, or says the same, is left out."""
        now = time.monotonic()
        with self._lock:
            if self._begun and not self._ended and message != self._message and now - self._told >= _PAUSE:
                self._told, self._message = now, message
                self._tell({"kind": "report", "message": message})

    def end(self) -> None:
        """Tell that it is over, once."""
        with self._lock:
            if self._begun and not self._ended:
                self._tell({"kind": "end"})
            self._ended = True
        self._at_end()

    def _tell(self, value: dict[str, Any]) -> None:
        self._protocol.tell("$/progress", {"token": self._token, "value": value})
