"""One session: a document is opened, asked about, edited, and typed in. What it took is written down."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.client import Answer, Client, NoAnswer
from benchmarks.inputs import CACHE, LANGUAGES, Document, Use, uses
from benchmarks.servers import Server

ASKED = 50  # questions of a kind, one behind the other
SOON_ENOUGH = 20.0  # seconds after which no more of a kind are asked
EDITS = 5
PAUSE = 0.5  # seconds between edits
QUIET = 3.0  # seconds without diagnostics after which none are waited for
KEYS = 20
TYPED = " a note, twenty keys long"
KEY_EVERY = 0.1  # seconds
SCREEN = 60  # lines

#: Measured, in the order of the table: key -> (what is measured, unit).
MEASURES = {
    "start": ("start, to the answer to initialize", "s"),
    "open": ("open, to a definition asked at once", "s"),
    "findings": ("open, to the first diagnostics", "s"),
    "all findings": ("open, to the last diagnostics", "s"),
    "definition": ("definition", "s"),
    "hover": ("hover", "s"),
    "references": ("references", "s"),
    "outline": ("documentSymbol", "s"),
    "tokens": ("semantic tokens, all", "s"),
    "tokens of a screen": ("semantic tokens of 60 lines", "s"),
    "folding": ("folding ranges", "s"),
    "edit": ("one-character edit, to a definition", "s"),
    "edits": ("50 edits in one message, to a definition", "s"),
    "typing": ("typing, slowest of 20 hovers", "s"),
    "memory": ("peak memory", "B"),
}


class Result(dict[str, float]):
    """Measure -> seconds or bytes. `trouble` says what went wrong, `notes` what is odd."""

    def __init__(self) -> None:
        super().__init__()
        self.trouble: str | None = None
        self.notes: list[str] = []


def run(server: Server, document: Document | None, patience: float) -> Result:
    """One session with a server; without a document only its start."""
    result = Result()
    folder = document.path.parent if document else CACHE
    assert server.command
    with Client(server.command, folder, patience) as client:
        try:
            result["start"] = client.initialize() - client.started
            if document:
                _Session(client, document, result).run()
        except NoAnswer as error:
            result.trouble = str(error)
        memory = client.peak_memory()
        if memory is not None:
            result["memory"] = memory
    return result


class _Session:
    """The steps of one session, which share a text that changes."""

    def __init__(self, client: Client, document: Document, result: Result) -> None:
        self.client, self.result = client, result
        text = document.text
        self.language, self.comment = LANGUAGES[document.notation]
        self.name = {"textDocument": {"uri": document.path.as_uri()}}
        self.uri = document.path.as_uri()
        self.version = 1
        chosen = random.Random(7)
        found = uses(text, document.notation)
        self.asked = chosen.sample(found, min(ASKED, len(found)))
        self.lines = text.split("\n")
        #: The line that is edited: in the middle, and a name is read there.
        self.middle = min(found, key=lambda use: abs(use.line - len(self.lines) // 2)).line
        self.edited = chosen.sample(sorted({use.line for use in found}), min(50, len(self.asked)))

    def run(self) -> None:
        """All steps, each unless the server does not offer it."""
        item = {"uri": self.uri, "languageId": self.language, "version": self.version, "text": "\n".join(self.lines)}
        began = time.perf_counter()
        self.client.tell("textDocument/didOpen", {"textDocument": item})
        defines = self._offers("definitionProvider")
        if defines:
            answer = self.client.ask("textDocument/definition", {**self.name, **_position(self.asked[0])})
            self.result["open"] = answer.at - began
        self.result["findings"] = self.client.findings_at(self.uri) - began
        self.result["all findings"] = self.client.last_findings_at(self.uri, QUIET) - began
        if defines:
            self._each("definition", self.asked)
        if self._offers("hoverProvider"):
            self._each("hover", self.asked)
        if self._offers("referencesProvider"):
            self._each("references", self.asked[:10], context={"includeDeclaration": True})
        if self._offers("documentSymbolProvider"):
            self._once("outline", "documentSymbol")
        tokens = self._offers("semanticTokensProvider")
        if tokens and tokens.get("full"):
            self._once("tokens", "semanticTokens/full")
        if tokens and tokens.get("range"):
            start, end = ({"line": self.middle + more, "character": 0} for more in (0, SCREEN))
            self._once("tokens of a screen", "semanticTokens/range", range={"start": start, "end": end})
        if self._offers("foldingRangeProvider"):
            self._once("folding", "foldingRange")
        if defines:
            self._edits()
        if self._offers("hoverProvider"):
            self._typing()

    def _offers(self, name: str) -> Any:
        return self.client.capabilities.get(name)

    def _each(self, what: str, places: list[Use], **more: Any) -> None:
        """Ask about places one by one: the median."""
        spent, wrong, until = [], 0, time.perf_counter() + SOON_ENOUGH
        for use in places:
            answer, seconds = self._timed(f"textDocument/{what}", **_position(use), **more)
            spent.append(seconds)
            wrong += use.defined not in _lines(answer) if what == "definition" else not answer.result
            if time.perf_counter() > until:
                break
        self.result[what] = statistics.median(spent)
        if wrong:
            self.result.notes.append(f"{what}: {wrong} of {len(spent)} answers wrong or empty")

    def _once(self, what: str, method: str, **more: Any) -> None:
        answer, self.result[what] = self._timed(f"textDocument/{method}", **more)
        if answer.error:
            self.result.notes.append(f"{what}: refused")

    def _timed(self, method: str, **more: Any) -> tuple[Answer, float]:
        began = time.perf_counter()
        answer = self.client.ask(method, {**self.name, **more})
        return answer, answer.at - began

    def _edits(self) -> None:
        spent, wrong = [], 0
        for number in range(EDITS):
            if number:
                time.sleep(PAUSE)
            seconds, right = self._edit_and_ask([self.middle], self.asked[number % len(self.asked)])
            spent.append(seconds)
            wrong += not right
        self.result["edit"] = statistics.median(spent)
        time.sleep(PAUSE)
        self.result["edits"], right = self._edit_and_ask(self.edited, self.asked[0])
        wrong += not right
        if wrong:
            self.result.notes.append(f"edit: {wrong} of {EDITS + 1} answers wrong or empty")

    def _edit_and_ask(self, lines: list[int], use: Use) -> tuple[float, bool]:
        """A space to the end of each line, then a definition. Seconds to the answer, and whether it is right."""
        changed = self._append([(line, " ") for line in lines])
        began = time.perf_counter()
        self.client.tell("textDocument/didChange", changed)
        answer = self.client.ask("textDocument/definition", {**self.name, **_position(use)})
        return answer.at - began, use.defined in _lines(answer)

    def _typing(self) -> None:
        """Type behind the middle line, at a typist's speed, and ask for a hover at each key. The slowest answer."""
        use = next(use for use in self.asked if use.line != self.middle)
        asked: list[tuple[int, float]] = []
        began = time.perf_counter()
        for number, sign in enumerate(f"  {self.comment}{TYPED}"[:KEYS]):
            changed = self._append([(self.middle, sign)])
            time.sleep(max(began + number * KEY_EVERY - time.perf_counter(), 0))
            now = time.perf_counter()
            self.client.tell("textDocument/didChange", changed)
            asked.append((self.client.start("textDocument/hover", {**self.name, **_position(use)}), now))
        answers = [(self.client.answer(message_id), then) for message_id, then in asked]
        self.result["typing"] = max(answer.at - then for answer, then in answers)
        empty = sum(not answer.result for answer, _ in answers)
        if empty:
            self.result.notes.append(f"typing: {empty} of {len(answers)} hovers refused or empty")

    def _append(self, added: list[tuple[int, str]]) -> dict[str, Any]:
        """The parameters of a change that puts texts at the end of lines: as edits, or the whole text."""
        self.version += 1
        changes: list[dict[str, Any]] = []
        for line, text in added:
            place = {"line": line, "character": len(self.lines[line])}
            changes.append({"range": {"start": place, "end": place}, "text": text})
            self.lines[line] += text
        if self._takes_whole_texts():
            changes = [{"text": "\n".join(self.lines)}]
        return {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": changes}

    def _takes_whole_texts(self) -> bool:
        sync = self._offers("textDocumentSync")
        return (sync.get("change") if isinstance(sync, dict) else sync) == 1


def _position(use: Use) -> dict[str, Any]:
    return {"position": {"line": use.line, "character": use.column}}


def _lines(answer: Answer) -> Iterator[int]:
    """The lines that a definition leads to."""
    places = answer.result or []
    for place in [places] if isinstance(places, dict) else places:
        span = place.get("targetSelectionRange") or place.get("range")
        yield span["start"]["line"]
