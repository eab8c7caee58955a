"""The server: one session, its documents, and who does what on which thread.

* The protocol's thread takes messages, keeps the texts, and answers at once what it can: where the text was read.
* The reader reads texts and gives the short answers that wait for it.
* The writer gives the answers about whole documents, which may take seconds for a big graph.
* The judge works out findings, which may take seconds, and breaks off when the text has changed.

What was asked of a text that has changed before it was read is answered all the same where that costs little: where
only the changed lines have to be read, or where the last text that was judged has the same line in the same place. Else
the answer is `ContentModified`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from itertools import count
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from fxgraph import __version__
from fxgraph.lsp.capabilities import capabilities_for
from fxgraph.lsp.client import Client, client_of
from fxgraph.lsp.documents import Change, Document, Documents, Version
from fxgraph.lsp.links import folders_of, resolve_link
from fxgraph.lsp.live import About, LiveTorch, Setup
from fxgraph.lsp.logs import log_exception
from fxgraph.lsp.names import CONFIRM, FIND, RERUN, STOP, TABLE, TORCH, TRUST
from fxgraph.lsp.progress import Job, Progress
from fxgraph.lsp.protocol import INVALID_PARAMS, REQUEST_FAILED, Protocol, Refusal, Reply
from fxgraph.lsp.reruns import Agreement, Editor, Reruns
from fxgraph.lsp.settings import Settings, settings_of
from fxgraph.lsp.streams import Streams, frames
from fxgraph.lsp.uris import path_of
from fxgraph.lsp.worker import Worker, without_collector

if TYPE_CHECKING:  # loads the readers: not before `initialize` is answered
    from fxgraph.analysis import Finding
    from fxgraph.features.config import Choice
    from fxgraph.features.snapshot import Snapshot
    from fxgraph.lsp.answers import Question, Route
    from fxgraph.lsp.files import Kept

log = logging.getLogger(__name__)

#: Seconds without an edit before findings are worked out again.
EDIT_PAUSE = 0.2


class Server(LanguageServer):
    """A session with one client."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("fxgraph", __version__, protocol_cls=Protocol, converter_factory=default_converter)
        self.documents = Documents()
        self.client = Client()
        self.folders: list[str] = []
        self.settings = Settings()
        self._of_folders: dict[str, Settings] = {}  # where several are open: by path
        self.settings_serial = 0
        self._complaints: set[str] = set()
        self._reader = Worker("reader")
        self._judge = Worker("judge")
        self._writer = Worker("writer")
        self._all_loaded = False
        self._searcher = Worker("searcher")
        self._searches: dict[int | str, Progress] = {}
        self._kept: Kept | None = None  # files of folders that were searched
        self._live = LiveTorch(self._torch_told, self._torch_works, self._torch_state)
        self._torch_shown: object = None
        self._reruns = Reruns(
            Editor(self._confirm_run, self._torch_works, self._newest, self._source_told, self._say_of_source)
        )
        self._numbers = count(1)
        self._stops: dict[int | str, Callable[[], None]] = {}  # of works under tokens of ours
        self._trusted: bool | None = None  # the client does not tell
        self._selected_python: str | None = None
        self._settings_known = False
        self._reading = threading.Lock()  # each version is read once, by whichever comes first
        self.protocol.requests[types.INITIALIZE] = self._initialize
        self.protocol.notifications |= {
            types.INITIALIZED: self._initialized,
            types.TEXT_DOCUMENT_DID_OPEN: self._did_open,
            types.TEXT_DOCUMENT_DID_CHANGE: self._did_change,
            types.TEXT_DOCUMENT_DID_CLOSE: self._did_close,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self._did_change_configuration,
            types.WINDOW_WORK_DONE_PROGRESS_CANCEL: self._stop_search,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: lambda _: self._judge_again(),
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._did_change_folders,
            TRUST: self._did_change_trust,
        }

    def serve(self, streams: Streams) -> int:
        """Serve until the client says `exit` or goes away. Returns the process's exit status, as LSP wants it."""
        self.protocol.set_outgoing(streams.outgoing)
        try:
            for body in frames(streams.incoming):
                self.protocol.receive(body)
                if self.protocol.exit_code is not None:
                    return self.protocol.exit_code
                del body  # a whole document may be in it
        except OSError:
            log.info("the client is gone")
        return 1

    def close(self) -> bool:
        """End the work in the background. Whether it has ended: it cannot be broken off."""
        ended = [self._reruns.close(), self._live.close()]
        ended += [worker.stop(timeout=0.5) for worker in (self._reader, self._judge, self._writer, self._searcher)]
        return all(ended)

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002
        """To the log; pygls' own version shows a pop-up."""
        log_exception(log, "the server failed", error)

    # The session.

    def _initialize(self, parameters: Any, reply: Reply) -> None:
        parameters = parameters if isinstance(parameters, dict) else {}
        self.client = client_of(parameters.get("capabilities"))
        reply.result(
            {
                "capabilities": capabilities_for(self.client),
                "serverInfo": {"name": "fxgraph", "version": __version__},
            }
        )
        # The client has its answer; now the readers may load.
        with without_collector():
            from fxgraph.lsp.answers import ROUTES
            from fxgraph.lsp.memory import give_big_blocks_back

        give_big_blocks_back()

        for method, route in ROUTES.items():
            self.protocol.requests[method] = partial(self._ask, route)
        self.protocol.requests |= {
            types.DOCUMENT_LINK_RESOLVE: self._resolve_link,
            types.WORKSPACE_SYMBOL: self._find_symbols,
            types.WORKSPACE_EXECUTE_COMMAND: self._execute,
        }
        self.folders = folders_of(parameters)
        options = parameters.get("initializationOptions")
        self.settings = settings_of(options, self._complain)
        # A client that is asked for its settings may have said "no torch" there.
        self._settings_known = not self.client.configuration
        self._did_change_trust(options)

    def _initialized(self, _: Any) -> None:
        if self.client.registers_configuration:
            registration = types.Registration("fxgraph-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION)
            self.client_register_capability(types.RegistrationParams([registration]))
        if self.client.watches:
            options = {"watchers": [{"globPattern": "**/pyproject.toml"}]}
            registration = types.Registration("fxgraph-projects", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.client_register_capability(types.RegistrationParams([registration]))
        self._pull_settings()

    # Documents.

    def _did_open(self, parameters: types.DidOpenTextDocumentParams) -> None:
        item = parameters.text_document
        self._refresh(self.documents.open(item.uri, item.text, item.version), 0)

    def _did_change(self, parameters: types.DidChangeTextDocumentParams) -> None:
        named = parameters.text_document
        changes = [_change_of(event) for event in parameters.content_changes]
        document = self.documents.change(named.uri, changes, named.version, self.client.encoding)
        if document is not None:
            self._live.edited(named.uri)
            self._refresh(document, EDIT_PAUSE)

    def _did_close(self, parameters: types.DidCloseTextDocumentParams) -> None:
        uri = parameters.text_document.uri
        self._reader.drop(uri)
        self._judge.drop(uri)
        self._live.edited(uri)
        if self.documents.close(uri) and not self.client.pulls:
            # By the judge, behind findings that it may be sending this moment.
            self._judge.soon(partial(self._clear, uri))

    def _did_change_folders(self, parameters: types.DidChangeWorkspaceFoldersParams) -> None:
        removed = {path_of(folder.uri) for folder in parameters.event.removed}
        added = [path for folder in parameters.event.added if (path := path_of(folder.uri))]
        self.folders = [path for path in self.folders if path not in removed] + added
        self._pull_settings()
        self._use_torch()

    def _refresh(self, document: Document, delay: float) -> None:
        """Read and judge a document in the background, and push its findings where the client does not pull them.

        What is asked in between comes first.
        """
        self._reader.later(document.uri, delay, partial(self._read_newest, document))

    # Settings.

    def _did_change_configuration(self, parameters: Any) -> None:
        sent = parameters.get("settings") if isinstance(parameters, dict) else None
        if self.client.configuration:
            self._pull_settings()
        elif sent is not None:
            self._use_settings(sent)

    def _pull_settings(self) -> None:
        if not self.client.configuration:
            return
        # Of one folder the general settings are those of the workspace; of several, each may have its own.
        folders = list(self.folders) if len(self.folders) > 1 else []
        items = [types.ConfigurationItem(section="fxgraph")]
        items += [types.ConfigurationItem(Path(folder).as_uri(), "fxgraph") for folder in folders]
        asked = self.workspace_configuration(types.ConfigurationParams(items))
        asked.add_done_callback(partial(self._take_settings, folders))

    def _take_settings(self, folders: list[str], asked: Future[Any]) -> None:
        try:
            sections = asked.result()
        except Refusal:
            log.warning("the client does not tell its settings")
            sections = None
        self._settings_known = True
        if isinstance(sections, list) and sections and sections[0] is not None:
            own = zip(folders, sections[1:], strict=False)
            self._use_settings(sections[0], {folder: sent for folder, sent in own if sent is not None})
        self._use_torch()

    def _use_settings(self, sent: object, of_folders: dict[str, object] | None = None) -> None:
        settings = settings_of(sent, self._complain)
        own = {folder: settings_of(sent, self._complain) for folder, sent in (of_folders or {}).items()}
        if (settings, own) == (self.settings, self._of_folders):
            return
        other_hints = settings.hints != self.settings.hints or own != self._of_folders
        self.settings, self._of_folders = settings, own
        self.settings_serial += 1
        self._judge_again()
        if other_hints and self.client.refreshes_hints:
            self.workspace_inlay_hint_refresh(None)
        self._use_torch()

    # Torch: see docs/security.md, which says who decides that it may run.

    def _did_change_trust(self, parameters: Any) -> None:
        told = parameters if isinstance(parameters, dict) else {}
        trusted, python = told.get("trusted"), told.get("python")
        self._trusted = trusted if isinstance(trusted, bool) else None
        self._selected_python = python if isinstance(python, str) and python else None
        self._use_torch()

    def _use_torch(self) -> None:
        setup = self._torch_setup()
        self._reruns.use(setup)
        if self._live.use(setup) and any(self.documents):
            self._refresh_types()
            self._refresh_lenses()

    def _torch_setup(self) -> Setup:
        enabled, trusted = self.settings.torch, self._trusted is True
        if self._trusted is False and enabled is not False:
            return Setup(why_not="torch is not asked: this workspace is not trusted.")
        if not self._settings_known or not (trusted if enabled is None else enabled):
            return Setup()
        folder = self.folders[0] if trusted and self.folders else None
        selected = self._selected_python if trusted else None
        return Setup(True, None, self.settings.python, selected, folder, self.settings.imports)

    def _refresh_types(self) -> None:
        shown = any("types" in settings.hints for settings in (self.settings, *self._of_folders.values()))
        if self.client.refreshes_hints and shown:
            self.workspace_inlay_hint_refresh(None)

    def _torch_told(self, uri: str, snapshot: Snapshot) -> None:
        """Show what torch has told; on its thread."""
        document = self.documents.get(uri)
        if document is None or document.current.snapshot is not snapshot:
            return
        self._refresh_types()
        if any(self._live.findings(snapshot)):
            if self.client.pulls and self.client.refreshes:
                self.workspace_diagnostic_refresh(None)
            self._judge.later(uri, 0, partial(self._judge_version, document, document.current))

    def _torch_state(self, version: str | None, line: str | None) -> None:
        """Tell a client that shows it which torch answers, or why none does; on any thread."""
        state = {"version": version, "line": line}
        if self.client.shows_torch and state != self._torch_shown:
            self._torch_shown = state
            self.protocol.tell(TORCH, state)

    def _torch_works(self, title: str, stop: Callable[[], None]) -> Job | None:
        """Begin to show a work, on torch's thread; None where the client shows none."""
        if not self.client.shows_progress:
            return None
        token = f"fxgraph-torch-{next(self._numbers)}"
        job = Job(self.protocol, token, title, partial(self._stops.pop, token, None))
        self._stops[token] = stop
        self.window_work_done_progress_create(types.WorkDoneProgressCreateParams(token)).add_done_callback(job.begin)
        return job

    # The source of a dump.

    def _confirm_run(self, asked: Agreement, answered: Callable[[bool], None]) -> None:
        """Ask the user: by the client's own means, else by a message with two buttons."""
        own = self.client.confirms
        words = f"Run {asked.script} for the shapes of the graphs that it prints? It runs as you would run it."
        if own:
            asking = self.protocol.send_request(CONFIRM, {**asked._asdict(), "message": words})
        else:
            actions = [types.MessageActionItem(title) for title in ("Run", "Cancel")]
            message = f"{words} SHA-256: {asked.sha256}"
            parameters = types.ShowMessageRequestParams(types.MessageType.Warning, message, actions)
            asking = self.window_show_message_request(parameters)

        def take(answer: Future[Any]) -> None:
            told = answer.result() if answer.exception() is None else None
            key, yes = ("run", True) if own else ("title", "Run")
            answered((told.get(key) if isinstance(told, dict) else getattr(told, key, None)) == yes)

        asking.add_done_callback(take)

    def _newest(self, uri: str) -> Snapshot | None:
        document = self.documents.get(uri)
        return None if document is None else document.current.snapshot

    def _source_told(self, uri: str) -> None:
        if self.documents.get(uri) is not None:
            self._refresh_types()
            self._refresh_lenses()

    def _refresh_lenses(self) -> None:
        if self.client.refreshes_lenses:
            self.workspace_code_lens_refresh(None)

    def _say_of_source(self, sentence: str, warns: bool) -> None:
        kind = types.MessageType.Warning if warns else types.MessageType.Info
        self.window_show_message(types.ShowMessageParams(kind, sentence))

    def _source(self, asked: types.ExecuteCommandParams) -> Any:
        """Begin or end the run of a document's source."""
        from fxgraph.torchhost.scripts import ScriptError

        uri = str(asked.arguments[0]) if asked.arguments else ""
        document = self.documents.get(uri)
        if document is None:
            raise Refusal(INVALID_PARAMS, "no document of this URI is open")
        if asked.command == STOP:
            return self._reruns.stop(uri)
        if not self._settings_known:
            raise Refusal(REQUEST_FAILED, "the editor has not told its settings yet: ask again in a moment")
        version = document.current
        self._read(document, version)
        try:
            self._reruns.ask(uri, version.snapshot, self.folders)
        except ScriptError as error:
            raise Refusal(REQUEST_FAILED, str(error)) from None
        return None

    def _judge_again(self) -> None:
        for document in self.documents:
            document.judged = 0
            self._refresh(document, 0)
        if self.client.pulls and self.client.refreshes:
            self.workspace_diagnostic_refresh(None)

    def _settings_for(self, path: str | None) -> Settings:
        """The settings for a file: those of the innermost workspace folder that holds it, else the general ones."""
        around = [folder for folder in self._of_folders if path is not None and PurePath(path).is_relative_to(folder)]
        return self._of_folders[max(around, key=len)] if around else self.settings

    def _choice(self, version: Version) -> Choice:
        from fxgraph.lsp.projects import choice_for

        path = version.snapshot.path
        return choice_for(path, self._settings_for(path), self._complain)

    def _complain(self, sentence: str) -> None:
        if sentence not in self._complaints:
            self._complaints.add(sentence)
            log.warning("%s", sentence)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"fxgraph: {sentence}"))

    # Questions.

    def _ask(self, route: Route, parameters: Any, reply: Reply) -> None:
        from fxgraph.lsp.answers import Question
        from fxgraph.lsp.diagnostics import is_many

        if route.parameters is not None:
            try:
                parameters = route.parameters(parameters)
            except Refusal as refusal:
                reply.error(refusal.code, refusal.message)
                return
        document = self.documents.get(route.uri(parameters))
        if document is None:
            reply.result(route.nothing)
            return
        version = document.current
        state = f"{version.serial}.{self.settings_serial}"
        choice = partial(self._choice, version)
        pause = partial(self._pause, document, version, route, reply)
        settings, kept = self._settings_for(version.snapshot.path), document.kept
        question = Question(
            document.uri,
            version.snapshot,
            parameters,
            self.client,
            settings,
            choice,
            state,
            kept,
            self.folders,
            About(self._live, self._reruns, document.uri),
            pause,
        )
        known = {"read": document.read, "judged": document.judged, None: 0}[route.at_once_when] == version.serial
        last = document.last_judged
        if not known and last is not None and is_many(last.snapshot) and self._serves(route, question, last):
            question, known = question._replace(snapshot=last.snapshot), True  # somebody types in a big graph
        elif not known and route.at_once_when == "read":
            known = self._read_changes(document, version)
        if known and not (route.is_long and route.is_long(question)):
            reply.run(route.answer, question)
        else:
            worker = self._judge if route.judges else self._writer if route.at_once_when is None else self._reader
            worker.soon(partial(self._answer, route, question, document, version, reply))

    def _resolve_link(self, link: types.DocumentLink, reply: Reply) -> None:
        # A disk may be slow: not on the protocol's thread.
        self._reader.soon(partial(reply.run, resolve_link, link, self.folders))

    def _find_symbols(self, asked: types.WorkspaceSymbolParams, reply: Reply) -> None:
        token = asked.work_done_token
        progress = Progress(self.protocol, token, "Searching dumps", reply)
        if token is not None:
            self._searches[token] = progress
        self._searcher.soon(partial(reply.run, self._symbols, asked, progress))

    def _execute(self, asked: types.ExecuteCommandParams, reply: Reply) -> None:
        from fxgraph.lsp.answers import ROUTES

        if asked.command in (RERUN, STOP):
            self._reader.soon(partial(reply.run, self._source, asked))
            return
        if asked.command not in (FIND, TABLE):
            reply.error(INVALID_PARAMS, "no such command")
            return
        if asked.command != FIND:
            self._ask(ROUTES[types.WORKSPACE_EXECUTE_COMMAND], asked, reply)
            return
        token = asked.work_done_token
        progress = Progress(self.protocol, token, "Searching dumps", reply)
        if token is not None:
            self._searches[token] = progress
        self._searcher.soon(partial(reply.run, self._nodes, asked, progress))

    def _stop_search(self, parameters: types.WorkDoneProgressCancelParams) -> None:
        progress = self._searches.get(parameters.token)
        if progress is not None:
            progress.stopped = True
        if (stop := self._stops.get(parameters.token)) is not None:
            stop()

    # On the workers' threads.

    def _symbols(self, asked: types.WorkspaceSymbolParams, progress: Progress) -> Any:
        from fxgraph.lsp.search import of_folders, symbols_like

        def dumps() -> Iterator[tuple[str, Snapshot]]:
            opened = self._read_all()
            yield from opened
            if self.settings.folder_symbols and asked.query.strip():
                known = {uri for uri, _ in opened}
                found = of_folders(self.folders, opened, progress.report, self._kept_files())
                yield from (one for one in found if one[0] not in known)

        return self._search(asked, progress, lambda: symbols_like(asked.query, dumps(), self.client, progress.check))

    def _nodes(self, asked: types.ExecuteCommandParams, progress: Progress) -> Any:
        from fxgraph.lsp.search import find, search_of

        def run() -> Any:
            return find(search_of(asked), self._read_all(), self.client, progress.report, self._kept_files())

        return self._search(asked, progress, run)

    def _search(
        self,
        asked: types.WorkspaceSymbolParams | types.ExecuteCommandParams,
        progress: Progress,
        run: Callable[[], Any],
    ) -> Any:
        token = asked.work_done_token
        try:
            with progress:
                return run()
        finally:
            if token is not None and self._searches.get(token) is progress:  # a later search may use its name again
                del self._searches[token]

    def _kept_files(self) -> Kept:
        if self._kept is None:
            from fxgraph.lsp.files import Kept
            from fxgraph.lsp.search import KEPT_BYTES

            self._kept = Kept(KEPT_BYTES)
        return self._kept

    def _read_all(self) -> list[tuple[str, Snapshot]]:
        """The newest versions of all open documents."""
        versions = [(document, document.current) for document in self.documents]
        for document, version in versions:
            self._read(document, version)
        return [(document.uri, version.snapshot) for document, version in versions]

    def _answer(self, route: Route, question: Question, document: Document, version: Version, reply: Reply) -> None:
        if not reply.is_owed:
            return

        def read_and_answer() -> Any:
            if version is document.current:
                self._read(document, version)
            elif not (version.snapshot.is_read or self._read_changes(document, version)):
                last = document.last_judged
                if last is None or not self._serves(route, question, last):
                    raise _stale(route)
                return route.answer(question._replace(snapshot=last.snapshot))
            return route.answer(question)

        reply.run(read_and_answer)

    def _serves(self, route: Route, question: Question, last: Version) -> bool:
        """Whether an older text answers as well: it has as many lines, and the same one where the question points."""
        if not route.is_of_place:
            return False
        line = question.parameters.position.line
        ours, theirs = question.snapshot.lines, last.snapshot.lines
        if len(ours) != len(theirs) or not 0 <= line < len(ours):
            return False
        return ours.line_text(line) == theirs.line_text(line)

    def _pause(self, document: Document, version: Version, route: Route, reply: Reply) -> None:
        if version is not document.current or not reply.is_owed:
            raise _stale(route)

    def _read_changes(self, document: Document, version: Version) -> bool:
        """Read a version where only lines that were edited have to be read. Whether its graphs are known; never waits.

        On any thread.
        """
        if not self._reading.acquire(blocking=False):
            return False
        try:
            if not version.snapshot.read_changes():
                return False
            if document.read < version.serial:
                document.read = version.serial
            return True
        finally:
            self._reading.release()

    def _read(self, document: Document, version: Version, *, links: bool = False) -> None:
        """Read a version, and tie its names: `links` for all that reads them, else for the first question only."""
        with self._reading:
            if document.read >= version.serial:
                return
            began = time.perf_counter()
            snapshot = version.snapshot
            graphs = len(snapshot.dump.graphs)
            for facts in snapshot.facts:
                _ = facts.links if links else facts.definitions
            if document.read == 0:
                spent = (time.perf_counter() - began) * 1e3
                size = len(snapshot.text)
                log.info("opened %s: %d characters, %d graphs, read in %.0f ms", document.name, size, graphs, spent)
            document.read = version.serial

    def _read_newest(self, document: Document) -> None:
        version = document.current
        self._read(document, version, links=True)
        for facts in version.snapshot.facts:
            _ = facts.links  # a question may have come first
        self._judge.later(document.uri, 0, partial(self._judge_version, document, version))

    def _judge_version(self, document: Document, version: Version) -> None:
        from fxgraph.lsp.diagnostics import in_stages, publication, with_computed

        def pause() -> None:
            if not self._is_newest(document, version):
                raise _OvertakenError

        def publish(findings: list[Finding]) -> None:
            pause()
            if not self.client.pulls:
                findings = with_computed(findings, self._live.findings(version.snapshot), choice)
                told = publication(document.uri, version.snapshot, findings, self.client)
                self.protocol.tell(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, told)

        try:
            pause()
            choice = self._choice(version)
            for findings in in_stages(version.snapshot, choice, pause):
                publish(findings)
                _ = version.snapshot.lines  # before a request needs them
        except _OvertakenError:  # the newer version's turn follows
            return
        document.take_as_judged(version)
        if not self._all_loaded:
            from fxgraph.lsp.answers import load_the_rest

            self._all_loaded = True
            self._writer.soon(load_the_rest)

    def _is_newest(self, document: Document, version: Version) -> bool:
        return self.documents.get(document.uri) is document and document.current is version

    def _clear(self, uri: str) -> None:
        if self.documents.get(uri) is None:
            self.protocol.tell(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": []})


class _OvertakenError(Exception):
    """The document has changed while it was judged."""


def _stale(route: Route) -> Refusal:
    code, data = route.stale
    return Refusal(code, "the document has changed", data)


def _change_of(event: types.TextDocumentContentChangeEvent) -> Change:
    place: types.Range | None = getattr(event, "range", None)
    if place is None:
        return Change(event.text)
    return Change(event.text, (place.start.line, place.start.character), (place.end.line, place.end.character))
