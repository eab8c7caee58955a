"""What each word of a dump is, for colours: names where they are defined and read, opcodes, targets, types, constants.

A graph of 100,000 nodes has a million such words. They are made as runs: the words of one record, each told by its
distance from the one before, so that a whole record moves by one number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.stretches import comments_between, graphs_between, nodes_between
from fxgraph.features.token_legend import COMMENT, MODIFIERS, TYPES
from fxgraph.features.token_lines import Liner
from fxgraph.features.token_records import Painter
from fxgraph.graph import Graph, Span

#: So many records are done between two calls of `pause`.
_AT_ONCE = 1000

#: The document offset of a first word; then for each word its length, type and modifiers, and behind it (but for the
#: last) a 0 for "the same line" and the distance to the start of the next word: what LSP wants behind two numbers.
#: All words of a run stand in one line.
Run = tuple[int, list[int]]


class Token(NamedTuple):
    """One word. `type` and `modifiers` are words of `token_legend`."""

    span: Span
    type: str
    modifiers: frozenset[str]


def tokens(snapshot: Snapshot, start: int = 0, end: int | None = None) -> list[Token]:
    """The words of [start, end) of the document, ascending; records at its edges are whole."""
    found = []
    for offset, numbers in runs(snapshot, start, end):
        at = offset
        for place in range(0, len(numbers), 5):
            length, kind, bits = numbers[place : place + 3]
            modifiers = frozenset(name for bit, name in enumerate(MODIFIERS) if bits >> bit & 1)
            found.append(Token(Span(at, at + length), TYPES[kind], modifiers))
            at += numbers[place + 4] if place + 4 < len(numbers) else 0
    return found


def runs(
    snapshot: Snapshot, start: int = 0, end: int | None = None, pause: Callable[[], None] = lambda: None
) -> Iterator[Run]:
    """The words of [start, end) of the document as runs: ascending, never overlapping, each inside its line.

    `pause` is called now and then meanwhile; what it raises ends the work.
    """
    end = len(snapshot.text) if end is None else end
    graphs = list(graphs_between(snapshot, start, end))
    spans = [graph.span() for graph in graphs]
    if all(spans[place].end <= spans[place + 1].start for place in range(len(spans) - 1)):
        found: Iterator[Run] = (run for graph in graphs for run in _graph_runs(snapshot, graph, start, end, pause))
    else:  # the graphs of several ranks stand in one another
        found = iter(sorted(run for graph in graphs for run in _graph_runs(snapshot, graph, start, end, pause)))
    behind = 0
    for run in found:
        offset, numbers = run
        if offset >= behind:
            yield run
            behind = offset + sum(numbers[4::5]) + numbers[-3]


def _graph_runs(snapshot: Snapshot, graph: Graph, start: int, end: int, pause: Callable[[], None]) -> Iterator[Run]:
    facts = snapshot.facts[graph.index]
    painter, line = Painter(facts), Liner(facts).run
    place = _Placer(snapshot, graph)
    comments = iter(comments_between(graph, start, end))
    comment = next(comments, None)
    for number, node in enumerate(nodes_between(graph, start, end)):
        if number % _AT_ONCE == 0:
            pause()
        begin = node.begin
        while comment is not None and comment[0] < begin:
            yield from place([(comment[0], comment[1] - comment[0], COMMENT, 0)], *comment)
            comment = next(comments, None)
        run = line(node) if line is not None else None
        moved = place.moved(run, begin, node.end) if run is not None else None
        if moved is not None:
            yield moved
        else:
            yield from place(painter.pieces(node), begin, node.end)
    while comment is not None:
        yield from place([(comment[0], comment[1] - comment[0], COMMENT, 0)], *comment)
        comment = next(comments, None)


class _Placer:
    """Puts words, given by page offsets in any order, into the document."""

    def __init__(self, snapshot: Snapshot, graph: Graph) -> None:
        self._lines = snapshot.lines
        self._page = graph.page
        self._simple = "\r" not in graph.page.text  # ends a line of the document, and may stand inside a page's

    def __call__(self, pieces: list[tuple[int, int, int, int]], begin: int, end: int) -> list[Run]:
        """Runs of the words of a record or comment [begin, end); one that overlaps an earlier one is left out."""
        if not pieces:
            return []
        pieces.sort()
        first = pieces[0][0]
        if self._page.text.find("\n", first, end) < 0:
            numbers: list[int] = []
            at = behind = first
            for start, length, kind, modifiers in pieces:
                if start >= behind:
                    numbers += (0, start - at, length, kind, modifiers)
                    at, behind = start, start + length
            moved = self.moved((first, numbers[2:]), begin, end)
            if moved is not None:
                return [moved]
        return self._one_by_one(pieces)

    def moved(self, run: Run, begin: int, end: int) -> Run | None:
        """A run of the page's offsets, in the record [begin, end), as one of the document's.

        None where the document has something between the words that the page has not.
        """
        if not self._simple:
            return None
        if self._page.is_document:
            return run
        span = self._page.span(begin, end)
        return (span.start + run[0] - begin, run[1]) if span.end - span.start == end - begin else None

    def _one_by_one(self, pieces: list[tuple[int, int, int, int]]) -> list[Run]:
        found: list[Run] = []
        behind = 0
        for start, length, kind, modifiers in pieces:
            span = self._page.span(start, start + length)
            end = min(span.end, self._lines.line_end(self._lines.line_of(span.start)))
            if behind <= span.start < end:
                found.append((span.start, [end - span.start, kind, modifiers]))
                behind = end
        return found
