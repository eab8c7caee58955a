"""The outline as JSON text. A graph has up to 100,000 nodes: dictionaries of dictionaries would take a second."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.encoder import encode_basestring_ascii as quoted

from fxgraph.features.symbols import Symbol
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER, Span
from fxgraph.lsp.wire import Wire

#: LSP's `SymbolKind`, chosen so that editors show different icons.
_KINDS = {
    "graph": 2,  # Module
    PLACEHOLDER: 13,  # Variable
    GET_ATTR: 8,  # Field
    CALL_FUNCTION: 12,  # Function
    CALL_METHOD: 6,  # Method
    CALL_MODULE: 5,  # Class
    OUTPUT: 24,  # Event
}


def outline(uri: str, roots: list[Symbol], wire: Wire, *, nested: bool) -> str:
    """A list of `DocumentSymbol`, or of `SymbolInformation` where the client does not know nested ones."""
    if nested:
        return f"[{','.join([_nested(symbol, wire) for symbol in roots])}]"
    return f"[{','.join(_flat(roots, None, json.dumps(uri), wire))}]"


def _nested(symbol: Symbol, wire: Wire) -> str:
    inner = f',"children":[{",".join([_nested(child, wire) for child in symbol.children])}]' if symbol.children else ""
    return (
        f'{{"name":{_name(symbol)},"detail":{quoted(symbol.detail)},"kind":{_KINDS[symbol.kind]},'
        f'"range":{_range(symbol.span, wire)},"selectionRange":{_range(symbol.name_span, wire)}{inner}}}'
    )


def _flat(symbols: list[Symbol], container: Symbol | None, uri: str, wire: Wire) -> Iterator[str]:
    inside = "" if container is None else f',"containerName":{_name(container)}'
    for symbol in symbols:
        place = f'{{"uri":{uri},"range":{_range(symbol.span, wire)}}}'
        yield f'{{"name":{_name(symbol)},"kind":{_KINDS[symbol.kind]},"location":{place}{inside}}}'
        yield from _flat(symbol.children, symbol, uri, wire)


def _name(symbol: Symbol) -> str:
    return quoted(symbol.name if symbol.name.strip() else "?")  # editors refuse a symbol without a name


def _range(span: Span, wire: Wire) -> str:
    line, column = wire.lines.position(span.start, wire.encoding)
    end_line, end_column = wire.lines.position(span.end, wire.encoding)
    return f'{{"start":{{"line":{line},"character":{column}}},"end":{{"line":{end_line},"character":{end_column}}}}}'
