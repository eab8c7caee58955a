"""The outline as JSON text. A graph has up to 100,000 nodes: dictionaries of dictionaries would take a second."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from json.encoder import encode_basestring_ascii as quoted

from fxgraph.features.symbols import Symbol
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER, Span
from fxgraph.lsp.wire import Wire

#: LSP's `SymbolKind`, chosen so that editors show different icons.
KINDS = {
    "compile": 4,  # Package
    "graph": 2,  # Module
    "group": 3,  # Namespace
    "run": 18,  # Array
    PLACEHOLDER: 13,  # Variable
    GET_ATTR: 8,  # Field
    CALL_FUNCTION: 12,  # Function
    CALL_METHOD: 6,  # Method
    CALL_MODULE: 5,  # Class
    OUTPUT: 24,  # Event
}


def outline(uri: str, roots: Sequence[Symbol], wire: Wire, *, nested: bool) -> Iterator[str]:
    """Pieces of a list of `DocumentSymbol`, or of `SymbolInformation` where the client does not know nested ones."""
    ranges = Ranges(wire)
    yield "["
    if nested:
        yield from _nested(roots, ranges)
    else:
        yield from _flat(roots, "", json.dumps(uri), ranges)
    yield "]"


def _nested(symbols: Sequence[Symbol], ranges: Ranges) -> Iterator[str]:
    comma = ""
    for symbol in symbols:
        yield (
            f'{comma}{{"name":{_name(symbol)},"detail":{quoted(symbol.detail)},"kind":{KINDS[symbol.kind]},'
            f'"range":{ranges.of(symbol.span)},"selectionRange":{ranges.of(symbol.name_span)}'
        )
        if symbol.children:
            yield ',"children":['
            yield from _nested(symbol.children, ranges)
            yield "]"
        yield "}"
        comma = ","


def _flat(symbols: Sequence[Symbol], inside: str, uri: str, ranges: Ranges) -> Iterator[str]:
    comma = "," if inside else ""  # a container stands in front
    for symbol in symbols:
        name = _name(symbol)
        place = f'{{"uri":{uri},"range":{ranges.of(symbol.span)}}}'
        yield f'{comma}{{"name":{name},"kind":{KINDS[symbol.kind]},"location":{place}{inside}}}'
        yield from _flat(symbol.children, f',"containerName":{name}', uri, ranges)
        comma = ","


def _name(symbol: Symbol) -> str:
    return quoted(symbol.name if symbol.name.strip() else "?")  # editors refuse a symbol without a name


class Ranges:
    """Spans as JSON text. It remembers the last line: the record of a node and its name lie in the same one."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._plain = wire.encoding == "utf-32" or wire.lines.text.isascii()  # columns are characters
        self._line, self._start, self._end = 0, 0, -1  # of the last line, its line end left out

    def of(self, span: Span) -> str:
        """A `Range`."""
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
