"""The pipe to fxgraph: lines of JSON, safe from whatever torch, or a library that it loads, prints."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any


class Channel:
    """Takes standard input and output for itself; what is printed later goes to standard error."""

    def __init__(self) -> None:
        self._requests = os.fdopen(os.dup(0), "rb")
        self._answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout = sys.stderr
        self._waiting: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Read requests; once nobody is left to ask, end the process, whatever it is busy with."""
        try:
            for line in self._requests:
                self._waiting.put(json.loads(line))
        finally:
            os._exit(0)

    def request(self) -> dict[str, Any]:
        """The next request; waits for one."""
        return self._waiting.get()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        self._answers.write(json.dumps(message).encode() + b"\n")
        self._answers.flush()
