"""A text while it is written: its lines, and which line of the document each of them speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fxgraph.features.lines import LineIndex
from fxgraph.graph import Graph, Node

#: Called now and then meanwhile; what it raises ends the work.
Pause = Callable[[], None]


def nothing() -> None:
    """No pause."""


class Written:
    """A view of a graph.

    text     the view, each line ended by a line end
    sources  by line of the view: the line of the document, from 0, that it shows, or None
    places   by `Node.index`: line and column (in characters, from 0) of the bare name in the view
    """

    def __init__(self, lines: LineIndex, graph: Graph, pause: Pause = nothing) -> None:
        self.sources: list[int | None] = []
        self.places: dict[int, tuple[int, int]] = {}
        self._lines = lines
        self._pause = pause
        self._page = graph.page
        self._written: list[str] = []

    @property
    def text(self) -> str:
        """All lines so far."""
        return "".join([line + "\n" for line in self._written])

    def add(self, text: str, offset: int | None = None) -> None:
        """Write lines that show what stands at a page offset and below it."""
        source = None if offset is None else self._lines.line_of(self._page.to_document(offset))
        for place, line in enumerate(text.split("\n")):
            self._written.append(line)
            self.sources.append(None if source is None else source + place)

    def add_node(self, node: Node, text: str, at: int) -> None:
        """Write the lines of a node; its name stands at `at` in them."""
        if len(self._written) % 1000 == 0:
            self._pause()
        line = text.count("\n", 0, at)
        self.places[node.index] = (len(self._written) + line, at - text.rfind("\n", 0, at) - 1)
        self.add(text, node.start)

    def place_inputs(self, nodes: Iterable[Node], text: str) -> None:
        """Note where the names of inputs stand in the line that comes next, in their order."""
        at = 0
        for node in nodes:
            at = text.index(node.name, at)
            self.places[node.index] = (len(self._written), at)
            at += len(node.name)
