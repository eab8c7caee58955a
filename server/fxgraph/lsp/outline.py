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
    ranges = _Ranges(wire)
    if nested:
        return f"[{','.join([_nested(symbol, ranges) for symbol in roots])}]"
    return f"[{','.join(_flat(roots, None, json.dumps(uri), ranges))}]"


def _nested(symbol: Symbol, ranges: _Ranges) -> str:
    children = symbol.children
    inner = f',"children":[{",".join([_nested(child, ranges) for child in children])}]' if children else ""
    return (
        f'{{"name":{_name(symbol)},"detail":{quoted(symbol.detail)},"kind":{_KINDS[symbol.kind]},'
        f'"range":{ranges.of(symbol.span)},"selectionRange":{ranges.of(symbol.name_span)}{inner}}}'
    )


def _flat(symbols: list[Symbol], container: Symbol | None, uri: str, ranges: _Ranges) -> Iterator[str]:
    inside = "" if container is None else f',"containerName":{_name(container)}'
    for symbol in symbols:
        place = f'{{"uri":{uri},"range":{ranges.of(symbol.span)}}}'
        yield f'{{"name":{_name(symbol)},"kind":{_KINDS[symbol.kind]},"location":{place}{inside}}}'
        yield from _flat(symbol.children, symbol, uri, ranges)


def _name(symbol: Symbol) -> str:
    return quoted(symbol.name if symbol.name.strip() else "?")  # editors refuse a symbol without a name


class _Ranges:
    """Spans as JSON text. It remembers the last line: the record of a node and its name lie in the same one."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._plain = wire.encoding == "utf-32" or wire.lines.text.isascii()  # columns are characters
        self._line, self._start, self._end = 0, 0, -1  # of the last line, its line end left out

    def of(self, span: Span) -> str:
        begin, end = span
        if self._plain:
            if not self._start <= begin <= self._end:
                lines = self._wire.lines
                self._line = lines.line_of(begin)
                self._start, self._end = lines.starts[self._line], lines.line_end(self._line)
            if end <= self._end:
                line, start = self._line, self._start
                return (
                    f'{{"start":{{"line":{line},"character":{begin - start}}},'
                    f'"end":{{"line":{line},"character":{end - start}}}}}'
                )
        position, encoding = self._wire.lines.position, self._wire.encoding
        line, column = position(begin, encoding)
        last, end_column = position(end, encoding)
        return f'{{"start":{{"line":{line},"character":{column}}},"end":{{"line":{last},"character":{end_column}}}}}'
