"""One version of one document and what is known of it, each part worked out when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from fxgraph.analysis import Facts, Finding, check, facts_of
from fxgraph.features.config import DEFAULTS, Choice, with_severities
from fxgraph.features.lines import LineIndex
from fxgraph.features.silence import without_silenced
from fxgraph.graph import Dump, Graph
from fxgraph.reading import Edit, followed_by, read


class _Older(NamedTuple):
    """A dump, what is known of its graphs, and the edits, ascending and apart, that make another text of its text."""

    dump: Dump
    facts: list[Facts]
    edits: list[Edit]


class Snapshot:
    """A text that never changes, with its lines, graphs, facts and findings.

    text     the document, line ends included
    path     its file name where known: evidence for level and stage, never opened
    version  the editor's number of this version
    lines    its line index; give one that `LineIndex.edited` made, else it is built when first asked for

    known_types, source_types
             types that somebody has worked out since, by torch and by running the source: each gives those of a
             graph's nodes, by `Node.index`, as a dump would print them, and in words where they come from; None as long
             as there are none
    """

    known_types: Callable[[Graph], tuple[Mapping[int, str], str]] | None = None
    source_types: Callable[[Graph], tuple[Mapping[int, str], str]] | None = None

    def __init__(self, text: str, path: str | None = None, version: int = 0, lines: LineIndex | None = None) -> None:
        self.text = text
        self.path = path
        self.version = version
        self._dump: Dump | None = None
        self._older: _Older | None = None
        #: Where the graphs of an older version have the same names and reads: its facts, and which graphs these are.
        self._same_names: tuple[list[Facts], frozenset[int]] | None = None
        self._findings: dict[tuple[Choice, int | None], list[Finding]] = {}
        if lines is not None:
            self.__dict__["lines"] = lines

    def worked_out(self, graph: Graph) -> list[tuple[Mapping[int, str], str]]:
        """The types that somebody has worked out, those that count more in front."""
        return [types(graph) for types in (self.known_types, self.source_types) if types is not None]

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to lines and columns, and back."""
        return LineIndex(self.text)

    @property
    def dump(self) -> Dump:
        """The graphs of the text. After an edit only the lines around it are read, where that is enough."""
        if self._dump is None and not self.read_changes():
            self._dump = read(self.text, self.path)
            self._older = None
        return self._dump  # type: ignore[return-value]

    @property
    def is_read(self) -> bool:
        """Whether the graphs are known."""
        return self._dump is not None

    def read_changes(self) -> bool:
        """Read only the lines that edits changed. Whether the graphs are known now; this never takes long."""
        older = self._older
        if self._dump is None and older is not None:
            from fxgraph.reading.reread import reread  # not before the first edit

            again = reread(older.dump, self.text, older.edits)
            if again is not None:
                self._same_names = (older.facts, again.same)
                self._dump = again.dump
                self._older = None  # lets it go; not before: an edit may come meanwhile, on another thread
        return self._dump is not None

    @cached_property
    def facts(self) -> list[Facts]:
        """What is known of each graph, by `Graph.index`; each fact is worked out when first asked for."""
        found = facts_of(self.dump)
        if self._same_names is not None:
            facts, same = self._same_names
            for index in same:
                found[index].take_names(facts[index])
            self._same_names = None
        return found

    def findings(
        self, choice: Choice = DEFAULTS, pause: Callable[[], None] = lambda: None, at_most: int | None = None
    ) -> list[Finding]:
        """What the rules find, but for what comments in the text silence.

        `pause` is called now and then meanwhile; what it raises ends the work. `at_most` bounds the findings of one
        rule in one graph.
        """
        found = self._findings.get((choice, at_most))
        if found is None:
            checked = check(self.dump, self.facts, choice.select, choice.ignore, pause, at_most)
            # lines are counted only where something was found: a big text is judged sooner
            left = without_silenced(self.lines, checked) if checked else []
            found = with_severities(left, choice.severities)
            self._findings[choice, at_most] = found
        return found

    def edited(self, text: str, edits: Sequence[Edit], version: int) -> Snapshot:
        """The next version: `text` is this text with these edits, ascending and apart."""
        after = Snapshot(text, self.path, version, self.lines.edited(text, edits))
        older, dump = self._older, self._dump  # in this order: the reader sets the dump first
        if dump is not None:
            after._older = _Older(dump, self.facts, list(edits))
        elif older is not None:  # this version was never read: the older one serves
            combined = older.edits
            for edit in reversed(edits):  # the last one first: those in front stay where they are
                combined = followed_by(combined, edit)
            after._older = older._replace(edits=combined)
        return after

    def replaced(self, text: str, version: int) -> Snapshot:
        """The next version where only the whole new text is known: the edit is what differs."""
        return self.edited(text, [_difference(self.text, text)], version)


#: Characters that are compared at once.
_STEP = 1 << 16


def _difference(old: str, new: str) -> Edit:
    """The smallest edit that makes `new` of `old`."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start : start + _STEP] == new[start : start + _STEP]:
        start = min(start + _STEP, shorter)
    while start < shorter and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < shorter - start and old[len(old) - tail - 1] == new[len(new) - tail - 1]:
        step = min(_STEP, shorter - start - tail)
        same = old[len(old) - tail - step : len(old) - tail] == new[len(new) - tail - step : len(new) - tail]
        tail += step if same else 1
    return Edit(start, len(old) - tail, len(new) - tail - start)
