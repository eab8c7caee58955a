"""Which Python may have the user's torch: the places to look at, in order, each with the reason why."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple


class Choice(NamedTuple):
    """An interpreter to try.

    path    the executable
    reason  where it comes from, for the log
    only    the user named it: if it does not work, no other is tried
    """

    path: str
    reason: str
    only: bool = False


def choices(
    *,
    named: str | None = None,
    selected: str | None = None,
    environ: Mapping[str, str] | None = None,
    folder: str | None = None,
    log: Callable[[str], None] | None = None,
) -> list[Choice]:
    """The interpreters to try, in order.

    named     the user's setting or option; nothing else is tried then
    selected  the environment that is selected in the editor, of a trusted workspace
    folder    the workspace, only if it is trusted: its `.venv` is looked at
    log       takes one line for each place

    Only looks whether files exist; runs nothing.
    """
    environ = os.environ if environ is None else environ
    log = log or _silent
    if named:
        executable = _executable(named)
        log(f"torch: interpreter {executable}, because it was named")
        return [Choice(executable, "the interpreter that was named", only=True)]
    places: list[tuple[str | None, str]] = [
        (selected, "the Python environment selected in the editor"),
        (_of_environment(environ.get("VIRTUAL_ENV")), "VIRTUAL_ENV"),
        (_of_environment(environ.get("CONDA_PREFIX")), "CONDA_PREFIX"),
        (_of_environment(str(Path(folder, ".venv")) if folder else None), "the .venv of the workspace"),
        (sys.executable or None, "the interpreter that runs fxgraph"),
        (shutil.which("python3") or shutil.which("python"), "python3 on PATH"),
    ]
    found: list[Choice] = []
    for path, reason in places:
        if path is None:
            log(f"torch: {reason}: none")
        elif any(path == other.path for other in found):
            log(f"torch: {reason}: {path}, which is in the list already")
        elif not Path(path).is_file():
            log(f"torch: {reason}: {path} does not exist")
        else:
            log(f"torch: {reason}: {path}")
            found.append(Choice(path, reason))
    return found


def _silent(_: str) -> None:
    pass


def _executable(named: str) -> str:
    """A path stays as it is, but for the folder of an environment; a bare name is looked up on PATH."""
    if Path(named).is_dir():
        return _of_environment(named) or named
    if "/" not in named and os.sep not in named:
        return shutil.which(named) or named
    return named


def _of_environment(prefix: str | None) -> str | None:
    """The executable of a virtual or conda environment; None where no folder is given."""
    if not prefix:
        return None
    places = ("Scripts/python.exe", "python.exe") if os.name == "nt" else ("bin/python", "bin/python3")
    paths = [Path(prefix, place) for place in places]
    return str(next((path for path in paths if path.is_file()), paths[0]))
