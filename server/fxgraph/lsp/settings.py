"""The user's settings: `fxgraph.*` as editors send them. A wrong one is told once and its default holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Settings(NamedTuple):
    """What a user can choose.

    select  rule codes to use, or None for those that are on by default (`fxgraph.rules.select`)
    ignore  rule codes to leave out (`fxgraph.rules.ignore`)
    """

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()


def settings_of(value: object, complain: Callable[[str], None]) -> Settings:
    """The settings in what a client sent: `{"rules": {"select": [...]}}`, also inside `{"fxgraph": ...}`.

    `complain` gets a sentence for each setting that has a wrong type; null and missing ones mean the default.
    """
    if isinstance(value, dict) and "fxgraph" in value:
        value = value["fxgraph"]
    rules = _section(_section(value, "fxgraph", complain).get("rules"), "fxgraph.rules", complain)
    select = _codes(rules.get("select"), "fxgraph.rules.select", complain)
    ignore = _codes(rules.get("ignore"), "fxgraph.rules.ignore", complain)
    return Settings(select or None, ignore or frozenset())


def _section(value: object, name: str, complain: Callable[[str], None]) -> dict[str, object]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    complain(f"{name} must be an object, not {type(value).__name__}: the defaults hold")
    return {}


def _codes(value: object, name: str, complain: Callable[[str], None]) -> frozenset[str] | None:
    """The rule codes in a list of codes, beginnings of codes and rule names, as on the command line."""
    from fxgraph.analysis import codes_of  # loads the readers: settings are read once `initialize` is answered

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
