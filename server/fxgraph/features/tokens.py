"""What each word of a dump is, for colours: names where they are defined and read, opcodes, targets, types, constants.

A graph of 100,000 nodes has a million such words. They are made as runs: the words of one record as text, each told by
its distance from the one before, so that a whole record moves by its offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.stretches import comments_between, graphs_between, nodes_between
from fxgraph.features.token_legend import COMMENT, MODIFIERS, TYPES, Piece
from fxgraph.features.token_lines import Liner, Run
from fxgraph.features.token_records import Painter
from fxgraph.graph import Graph, Span

#: So many records are done between two calls of `pause`.
_AT_ONCE = 1000


class Token(NamedTuple):
    """One word. `type` and `modifiers` are words of `token_legend`."""

    span: Span
    type: str
    modifiers: frozenset[str]


def tokens(snapshot: Snapshot, start: int = 0, end: int | None = None) -> list[Token]:
    """The words of [start, end) of the document, ascending; records at its edges are whole."""
    found = []
    for at, _, _, words in runs(snapshot, start, end):
        numbers = list(map(int, words.split(",")))
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
        if run[0] >= behind:
            yield run
            behind = run[2]


def _graph_runs(snapshot: Snapshot, graph: Graph, start: int, end: int, pause: Callable[[], None]) -> Iterator[Run]:
    facts = snapshot.facts[graph.index]
    pieces, liner = Painter(facts).pieces, Liner(facts)
    known, place = liner.run, _Placer(snapshot, graph)
    idle = place.is_idle
    comments = iter(comments_between(graph, start, end))
    comment = next(comments, None)
    for number, node in enumerate(nodes_between(graph, start, end)):
        if number % _AT_ONCE == 0:
            pause()
        if comment is not None:
            begin = node.begin
            while comment is not None and comment[0] < begin:
                yield from place.comment(*comment)
                comment = next(comments, None)
        told = None
        run = known(node)
        if run is None:
            told = sorted(pieces(node))
            run = known(node, told)
        placed = run if idle or run is None else place.moved(run)
        if placed is not None:
            yield placed
        else:
            yield from place(sorted(pieces(node)) if told is None else told)
    while comment is not None:
        yield from place.comment(*comment)
        comment = next(comments, None)


class _Placer:
    """Puts words, given by ascending page offsets, into the document."""

    def __init__(self, snapshot: Snapshot, graph: Graph) -> None:
        self._lines = snapshot.lines
        self._page = graph.page
        self._simple = "\r" not in graph.page.text  # ends a line of the document, and may stand inside a page's
        self.is_idle = self._simple and graph.page.is_document  # a run stays where it is

    def __call__(self, pieces: list[Piece]) -> list[Run]:
        """Runs of these words; one that overlaps an earlier one is left out."""
        if not pieces:
            return []
        first = at = behind = pieces[0][0]
        words: list[str] = []
        for start, length, kind, modifiers in pieces:
            if start >= behind:
                words.append(
                    f"{length},{kind},{modifiers}" if not words else f"0,{start - at},{length},{kind},{modifiers}"
                )
                at, behind = start, start + length
        if self._page.text.find("\n", first, behind) < 0:
            moved = self.moved((first, at, behind, ",".join(words)))
            if moved is not None:
                return [moved]
        return self._one_by_one(pieces)

    def comment(self, start: int, end: int) -> list[Run]:
        """Runs of a comment line."""
        if self.is_idle:
            return [(start, start, end, f"{end - start},{COMMENT},0")]
        return self([(start, end - start, COMMENT, 0)])

    def moved(self, run: Run) -> Run | None:
        """A run of the page's offsets as one of the document's.

        None where the document has something between the words that the page has not.
        """
        if not self._simple:
            return None
        if self._page.is_document:
            return run
        first, last, behind, words = run
        start, end = self._page.span(first, behind)
        return (start, start + last - first, end, words) if end - start == behind - first else None

    def _one_by_one(self, pieces: list[Piece]) -> list[Run]:
        found: list[Run] = []
        behind = 0
        for start, length, kind, modifiers in pieces:
            span = self._page.span(start, start + length)
            end = min(span.end, self._lines.line_end(self._lines.line_of(span.start)))
            if behind <= span.start < end:
                found.append((span.start, span.start, end, f"{end - span.start},{kind},{modifiers}"))
                behind = end
        return found
