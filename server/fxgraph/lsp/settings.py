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
    from fxgraph.features.config import codes_in  # loads the readers: settings are read once `initialize` is answered

    if isinstance(value, dict) and "fxgraph" in value:
        value = value["fxgraph"]
    rules = _section(_section(value, "fxgraph", complain).get("rules"), "fxgraph.rules", complain)
    select = codes_in(rules.get("select"), "fxgraph.rules.select", complain)
    ignore = codes_in(rules.get("ignore"), "fxgraph.rules.ignore", complain)
    return Settings(select or None, ignore or frozenset())


def _section(value: object, name: str, complain: Callable[[str], None]) -> dict[str, object]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    complain(f"{name} must be an object, not {type(value).__name__}: the defaults hold")
    return {}
