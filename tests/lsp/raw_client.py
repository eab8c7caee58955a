"""A client that sends what it likes and sees every byte that comes back."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

#: A server that has not finished after this many seconds is killed, and its test fails.
PATIENCE = 120

COMMAND = (sys.executable, "-c", "import sys; from fxgraph.cli import main; sys.exit(main())", "serve")


class RawClient:
    """A server process and both ends of its pipes.

    notifications  what the server has told, in order
    requests       what it has asked; answered with null at once, its question for settings with `settings`, or
                   those of a folder of the workspace, by its URI, with `folder_settings`; others
                   with what `answers` has for their method
    """

    def __init__(self, command: Sequence[str] = COMMAND, capabilities: dict[str, Any] | None = None, **options: Any):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._watchdog = threading.Timer(PATIENCE, self.process.kill)
        self._watchdog.daemon = True
        self._watchdog.start()
        self.notifications: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.settings: dict[str, Any] | None = None
        self.folder_settings: dict[str | None, dict[str, Any]] = {}
        self.answers: dict[str, Any] = {}
        self.before_answer: Callable[[str], object] = lambda method: None
        self._answers: dict[object, list[dict[str, Any]]] = {}
        self._next_id = 0
        self._parameters = {"capabilities": capabilities or {}, **options}

    def __enter__(self) -> RawClient:
        try:
            self.initialized = self.ask("initialize", self._parameters)
            self.tell("initialized", {})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._watchdog.cancel()
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def write(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        """Write one message."""
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def tell(self, method: str, params: object) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method: str, params: object = None) -> int:
        """Send a request and return its id."""
        self._next_id += 1
        self.send({"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params})
        return self._next_id

    def answer(self, message_id: object) -> dict[str, Any]:
        """Wait for the answer to a request."""
        while not self._answers.get(message_id):
            assert self._take(), "the server has gone"
        return self._answers[message_id].pop(0)

    def ask(self, method: str, params: object = None) -> Any:
        """Send a request, wait for its answer, and return the result or the error."""
        answer = self.answer(self.start(method, params))
        return answer["error"] if "error" in answer else answer["result"]

    def wait_for(self, method: str) -> Any:
        """Wait for a notification; returns its parameters and forgets it and those before it."""
        while True:
            while self.notifications:
                message = self.notifications.pop(0)
                if message["method"] == method:
                    return message["params"]
            assert self._take(), "the server has gone"

    def wait_for_request(self, method: str) -> Any:
        """Wait until the server asks this; returns its parameters and forgets it and those before it."""
        while True:
            while self.requests:
                asked = self.requests.pop(0)
                if asked["method"] == method:
                    return asked.get("params")
            assert self._take(), "the server has gone"

    def open(self, text: str, uri: str = "file:///w/net.fxgraph", version: int = 1) -> str:
        """Open a document and return its URI."""
        item = {"uri": uri, "languageId": "fxgraph", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return uri

    def edit(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        """Change a document."""
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def quit(self) -> tuple[int, str]:
        """Shut the server down. Returns its exit status and its log."""
        assert self.ask("shutdown") is None
        self.tell("exit", None)
        while self._take():
            pass
        log = self.process.stderr.read()
        assert not any(self._answers.values()), "a second answer to some request"
        return self.process.wait(), log.decode()

    def _take(self) -> bool:
        """Take one message; False at the end of the stream."""
        header = self.process.stdout.readline()
        if not header:
            return False
        assert header.startswith(b"Content-Length: "), f"not the protocol: {header!r}"
        assert self.process.stdout.readline() == b"\r\n"
        message = json.loads(self.process.stdout.read(int(header.split()[1])))
        if "method" not in message:
            self._answers.setdefault(message["id"], []).append(message)
        elif "id" in message:
            self.requests.append(message)
            method = message["method"]
            self.before_answer(method)
            asks_settings = method == "workspace/configuration"
            told = self._told_settings(message["params"]) if asks_settings else self.answers.get(method)
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": told})
        else:
            self.notifications.append(message)
        return True

    def _told_settings(self, asked: dict[str, Any]) -> list[Any]:
        return [self.folder_settings.get(item.get("scopeUri"), self.settings) for item in asked["items"]]


def at(uri: str, line: int, column: int, **more: object) -> dict[str, Any]:
    """The parameters of a request about a position, from 0."""
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}, **more}
