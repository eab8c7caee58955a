"""The user's settings: `fxgraph.*` as editors send them. A wrong one is told once and its default holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

#: Inlay hints by their settings, and whether each is on by default.
HINTS = {"types": True, "inputs": True, "lastUses": False, "argumentNames": False}


class Settings(NamedTuple):
    """What a user can choose.

    select  rule codes to use, or None for those that are on by default (`fxgraph.rules.select`)
    ignore  rule codes to leave out (`fxgraph.rules.ignore`)
    hints   inlay hints to show, of `HINTS` (`fxgraph.inlayHints.types` and so on)
    torch   whether torch may be asked: None where the client trusts the workspace (`fxgraph.torch.enabled`, "auto")
    python  the Python that has the torch to ask (`fxgraph.torch.interpreter`); None for the first one found
    imports packages that register operators, for the process with torch to import (`fxgraph.torch.imports`)
    folder_symbols  whether symbols of the workspace are those of its folders' dumps, too (`fxgraph.symbols.folders`)
    """

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    hints: frozenset[str] = frozenset({"types", "inputs"})
    torch: bool | None = None
    python: str | None = None
    imports: tuple[str, ...] = ()
    folder_symbols: bool = False


def settings_of(value: object, complain: Callable[[str], None]) -> Settings:
    """The settings in what a client sent: `{"rules": {"select": [...]}}`, also inside `{"fxgraph": ...}`.

    `complain` gets a sentence for each setting that has a wrong type; null and missing ones mean the default.
    """
    from fxgraph.features.config import codes_in  # loads the readers: settings are read once `initialize` is answered

    if isinstance(value, dict) and "fxgraph" in value:
        value = value["fxgraph"]
    value = _section(value, "fxgraph", complain)
    rules = _section(value.get("rules"), "fxgraph.rules", complain)
    select = codes_in(rules.get("select"), "fxgraph.rules.select", complain)
    ignore = codes_in(rules.get("ignore"), "fxgraph.rules.ignore", complain)
    hints = _section(value.get("inlayHints"), "fxgraph.inlayHints", complain)
    shown = {
        name
        for name, default in HINTS.items()
        if _switch(hints.get(name), default, f"fxgraph.inlayHints.{name}", complain)
    }
    symbols = _section(value.get("symbols"), "fxgraph.symbols", complain)
    torch = _section(value.get("torch"), "fxgraph.torch", complain)
    enabled, python = torch.get("enabled"), torch.get("interpreter")
    if enabled not in (None, "auto") and not isinstance(enabled, bool):
        complain('fxgraph.torch.enabled must be true, false or "auto": nothing asks torch')
        enabled = False
    if python is not None and not isinstance(python, str):
        complain("fxgraph.torch.interpreter must be a path: nothing asks torch")
        enabled = False
    named = os.path.expanduser(python.strip()) if isinstance(python, str) else ""  # noqa: PTH111 - a Path may raise
    return Settings(
        select or None,
        ignore or frozenset(),
        frozenset(shown),
        enabled if isinstance(enabled, bool) else None,
        named or None,
        _packages(torch.get("imports"), complain),
        _switch(symbols.get("folders"), False, "fxgraph.symbols.folders", complain),
    )


def _packages(value: object, complain: Callable[[str], None]) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [] if value is None else [None]
    if any(not isinstance(name, str) or not all(map(str.isidentifier, name.split("."))) for name in names):
        complain("fxgraph.torch.imports must be a list of names of packages: none is imported")
        return ()
    return tuple(dict.fromkeys(map(str, names)))


def _section(value: object, name: str, complain: Callable[[str], None]) -> dict[str, object]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    complain(f"{name} must be an object, not {type(value).__name__}: the defaults hold")
    return {}


def _switch(value: object, default: bool, name: str, complain: Callable[[str], None]) -> bool:
    if value is None or isinstance(value, bool):
        return default if value is None else value
    complain(f"{name} must be true or false: the default holds")
    return default
