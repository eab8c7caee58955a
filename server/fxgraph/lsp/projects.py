"""The pyproject.toml files above the documents: looked at anew for each judgement, as a handful of small files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePath

from fxgraph.features.config import DEFAULTS, Choice, Projects, combined
from fxgraph.lsp.settings import Settings

#: A larger file is nobody's settings.
_LARGEST = 1 << 20
_SHARE = re.compile(r"[\\/]{2}")


def choice_for(path: str | None, settings: Settings, complain: Callable[[str], None]) -> Choice:
    """The rules for a document: its project's choice and the user's settings. `path` is None for what is no file."""
    project = DEFAULTS
    if path is not None and not _SHARE.match(path) and Path(path).is_absolute():
        project = Projects(read_settings, complain).choice_for(PurePath(path).parent)
    return combined(project, settings.select, settings.ignore)


def read_settings(path: PurePath) -> str | None:
    """The text of a file of settings; None where there is none that can be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        return None
    return data.decode("utf-8", "replace") if len(data) <= _LARGEST else None
