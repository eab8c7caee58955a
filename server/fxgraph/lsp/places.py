"""Positions that no document has: a question about one gets an empty answer, not an error that an editor pops up."""

from __future__ import annotations

from typing import Any, cast

from lsprotocol import types

#: The largest number of the protocol, below the last line of every document.
_LAST = 2**31 - 1
_IN_RANGES = frozenset({"start", "end"})
_PLACES = frozenset({"position", "range"}) | _IN_RANGES

_KEYS = {"textDocument", "position"}
_OF_PLACE = {
    types.TEXT_DOCUMENT_DEFINITION: types.DefinitionParams,
    types.TEXT_DOCUMENT_HOVER: types.HoverParams,
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: types.DocumentHighlightParams,
}


def of_place(method: str, parameters: Any) -> types.TextDocumentPositionParams | None:
    """Parameters that hold a document and a position in the protocol's range and nothing else, for the methods that are
    asked at every move; None for all others, which the converter takes.
    """
    made: Any = _OF_PLACE.get(method)
    if made is None or not isinstance(parameters, dict) or parameters.keys() != _KEYS:
        return None
    document, position = parameters["textDocument"], parameters["position"]
    if not isinstance(document, dict) or not isinstance(position, dict):
        return None
    uri, line, column = document.get("uri"), position.get("line"), position.get("character")
    if len(document) != 1 or len(position) != 2 or not isinstance(uri, str):
        return None
    if type(line) is not int or type(column) is not int or not _in_range(line, column):
        return None
    return cast(
        "types.TextDocumentPositionParams", made(types.TextDocumentIdentifier(uri), types.Position(line, column))
    )


def _in_range(line: int, column: int) -> bool:
    return 0 <= line <= _LAST and 0 <= column <= _LAST


def with_places(parameters: Any) -> Any:
    """Parameters of a request with each position in the protocol's range: one that is not becomes a place below the
    last line, or behind the end of its line.
    """
    if not isinstance(parameters, dict):
        return parameters
    changed = {key: _place(value) for key, value in parameters.items() if key in _PLACES}
    positions = parameters.get("positions")
    if isinstance(positions, list):
        changed["positions"] = [_place(position) for position in positions]
    return {**parameters, **changed}


def _place(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if _IN_RANGES & value.keys():
        return {key: _place(inner) if key in _IN_RANGES else inner for key, inner in value.items()}
    line, column = value.get("line"), value.get("character")
    if type(line) is not int or type(column) is not int or _in_range(line, column):
        return value
    below = not 0 <= line <= _LAST or column < 0
    return {**value, "line": _LAST if below else line, "character": 0 if below else _LAST}
