"""One version of one document and what is known of it, each part worked out when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

from fxgraph.analysis import Facts, Finding, check, facts_of
from fxgraph.features.config import DEFAULTS, Choice, with_severities
from fxgraph.features.lines import LineIndex
from fxgraph.features.silence import without_silenced
from fxgraph.graph import Dump, Graph
from fxgraph.reading import read, reread


class _Edit(NamedTuple):
    """How a text came out of one that was read: `inserted` characters stand in place of [start, end) of it."""

    dump: Dump
    start: int
    end: int
    inserted: int

    def followed_by(self, start: int, end: int, inserted: int) -> _Edit:
        """Both as one edit of the stretch that covers them; the second is one of the text that the first left."""
        behind = self.start + self.inserted  # of this edit, in the text that it left
        stop = max(end, behind)
        first = min(self.start, start)
        return _Edit(self.dump, first, self.end + stop - behind, stop - first + inserted - (end - start))


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
        self._edit: _Edit | None = None
        self._findings: dict[tuple[Choice, int | None], list[Finding]] = {}
        if lines is not None:
            self.__dict__["lines"] = lines

    def worked_out(self, graph: Graph) -> list[tuple[Mapping[int, str], str]]:
        """The types that somebody has worked out, those that count more in front."""
        return [types(graph) for types in (self.source_types, self.known_types) if types is not None]

    @cached_property
    def lines(self) -> LineIndex:
        """Offsets to lines and columns, and back."""
        return LineIndex(self.text)

    @property
    def dump(self) -> Dump:
        """The graphs of the text. After an edit only the lines around it are read, where that is enough."""
        if self._dump is None:
            edit = self._edit
            dump = reread(edit.dump, self.text, edit.start, edit.end, edit.inserted) if edit else None
            self._dump = dump or read(self.text, self.path)
            self._edit = None  # lets the older dump go; not before: an edit may come meanwhile, on another thread
        return self._dump

    @cached_property
    def facts(self) -> list[Facts]:
        """What is known of each graph, by `Graph.index`; each fact is worked out when first asked for."""
        return facts_of(self.dump)

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
            found = with_severities(without_silenced(self.lines, checked), choice.severities)
            self._findings[choice, at_most] = found
        return found

    def edited(self, text: str, start: int, end: int, inserted: int, version: int) -> Snapshot:
        """The next version: `text` is this text with `inserted` characters in place of `start`..`end`."""
        after = Snapshot(text, self.path, version, self.lines.edited(text, start, end, inserted))
        before, dump = self._edit, self._dump  # in this order: the reader sets the dump first
        if dump is not None:
            after._edit = _Edit(dump, start, end, inserted)
        elif before is not None:  # this version was never read: the older dump serves
            after._edit = before.followed_by(start, end, inserted)
        return after

    def replaced(self, text: str, version: int) -> Snapshot:
        """The next version where only the whole new text is known: the edit is what differs."""
        start, end, inserted = _difference(self.text, text)
        return self.edited(text, start, end, inserted, version)


#: Characters that are compared at once.
_STEP = 1 << 16


def _difference(old: str, new: str) -> tuple[int, int, int]:
    """The smallest stretch [start, end) of `old` that `inserted` characters of `new` replace."""
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
    return start, len(old) - tail, len(new) - tail - start
