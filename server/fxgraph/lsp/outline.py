"""The outline as JSON text. A graph has up to 100,000 nodes: dictionaries of dictionaries would take a second."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from json.encoder import encode_basestring_ascii as quoted

from fxgraph.features.symbols import Inside, Nodes, Symbol, node_detail
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

#: So many different targets with types are remembered.
_MOST = 10_000
#: So many pieces are put together.
_AT_ONCE = 1_000


def outline(uri: str, roots: Sequence[Symbol], wire: Wire, *, nested: bool) -> list[str]:
    """Pieces of a list of `DocumentSymbol`, or of `SymbolInformation` where the client does not know nested ones."""
    ranges = Ranges(wire)
    if nested:
        writer = _Nested(ranges)
        writer.write(roots)
        return ["[", *writer.pieces(), "]"]
    return ["[", *_flat(roots, "", json.dumps(uri), ranges), "]"]


class _Nested:
    """Writes `DocumentSymbol`s. What nodes with the same target and type have in common is made once."""

    def __init__(self, ranges: Ranges) -> None:
        self._ranges = ranges
        self._middles: dict[tuple[str, str, str | None], str] = {}
        self._done: list[str] = []
        self._latest: list[str] = []

    def pieces(self) -> list[str]:
        """What was written, in few pieces."""
        return self._done + self._latest

    def write(self, symbols: Sequence[Symbol]) -> None:
        """Writes the elements of a list."""
        if len(self._latest) > _AT_ONCE:
            self._done.append("".join(self._latest))
            self._latest.clear()
        add, ranges = self._latest.append, self._ranges
        comma = ""
        for piece in symbols.pieces() if isinstance(symbols, Inside) else symbols:
            if not isinstance(piece, Symbol):
                add(comma + ",".join(self._nodes(piece)))
            else:
                add(
                    f'{comma}{{"name":{_name(piece.name)},"detail":{quoted(piece.detail)},"kind":{KINDS[piece.kind]},'
                    f'"range":{ranges.of(piece.span)},"selectionRange":{ranges.of(piece.name_span)}'
                )
                if piece.children:
                    add(',"children":[')
                    self.write(piece.children)
                    add("]")
                add("}")
            comma = ","

    def _nodes(self, nodes: Nodes) -> list[str]:
        middles, page, two = self._middles, nodes.graph.page, self._ranges.two
        is_document = page.is_document
        found = []
        for node in nodes.nodes:
            name, start = node.name, node.start
            key = (node.opcode, node.target, node.type)
            middle = middles.get(key)
            if middle is None:
                if len(middles) >= _MOST:
                    middles.clear()
                middle = f',"detail":{quoted(node_detail(node))},"kind":{KINDS[node.opcode]},"range":'
                middles[key] = middle
            if is_document:
                places = two(node.begin, node.end, start, start + len(name))
            else:
                places = two(*page.span(node.begin, node.end), *page.span(start, start + len(name)))
            found.append(f'{{"name":{_name(name)}{middle}{places}}}')
        return found


def _flat(symbols: Sequence[Symbol], inside: str, uri: str, ranges: Ranges) -> Iterator[str]:
    comma = "," if inside else ""  # a container stands in front
    for symbol in symbols:
        name = _name(symbol.name)
        place = f'{{"uri":{uri},"range":{ranges.of(symbol.span)}}}'
        yield f'{comma}{{"name":{name},"kind":{KINDS[symbol.kind]},"location":{place}{inside}}}'
        yield from _flat(symbol.children, f',"containerName":{name}', uri, ranges)
        comma = ","


def _name(name: str) -> str:
    return quoted(name if name.strip() else "?")  # editors refuse a symbol without a name


class Ranges:
    """Spans as JSON text. It remembers the last line: the record of a node and its name lie in the same one."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._starts, self._length = wire.lines.starts, len(wire.lines.text)
        self._plain = wire.encoding == "utf-32" or wire.lines.text.isascii()  # columns are characters
        self._line, self._start, self._end = -1, 0, -1  # of the last line, with its line end

    def of(self, span: Span) -> str:
        """A `Range`."""
        begin, end = span
        if self._is_in_line(begin, end):
            line, start = self._line, self._start
            return (
                f'{{"start":{{"line":{line},"character":{begin - start}}},'
                f'"end":{{"line":{line},"character":{end - start}}}}}'
            )
        if self._plain and end <= self._length:
            start, last = self._start, bisect_right(self._starts, end, self._line) - 1
            return (
                f'{{"start":{{"line":{self._line},"character":{begin - start}}},'
                f'"end":{{"line":{last},"character":{end - self._starts[last]}}}}}'
            )
        position, encoding = self._wire.lines.position, self._wire.encoding
        line, column = position(begin, encoding)
        last, end_column = position(end, encoding)
        return f'{{"start":{{"line":{line},"character":{column}}},"end":{{"line":{last},"character":{end_column}}}}}'

    def two(self, begin: int, end: int, name: int, name_end: int) -> str:
        """The `Range` of a record, and behind it `selectionRange` with that of its name."""
        if not (self._start <= begin <= end <= self._end or self._is_in_line(begin, end)):
            return f'{self.of(Span(begin, end))},"selectionRange":{self.of(Span(name, name_end))}'
        line, start = f'{{"line":{self._line},"character":', self._start
        return (
            f'{{"start":{line}{begin - start}}},"end":{line}{end - start}}}}},'
            f'"selectionRange":{{"start":{line}{name - start}}},"end":{line}{name_end - start}}}}}'
        )

    def _is_in_line(self, begin: int, end: int) -> bool:
        """Whether all of a stretch lies in one line, which is the last line then, and columns are characters."""
        if not self._plain:
            return False
        if not self._start <= begin <= self._end:
            starts, line = self._starts, self._line + 1
            if line + 1 >= len(starts) or not starts[line] <= begin < starts[line + 1]:  # not the next line either
                line = self._wire.lines.line_of(begin)
            self._line, self._start = line, starts[line]
            self._end = starts[line + 1] - 1 if line + 1 < len(starts) else self._length
        return end <= self._end
