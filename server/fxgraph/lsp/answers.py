"""What each request is answered with: a function of `features/`, its plain data put into the protocol's words.

Loads what reading needs; the rest comes with the first question for it, or `load_the_rest`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lsprotocol import types

from fxgraph.features.config import Choice
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span
from fxgraph.lsp.client import Client
from fxgraph.lsp.live import About
from fxgraph.lsp.names import DEBUG_INFO, SLICE, VIEW
from fxgraph.lsp.protocol import CONTENT_MODIFIED, SERVER_CANCELLED, Raw
from fxgraph.lsp.settings import Settings
from fxgraph.lsp.wire import Wire

if TYPE_CHECKING:
    from fxgraph.features.definition import Definition


class Question(NamedTuple):
    """One request about a document as it was when the request came.

    parameters  the request's, as lsprotocol's type
    choice      gives the rules to ask; looks at files
    state       a different text for each version of the document and of the settings
    kept        what an answer leaves for the next one of its kind about the same document
    folders     paths of the workspace's folders
    torch       what an installed torch has told
    pause       to be called now and then in long work; ends it where nobody waits for the answer any more
    """

    uri: str
    snapshot: Snapshot
    parameters: Any
    client: Client
    settings: Settings
    choice: Callable[[], Choice]
    state: str
    kept: dict[str, object]
    folders: list[str]
    torch: About
    pause: Callable[[], None]

    @property
    def wire(self) -> Wire:
        """Converts positions of this text."""
        return Wire(self.snapshot.lines, self.client.encoding)

    @property
    def offset(self) -> int | None:
        """The document offset it asks about; None below the last line, and where it asks about none."""
        position: types.Position | None = self.parameters.position
        return None if position is None else self.wire.offset(position.line, position.character)


@dataclass(frozen=True)
class Route:
    """How one method is answered.

    answer        the answer to a question, as plain data or `Raw`
    at_once_when  by the protocol's thread when this is known of the text already; None: by a worker at any rate
    is_long       whether the answer to a question takes so long that a worker gives it all the same
    is_of_place   it tells of a place and says nothing of others: what is known of an older text may do
    judges        by the worker that judges and may be busy for long; else by the one that reads
    nothing       the empty answer: where the document is not open
    stale         code and data of the refusal where the text has changed before it was read
    uri           the document that the parameters are about
    parameters    makes the parameters of a method that the protocol does not know; raises Refusal
    """

    answer: Callable[[Question], Any]
    at_once_when: Literal["read", "judged"] | None = "read"
    is_long: Callable[[Question], bool] | None = None
    is_of_place: bool = False
    judges: bool = False
    nothing: Any = None
    stale: tuple[int, object] = (CONTENT_MODIFIED, None)
    uri: Callable[[Any], str] = lambda parameters: parameters.text_document.uri
    parameters: Callable[[object], Any] | None = None


def _definition(question: Question) -> Any:
    from fxgraph.features.definition import definition
    from fxgraph.lsp.siblings import saved_elsewhere

    offset = question.offset
    if offset is None:
        return []
    elsewhere = saved_elsewhere(question.uri, question.snapshot, offset)
    if elsewhere is not None:
        wire = Wire(elsewhere.snapshot.lines, question.client.encoding)
        return [_location(question, elsewhere.uri, wire, elsewhere.definition)]
    places = definition(question.snapshot, offset)
    return [_location(question, question.uri, question.wire, place) for place in places]


def _location(question: Question, uri: str, wire: Wire, place: Definition) -> dict[str, object]:
    """A place in the document `uri`, whose positions `wire` converts."""
    if not question.client.links:
        return {"uri": uri, "range": wire.range(place.target)}
    return {
        "originSelectionRange": question.wire.range(place.origin),
        "targetUri": uri,
        "targetRange": wire.range(place.around),
        "targetSelectionRange": wire.range(place.target),
    }


def _is_in_another_file(question: Question) -> bool:
    from fxgraph.lsp.siblings import is_saved_elsewhere

    offset = question.offset
    return offset is not None and is_saved_elsewhere(question.uri, question.snapshot, offset)


def _references(question: Question) -> Any:
    from fxgraph.features.references import references
    from fxgraph.lsp.outline import Ranges

    offset, wire = question.offset, question.wire
    asked: types.ReferenceParams = question.parameters
    if offset is None:
        return []
    spans = references(question.snapshot, offset, asked.context.include_declaration, question.pause)
    uri, ranges = json.dumps(question.uri), Ranges(wire)
    return Raw(["[", ",".join([f'{{"uri":{uri},"range":{ranges.of(span)}}}' for span in spans]), "]"])


def _highlights(question: Question) -> Any:
    from fxgraph.features.highlights import highlights
    from fxgraph.lsp.outline import Ranges

    offset, wire = question.offset, question.wire
    read, write = types.DocumentHighlightKind.Read.value, types.DocumentHighlightKind.Write.value
    found = [] if offset is None else highlights(question.snapshot, offset, question.pause)
    ranges = Ranges(wire)
    kinds = {True: write, False: read}
    marks = [f'{{"range":{ranges.of(place.span)},"kind":{kinds[place.writes]}}}' for place in found]
    return Raw(["[", ",".join(marks), "]"])


def _has_many_reads(question: Question) -> bool:
    from fxgraph.features.references import has_many_reads

    offset = question.offset
    return offset is not None and has_many_reads(question.snapshot, offset)


def _hover(question: Question) -> Any:
    from fxgraph.features.hover import hover
    from fxgraph.features.markdown import plain

    offset = question.offset
    found = None if offset is None else hover(question.snapshot, offset, question.torch)
    if found is None:
        return None
    markdown = question.client.markdown
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    text = found.markdown if markdown else plain(found.markdown)
    return {"contents": {"kind": kind.value, "value": text}, "range": question.wire.range(found.span)}


def _symbols(question: Question) -> Any:
    from fxgraph.features.symbols import symbols
    from fxgraph.lsp.outline import outline

    nested = question.client.nested_symbols
    return Raw(outline(question.uri, symbols(question.snapshot), question.wire, nested=nested))


def _folding(question: Question) -> Any:
    from fxgraph.features.folding import folds

    line_of, found = question.snapshot.lines.line_of, []
    for fold in folds(question.snapshot):
        first, last = line_of(fold.span.start), line_of(max(fold.span.end - 1, fold.span.start))
        if first < last:
            kind = ',"kind":"region"' if fold.kind == "compile" else ""
            found.append(f'{{"startLine":{first},"endLine":{last}{kind}}}')
    return Raw(["[", ",".join(found), "]"])


def _links(question: Question) -> Any:
    from fxgraph.features.links import links

    wire = question.wire
    return [
        {"range": wire.range(link.span), "data": {"path": link.path, "line": link.line, "uri": question.uri}}
        for link in links(question.snapshot)
    ]


def _diagnostic(question: Question) -> Any:
    from fxgraph.lsp.diagnostics import AT_MOST, diagnostics, with_computed

    asked: types.DocumentDiagnosticParams = question.parameters
    choice = question.choice()
    computed = question.torch.findings(question.snapshot)
    state = f"{question.state}.{hash(choice)}.{len(computed.findings)}.{len(computed.replaced)}"
    if asked.previous_result_id == state:
        return {"kind": "unchanged", "resultId": state}
    findings = question.snapshot.findings(choice, question.pause, AT_MOST)
    findings = with_computed(findings, computed, choice)
    items = diagnostics(question.uri, question.snapshot, findings, question.client)
    return {"kind": "full", "resultId": state, "items": items}


def _uri_of_item(parameters: Any) -> str:
    return str(parameters.item.uri)


def _uri_of_command(parameters: types.ExecuteCommandParams) -> str:
    return str(parameters.arguments[0]) if parameters.arguments else ""


def _actions(question: Question) -> Any:
    from fxgraph.lsp.actions import code_actions, only_of

    asked: types.CodeActionParams = question.parameters
    if not question.client.action_literals:
        return []
    lines, encoding = question.snapshot.lines, question.client.encoding
    start, end = [lines.offset(place.line, place.character, encoding) for place in (asked.range.start, asked.range.end)]
    return code_actions(
        question.uri,
        question.snapshot,
        Span(start, max(start, end)),
        only_of(asked),
        question.choice(),
        question.folders,
        question.client,
    )


def _view(question: Question) -> Any:
    from fxgraph.lsp.views import view_answer

    client, pause = question.client, question.pause
    return view_answer(question.snapshot, question.parameters, question.offset, question.uri, client, pause)


def _slice(question: Question) -> Any:
    from fxgraph.lsp.views import slice_answer

    return slice_answer(question.snapshot, question.offset)


def _debug_info(question: Question) -> Any:
    from fxgraph.features.debug_info import debug_info

    return {"lines": debug_info(question.snapshot)}


def _asked_of(parameters: object) -> Any:
    from fxgraph.lsp.views import asked_of

    return asked_of(parameters)


def _of(module: str, name: str) -> Callable[[Question], Any]:
    """An answer of a module beside this one, which loads at the first question: a document is read sooner."""

    def answer(question: Question) -> Any:
        return getattr(import_module(f"fxgraph.lsp.{module}"), name)(question)

    return answer


def load_the_rest() -> None:
    """Load what the answers need, before somebody has to wait for it."""
    for module in ("siblings", "aids", "semantic_tokens", "actions", "views", "outline", "diagnostics"):
        import_module(f"fxgraph.lsp.{module}")
    for module in ("definition", "hover", "references", "highlights", "symbols", "folding", "links", "debug_info"):
        import_module(f"fxgraph.features.{module}")


#: Method -> how it is answered.
ROUTES: dict[str, Route] = {
    types.TEXT_DOCUMENT_DEFINITION: Route(_definition, is_long=_is_in_another_file, is_of_place=True),
    types.TEXT_DOCUMENT_REFERENCES: Route(_references, is_long=_has_many_reads),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: Route(_highlights, is_long=_has_many_reads),
    types.TEXT_DOCUMENT_HOVER: Route(_hover, at_once_when="judged", is_of_place=True),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Route(_symbols, at_once_when=None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: Route(_folding, at_once_when=None),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: Route(_links, at_once_when=None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: Route(_of("semantic_tokens", "full"), at_once_when=None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: Route(_of("semantic_tokens", "delta"), at_once_when=None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: Route(_of("semantic_tokens", "in_range"), at_once_when=None),
    types.TEXT_DOCUMENT_INLAY_HINT: Route(_of("aids", "inlay_hints"), at_once_when=None),
    types.TEXT_DOCUMENT_CODE_LENS: Route(_of("aids", "code_lenses"), at_once_when=None),
    types.WORKSPACE_EXECUTE_COMMAND: Route(_of("aids", "execute"), at_once_when=None, uri=_uri_of_command),
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: Route(_of("aids", "prepare_flow")),
    types.CALL_HIERARCHY_INCOMING_CALLS: Route(_of("aids", "incoming"), at_once_when=None, uri=_uri_of_item),
    types.CALL_HIERARCHY_OUTGOING_CALLS: Route(_of("aids", "outgoing"), at_once_when=None, uri=_uri_of_item),
    types.TEXT_DOCUMENT_SELECTION_RANGE: Route(_of("aids", "selection_ranges")),
    types.TEXT_DOCUMENT_CODE_ACTION: Route(_actions, at_once_when=None, judges=True),
    VIEW: Route(_view, at_once_when=None, parameters=_asked_of),
    SLICE: Route(_slice, at_once_when=None, parameters=_asked_of),
    DEBUG_INFO: Route(_debug_info, at_once_when=None, judges=True, parameters=_asked_of),
    types.TEXT_DOCUMENT_DIAGNOSTIC: Route(
        _diagnostic,
        at_once_when=None,
        judges=True,
        nothing={"kind": "full", "items": []},
        # The client asks again by itself: it has sent the change.
        stale=(SERVER_CANCELLED, {"retriggerRequest": False}),
    ),
}
