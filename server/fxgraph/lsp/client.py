"""What the client can do, read from its `initialize` request.

The request is read as plain data: an editor that says something this server has never heard of must still start it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fxgraph.features.lines import Encoding

#: lsprotocol's value for a diagnostic that editors fade.
UNNECESSARY = 1

_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


class Client(NamedTuple):
    """What matters here of a client's capabilities; the defaults are those of a client that says nothing.

    `commands` are those that it runs by itself: `experimental.fxgraph.commands`. `shows_torch`: which torch answers, as
    `experimental.fxgraph.torch` says.
    `confirms`: it asks the user itself whether a script may run, by `fxgraph/confirmRun`; as
    `experimental.fxgraph.confirms` says.
    """

    encoding: Encoding = "utf-16"
    links: bool = False
    nested_symbols: bool = False
    markdown: bool = False
    tags: bool = False
    related: bool = False
    code_description: bool = False
    pulls: bool = False
    refreshes: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    watches: bool = False
    token_deltas: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    shows_progress: bool = False
    versioned_edits: bool = False
    creates_files: bool = False
    action_literals: bool = False
    shows_torch: bool = False
    confirms: bool = False
    commands: frozenset[str] = frozenset()


def client_of(capabilities: object) -> Client:
    """The client behind these `ClientCapabilities`. Anything of a wrong shape counts as not there.

    Columns are counted in the first encoding of the client's list that we know, as LSP asks; without a list, UTF-16.
    """
    published = _at(capabilities, "textDocument", "publishDiagnostics")
    pulled = _at(capabilities, "textDocument", "diagnostic")
    offered = _list(_at(capabilities, "general", "positionEncodings"))
    edits = _at(capabilities, "workspace", "workspaceEdit")
    commands = _list(_at(capabilities, "experimental", "fxgraph", "commands"))
    return Client(
        encoding=next((_ENCODINGS[name] for name in offered if isinstance(name, str) and name in _ENCODINGS), "utf-16"),
        links=_at(capabilities, "textDocument", "definition", "linkSupport") is True,
        nested_symbols=_at(capabilities, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport") is True,
        markdown="markdown" in _list(_at(capabilities, "textDocument", "hover", "contentFormat")),
        tags=any(UNNECESSARY in _list(_at(kind, "tagSupport", "valueSet")) for kind in (published, pulled)),
        related=any(_at(kind, "relatedInformation") is True for kind in (published, pulled)),
        code_description=any(_at(kind, "codeDescriptionSupport") is True for kind in (published, pulled)),
        pulls=isinstance(pulled, dict),
        refreshes=_at(capabilities, "workspace", "diagnostics", "refreshSupport") is True,
        configuration=_at(capabilities, "workspace", "configuration") is True,
        registers_configuration=_at(capabilities, "workspace", "didChangeConfiguration", "dynamicRegistration") is True,
        watches=_at(capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration") is True,
        token_deltas=_at(capabilities, "textDocument", "semanticTokens", "requests", "full", "delta") is True,
        refreshes_hints=_at(capabilities, "workspace", "inlayHint", "refreshSupport") is True,
        refreshes_lenses=_at(capabilities, "workspace", "codeLens", "refreshSupport") is True,
        shows_progress=_at(capabilities, "window", "workDoneProgress") is True,
        versioned_edits=_at(edits, "documentChanges") is True,
        creates_files=_at(edits, "documentChanges") is True and "create" in _list(_at(edits, "resourceOperations")),
        action_literals=isinstance(_at(capabilities, "textDocument", "codeAction", "codeActionLiteralSupport"), dict),
        shows_torch=_at(capabilities, "experimental", "fxgraph", "torch") is True,
        confirms=_at(capabilities, "experimental", "fxgraph", "confirms") is True,
        commands=frozenset(name for name in commands if isinstance(name, str)),
    )


def _at(value: object, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
