"""Code actions: the edits of `features.actions`, a rule left out for the project, the slice of a node."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lsprotocol import types

from fxgraph.features.actions import Action, corrected_counts, node_to_slice, quick_fixes
from fxgraph.features.config import Choice
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span
from fxgraph.lsp.client import Client
from fxgraph.lsp.diagnostics import AT_MOST, diagnostics
from fxgraph.lsp.names import COPY_SLICE, FIX_ALL, QUICK_FIX, REFACTOR
from fxgraph.lsp.projects import ProjectEdit, project_edit
from fxgraph.lsp.wire import Wire

Json = dict[str, Any]


def code_actions(
    uri: str,
    snapshot: Snapshot,
    span: Span,
    only: Sequence[str] | None,
    choice: Choice,
    folders: list[str],
    client: Client,
) -> list[Json]:
    """The `CodeAction`s at a span. `only` are the kinds that are asked for; None asks for those of a place."""
    offered: list[Json] = []
    if _wanted(QUICK_FIX, only):
        findings = snapshot.findings(choice, at_most=AT_MOST)
        actions = quick_fixes(snapshot, span, findings, choice)
        offered += [_fix(uri, snapshot, action, QUICK_FIX, client) for action in actions]
        offered += _project_actions(uri, snapshot, span, choice, folders, client)
    if only and _wanted(FIX_ALL, only):
        every = corrected_counts(snapshot, choice)
        offered += [] if every is None else [_fix(uri, snapshot, every, FIX_ALL, client)]
    if _wanted(REFACTOR, only) and COPY_SLICE in client.commands:
        found = node_to_slice(snapshot, span.start)
        if found is not None:
            position = Wire(snapshot.lines, client.encoding).position(span.start)
            arguments = [{"textDocument": {"uri": uri}, "position": position}]
            title = f"Copy the slice of {found[1].name[:60]}: all that it depends on"
            command = {"title": title, "command": COPY_SLICE, "arguments": arguments}
            offered.append({"title": title, "kind": REFACTOR, "command": command})
    return offered


def _wanted(kind: str, only: Iterable[str] | None) -> bool:
    """Whether a kind is one of those asked for, or lies below one: `source` asks for `source.fixAll`."""
    return not only or any(not asked or kind == asked or kind.startswith(asked + ".") for asked in only)


def _fix(uri: str, snapshot: Snapshot, action: Action, kind: str, client: Client) -> Json:
    wire = Wire(snapshot.lines, client.encoding)
    edits = [{"range": wire.range(edit.span), "newText": edit.text} for edit in action.edits]
    made: Json = {
        "title": action.title,
        "kind": kind,
        "diagnostics": diagnostics(uri, snapshot, action.findings[:AT_MOST], client),
        "edit": _workspace_edit(uri, snapshot.version, edits, client),
    }
    if action.preferred:
        made["isPreferred"] = True
    return made


def _workspace_edit(uri: str, version: int | None, edits: list[Json], client: Client) -> Json:
    if not client.versioned_edits:
        return {"changes": {uri: edits}}
    return {"documentChanges": [{"textDocument": {"uri": uri, "version": version}, "edits": edits}]}


def _project_actions(
    uri: str, snapshot: Snapshot, span: Span, choice: Choice, folders: list[str], client: Client
) -> list[Json]:
    found = [one for one in snapshot.findings(choice, at_most=AT_MOST) if one.span.start <= span.end]
    touched = [one for one in found if span.start <= one.span.end]
    offered = []
    for code in dict.fromkeys(one.code for one in touched):
        edit = project_edit(snapshot.path, folders, code)
        if edit is not None and (edit.exists or client.creates_files):
            alike = [one for one in touched if one.code == code]
            offered.append(
                {
                    "title": f"Leave {code} out in {edit.name}",
                    "kind": QUICK_FIX,
                    "diagnostics": diagnostics(uri, snapshot, alike, client),
                    "edit": _edit_of_project(edit, client),
                }
            )
    return offered


def _edit_of_project(edit: ProjectEdit, client: Client) -> Json:
    position = Wire(edit.lines, client.encoding).position(edit.offset)
    change = {"range": {"start": position, "end": position}, "newText": edit.inserted}
    made = _workspace_edit(edit.uri, None, [change], client)
    if not edit.exists:
        made["documentChanges"].insert(0, {"kind": "create", "uri": edit.uri, "options": {"ignoreIfExists": True}})
    return made


def only_of(parameters: types.CodeActionParams) -> list[str] | None:
    """The kinds that a request asks for, as text."""
    asked = parameters.context.only
    return None if not asked else [str(getattr(kind, "value", kind)) for kind in asked]
