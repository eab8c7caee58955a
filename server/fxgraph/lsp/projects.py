"""The pyproject.toml files above the documents: looked at anew for each judgement, as a handful of small files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from fxgraph.features.config import DEFAULTS, FILE, Choice, Projects, choice_in, combined
from fxgraph.features.config_edit import ignoring
from fxgraph.features.lines import LineIndex
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


class ProjectEdit(NamedTuple):
    """An insertion into a pyproject.toml. `name` is its path below the workspace's folder."""

    uri: str
    name: str
    exists: bool
    lines: LineIndex
    offset: int
    inserted: str


def project_edit(path: str | None, folders: Sequence[str], code: str) -> ProjectEdit | None:
    """How the project of a document leaves a rule out: in the pyproject.toml that speaks of fxgraph, else in the
    nearest, else in a new one. None outside of the workspace's folders, and where the file cannot be edited safely.
    """
    inside = [folder for folder in folders if path is not None and PurePath(path).is_relative_to(folder)]
    if path is None or not inside or _SHARE.match(path):
        return None
    top = Path(max(inside, key=len))
    above = [folder for folder in PurePath(path).parents if folder.is_relative_to(top)]
    texts = {folder / FILE: text for folder in above if (text := read_settings(folder / FILE)) is not None}
    spoken_of = [file for file, text in texts.items() if choice_in(text, lambda _: None) is not None]
    file = next(iter([*spoken_of, *texts]), top / FILE)
    text = texts.get(file, "")
    insertion = ignoring(text, code)
    if insertion is None or (file not in texts and Path(file).exists()):
        return None
    name = PurePath(file).relative_to(top).as_posix()
    return ProjectEdit(Path(file).as_uri(), name, file in texts, LineIndex(text), *insertion)
