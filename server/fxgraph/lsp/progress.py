"""Work that is seen to go on, and can be stopped: `$/progress` for a token that the client gave."""

from __future__ import annotations

import time
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

    def report(self, done: int, of: int, message: str) -> None:
        """Tell how far it is. Raises Refusal where nobody waits for the answer any more."""
        if self.stopped or not self._reply.is_owed:
            raise Refusal(REQUEST_CANCELLED, "cancelled")
        now = time.monotonic()
        if now - self._told >= _PAUSE:
            self._told = now
            percentage = 100 * done // max(of, 1)
            self._tell({"kind": "report", "message": f"{done:,} of {of:,}: {message}", "percentage": percentage})

    def _tell(self, value: dict[str, Any]) -> None:
        if self._token is not None:
            self._protocol.tell("$/progress", {"token": self._token, "value": value})
