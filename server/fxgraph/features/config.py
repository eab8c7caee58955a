"""Which rules are asked and how severe they are: the table `[tool.fxgraph]` of a pyproject.toml, and what overrides it.

    [tool.fxgraph]
    select = ["FX1", "FX2"]
    ignore = ["dead-node"]

    [tool.fxgraph.severities]
    FX104 = "error"

Nothing is opened here: who asks gives a function that reads a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import NamedTuple

from fxgraph.analysis import RULES, Finding, codes_of

Complain = Callable[[str], None]

FILE = "pyproject.toml"

#: From the worst to the mildest.
SEVERITIES = ("error", "warning", "information", "hint")

_KEYS = frozenset({"select", "ignore", "severities"})


class Choice(NamedTuple):
    """What somebody chose.

    select      codes of the rules to ask; None for those that are on by default
    ignore      codes to leave out
    severities  (code, severity) in place of the rules' own
    """

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    severities: tuple[tuple[str, str], ...] = ()


DEFAULTS = Choice()


class Projects:
    """The choices of the projects that files lie in, each pyproject.toml read once.

    `read` gives the text of a file, or None where there is none; `complain` gets a sentence for what is wrong in one.
    """

    def __init__(self, read: Callable[[PurePath], str | None], complain: Complain) -> None:
        self._read = read
        self._complain = complain
        self._known: dict[PurePath, Choice | None] = {}

    def choice_for(self, folder: PurePath) -> Choice:
        """What the nearest pyproject.toml with a table `[tool.fxgraph]` says, looked for from this folder upwards."""
        for here in (folder, *folder.parents):
            if here not in self._known:
                self._known[here] = self._choice_of(here / FILE)
            found = self._known[here]
            if found is not None:
                return found
        return DEFAULTS

    def _choice_of(self, path: PurePath) -> Choice | None:
        text = self._read(path)
        return None if text is None else choice_in(text, lambda words: self._complain(f"{path}: {words}"))


def choice_in(text: str, complain: Complain) -> Choice | None:
    """What the text of a pyproject.toml says; None without a table `[tool.fxgraph]`.

    `complain` gets a sentence for each thing that is wrong; the default holds in its place.
    """
    if "fxgraph" not in text:
        return None
    if sys.version_info >= (3, 11):
        import tomllib  # only here: few files need it
    else:
        import tomli as tomllib
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        complain(f"not TOML ({error}): the defaults hold")
        return None
    tool = table.get("tool")
    section = tool.get("fxgraph") if isinstance(tool, dict) else None
    if section is None:
        return None
    if not isinstance(section, dict):
        complain("tool.fxgraph must be a table: the defaults hold")
        return None
    for key in sorted(section.keys() - _KEYS):
        complain(f"tool.fxgraph.{key[:40]} is not known; known are {', '.join(sorted(_KEYS))}")
    select = codes_in(section.get("select"), "tool.fxgraph.select", complain)
    ignore = codes_in(section.get("ignore"), "tool.fxgraph.ignore", complain)
    return Choice(select or None, ignore or frozenset(), _severities(section.get("severities"), complain))


def codes_in(value: object, name: str, complain: Complain) -> frozenset[str] | None:
    """The rule codes in a list of codes, beginnings of codes and rule names; None where there is no such list.

    `name` is what the list is called in a complaint.
    """
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        complain(f"{name} must be a list of rule codes: the default holds")
        return None
    codes: set[str] = set()
    for word in value:
        if not (found := codes_of(word)):
            complain(f"{name}: no rule is called {word[:40]!r}")
        codes |= found
    return frozenset(codes)


def _severities(value: object, complain: Complain) -> tuple[tuple[str, str], ...]:
    if value is None:
        return ()
    if not isinstance(value, dict):
        complain("tool.fxgraph.severities must be a table: the defaults hold")
        return ()
    found: dict[str, str] = {}
    for word, severity in value.items():
        codes = codes_of(word)
        if not codes:
            complain(f"tool.fxgraph.severities: no rule is called {word[:40]!r}")
        elif not isinstance(severity, str) or severity not in SEVERITIES:
            complain(f"tool.fxgraph.severities.{word} must be one of {', '.join(SEVERITIES)}")
        else:
            found.update(dict.fromkeys(codes, severity))
    return tuple(sorted(found.items()))


def combined(project: Choice, select: frozenset[str] | None, ignore: frozenset[str] | None) -> Choice:
    """A project's choice and what a command line or an editor's settings say.

    Who selects names every rule to ask: what the project selects and ignores counts no more. Otherwise what is ignored
    adds up. Severities are the project's.
    """
    if select is not None:
        return Choice(select, ignore or frozenset(), project.severities)
    return Choice(project.select, project.ignore | (ignore or frozenset()), project.severities)


def with_severities(findings: Iterable[Finding], severities: tuple[tuple[str, str], ...]) -> list[Finding]:
    """The findings with these severities in place of their rules' own.

    What a rule tells more mildly than its own severity (the head of a graph of mixed levels) stays as mild, and never
    gets worse than what was chosen.
    """
    chosen = dict(severities)
    if not chosen:
        return list(findings)
    return [
        found if (severity := chosen.get(found.code)) is None else found._replace(severity=_milder(found, severity))
        for found in findings
    ]


def _milder(found: Finding, severity: str) -> str:
    if found.severity == RULES[found.code].severity:
        return severity
    return max(found.severity, severity, key=SEVERITIES.index)
