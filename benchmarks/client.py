"""A client over standard input and output that notes when each message arrives."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.memory import peak_of_tree

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"relatedInformation": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "references": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "foldingRange": {"lineFoldingOnly": True},
        "semanticTokens": {
            "requests": {"full": True, "range": True},
            "formats": ["relative"],
            "tokenTypes": [
                *("namespace", "type", "class", "enum", "parameter", "variable", "property", "function", "method"),
                *("macro", "keyword", "comment", "string", "number", "operator", "decorator", "typeParameter"),
            ],
            "tokenModifiers": ["declaration", "definition", "readonly"],
        },
    },
}


class NoAnswer(Exception):  # noqa: N818 - what a measurement ends with, not a mistake
    """Nothing came in time, or the server has gone."""


class Answer(NamedTuple):
    """The result, or None where it was refused; when it came (`time.perf_counter`); the error's message."""

    result: Any
    at: float
    error: str | None = None


class Client:
    """One server process.

    patience    seconds to wait for anything
    started     when the process was started
    capabilities  the server's, once `initialize` was called
    """

    def __init__(self, command: Sequence[str], folder: Path, patience: float) -> None:
        self.patience = patience
        self.capabilities: dict[str, Any] = {}
        self._folder = folder
        self._answers: dict[int, Answer] = {}
        self._findings: dict[str, list[float]] = {}
        self._arrived = threading.Condition()
        self._gone = False
        self._sending = threading.Lock()
        self._next_id = 0
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def initialize(self) -> float:
        """Shake hands. Returns when the answer came."""
        uri = self._folder.as_uri()
        options = {"rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "bench"}]}
        answer = self.ask("initialize", {"processId": None, "capabilities": CAPABILITIES, **options})
        self.capabilities = answer.result["capabilities"]
        self.tell("initialized", {})
        return answer.at

    def tell(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def start(self, method: str, params: object) -> int:
        """Send a request. Returns its id."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": params})
        return self._next_id

    def answer(self, message_id: int) -> Answer:
        """Wait for the answer to a request."""
        return self._wait(lambda: self._answers.pop(message_id, None))

    def ask(self, method: str, params: object) -> Answer:
        """Send a request and wait for its answer."""
        return self.answer(self.start(method, params))

    def findings_at(self, uri: str) -> float:
        """Wait for the first diagnostics of a document. Returns when they came."""
        return self._wait(lambda: next(iter(self._findings.get(uri, [])), None))

    def last_findings_at(self, uri: str, quiet: float) -> float:
        """Wait until no more diagnostics have come for so many seconds. Returns when the last came."""
        while (rest := self._findings[uri][-1] + quiet - time.perf_counter()) > 0:
            time.sleep(rest)
        return self._findings[uri][-1]

    def peak_memory(self) -> int | None:
        """Most bytes of memory that the processes have used, as far as the system tells."""
        return peak_of_tree(self._process.pid)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        try:
            with self._sending:
                self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                self._process.stdin.flush()
        except OSError as error:
            raise NoAnswer("the server has gone") from error

    def _wait(self, look: Callable[[], Any]) -> Any:
        with self._arrived:
            found: list[Any] = []

            def arrived() -> bool:
                if not found and (value := look()) is not None:
                    found.append(value)
                return bool(found) or self._gone

            if not self._arrived.wait_for(arrived, self.patience):
                raise NoAnswer(f"nothing in {self.patience:g} s")
            if not found:
                raise NoAnswer("the server has gone")
            return found[0]

    def _read(self) -> None:
        out = self._process.stdout
        while header := out.readline():
            size = 0
            while header.strip():
                name, _, value = header.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                header = out.readline()
            body = out.read(size)
            at = time.perf_counter()
            self._take(json.loads(body), at)
        with self._arrived:
            self._gone = True
            self._arrived.notify_all()

    def _take(self, message: dict[str, Any], at: float) -> None:
        params = message.get("params")
        if "method" in message and "id" in message:  # a question to the editor
            asked = message["method"] == "workspace/configuration"
            self._send({"id": message["id"], "result": [None] * len(params["items"]) if asked else None})
            return
        with self._arrived:
            if message.get("method") == "textDocument/publishDiagnostics":
                self._findings.setdefault(params["uri"], []).append(at)
            elif "method" not in message:
                error = message.get("error")
                self._answers[message["id"]] = Answer(message.get("result"), at, error and error["message"])
            self._arrived.notify_all()
