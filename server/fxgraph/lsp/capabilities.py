"""What this server says it can do, for what a client can show."""

from __future__ import annotations

from lsprotocol import types

from fxgraph.lsp.client import Client
from fxgraph.lsp.names import ACTION_KINDS, FIND, RERUN, STOP, TABLE


def capabilities_for(client: Client) -> dict[str, object]:
    """The `ServerCapabilities` of this server for a client."""
    from fxgraph.features.token_legend import MODIFIERS, TYPES  # loads nothing else

    capabilities: dict[str, object] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": types.TextDocumentSyncKind.Incremental.value},
        "definitionProvider": True,
        "referencesProvider": True,
        "documentHighlightProvider": True,
        "hoverProvider": True,
        "documentSymbolProvider": True,
        "foldingRangeProvider": True,
        "documentLinkProvider": {"resolveProvider": True},
        "semanticTokensProvider": {
            "legend": {"tokenTypes": list(TYPES), "tokenModifiers": list(MODIFIERS)},
            "full": {"delta": True},
            "range": True,
        },
        "inlayHintProvider": True,
        "codeLensProvider": {"resolveProvider": False},
        "callHierarchyProvider": True,
        "selectionRangeProvider": True,
        "workspaceSymbolProvider": True,
        "executeCommandProvider": {"commands": [TABLE, FIND, RERUN, STOP], "workDoneProgress": True},
    }
    capabilities["workspace"] = {"workspaceFolders": {"supported": True, "changeNotifications": True}}
    if client.action_literals:
        capabilities["codeActionProvider"] = {"codeActionKinds": list(ACTION_KINDS)}
    if client.pulls:
        capabilities["diagnosticProvider"] = {
            "identifier": "fxgraph",
            "interFileDependencies": False,
            "workspaceDiagnostics": False,
        }
    return capabilities
