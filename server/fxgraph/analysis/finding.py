"""What a rule reports, and what a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from fxgraph.analysis.facts import Facts
from fxgraph.graph import Span

ERROR = "error"
WARNING = "warning"
INFORMATION = "information"
HINT = "hint"

#: The tag of what an editor fades.
UNNECESSARY = frozenset({"unnecessary"})


class Finding(NamedTuple):
    """One thing that is wrong, or worth knowing, at one place of the document.

    code      `FX104`
    severity  `error`, `warning`, `information` or `hint`
    graph     index of the graph in its dump
    span      where; it begins at the bare name of the node that is meant, where one is
    name      the name of that node (or the name read), else None
    message   one sentence of plain text, names in backticks
    related   other places, each with a few words
    tags      `unnecessary`, or none
    """

    code: str
    severity: str
    graph: int
    span: Span
    name: str | None
    message: str
    related: tuple[tuple[Span, str], ...] = ()
    tags: frozenset[str] = frozenset()


class Report(NamedTuple):
    """A finding as its rule makes it: `severity` None is the rule's own, `name` is None where no node is meant."""

    span: Span
    name: str | None
    message: str
    related: tuple[tuple[Span, str], ...] = ()
    severity: str | None = None


class Rule(NamedTuple):
    """A rule: its docstring is its section in docs/rules.md.

    find        gives the reports of one graph
    default_on  whether it is on when nobody says so
    whole_only  it says what is missing, so it is asked about whole graphs only
    """

    code: str
    name: str
    severity: str
    default_on: bool
    whole_only: bool
    tags: frozenset[str]
    find: Callable[[Facts], Iterable[Report]]

    @property
    def doc(self) -> str:
        """What it finds, why, an example, how to silence it: Markdown, as written in the rule's docstring."""
        return self.find.__doc__ or ""
