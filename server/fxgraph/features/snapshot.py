"""One version of one document and what is known of it, each part worked out when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cached_property

from fxgraph.analysis import Facts, Finding, check, facts_of
from fxgraph.features.lines import LineIndex
from fxgraph.graph import Dump
from fxgraph.reading import read


class Snapshot:
    """A text that never changes, with its lines, graphs, facts and findings.

    text     the document, line ends included
    path     its file name where known: evidence for level and stage, never opened
    version  the editor's number of this version
    lines    its line index; give one that `LineIndex.edited` made, else it is built when first asked for
    """

    def __init__(self, text: str, path: str | None = None, version: int = 0, lines: LineIndex | None = None) -> None:
        self.text = text
        self.path = path
        self.version = version
        self._findings: dict[tuple[object, object], list[Finding]] = {}
        if lines is not None:
            self.__dict__["lines"] = lines

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to lines and columns, and back."""
        return LineIndex(self.text)

    @cached_property
    def dump(self) -> Dump:
        """The graphs of the text."""
        return read(self.text, self.path)

    @cached_property
    def facts(self) -> list[Facts]:
        """What is known of each graph, by `Graph.index`; each fact is worked out when first asked for."""
        return facts_of(self.dump)

    def findings(
        self,
        select: Collection[str] | None = None,
        ignore: Collection[str] | None = None,
        pause: Callable[[], None] = lambda: None,
    ) -> list[Finding]:
        """What the rules find. `select` and `ignore` are rule codes; None leaves the rules' own defaults.

        `pause` is called now and then meanwhile; what it raises ends the work.
        """
        key = (None if select is None else frozenset(select), None if ignore is None else frozenset(ignore))
        found = self._findings.get(key)
        if found is None:
            found = self._findings[key] = check(self.dump, self.facts, select, ignore, pause)
        return found

    def edited(self, text: str, start: int, end: int, inserted: int, version: int) -> Snapshot:
        """The next version: `text` is this text with `inserted` characters in place of `start`..`end`."""
        return Snapshot(text, self.path, version, self.lines.edited(text, start, end, inserted))
