"""What a run of a user's script needs so that its graphs are seen: environment, interpreter, and the journal it writes.

Inside the script's process `host/site/sitecustomize.py` reads the job and gives the environment back as it was.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fxgraph.torchhost.interpreters import Choice

_SITE = Path(__file__).with_name("host") / "site"
_HAS_TORCH = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"


class ScriptError(Exception):
    """A script that cannot be run; the message is one line for the user."""


def watched_environment(mode: str, folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a script that is watched; `mode` is `capture` or `rerun`, the journal goes into `folder`."""
    own = environ.get("PYTHONPATH")
    job = {"mode": mode, "folder": str(folder), "pythonpath": own}
    path = str(_SITE) if not own else f"{_SITE}{os.pathsep}{own}"
    return {**environ, "PYTHONPATH": path, "FXGRAPH_JOB": json.dumps(job)}


def python_with_torch(found: Sequence[Choice]) -> str:
    """The first interpreter that has a torch, which is not imported; one that the user named is taken as it is.

    Raises ScriptError.
    """
    for choice in found:
        if choice.only or _has_torch(choice.path):
            return choice.path
    places = ", ".join(choice.path for choice in found)
    raise ScriptError(f"no Python with torch was found (looked at {places or 'none'}); name one with --python")


def _has_torch(python: str) -> bool:
    # With -c Python looks into the current folder first (-P, which forbids that, came with 3.11): give it an empty one.
    command = [python, "-c", _HAS_TORCH]
    try:
        with tempfile.TemporaryDirectory(prefix="fxgraph-") as empty:
            done = subprocess.run(  # noqa: S603  an interpreter of the user's environment
                command, cwd=empty, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
            )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def journals(folder: Path) -> list[list[dict[str, Any]]]:
    """The entries of each process: the script's own, those that it spawned in that order, and forked ones behind the
    process that they come from, in the order in which they began to write. The first entry tells the process, `pid`.
    """
    found = [_entries(path) for path in folder.glob("*.jsonl")]
    return sorted((entries for entries in found if entries), key=_place)


def _place(entries: list[dict[str, Any]]) -> tuple[list[int], float]:
    first = entries[0]
    return list(first.get("number", ())), float(first.get("began", 0))


def _entries(path: Path) -> list[dict[str, Any]]:
    entries = []
    for line in path.read_bytes().split(b"\n"):
        try:
            entry = json.loads(line)
        except ValueError:  # the last line of a process that was killed
            continue
        if isinstance(entry, dict):
            entries.append(entry)
    if entries and path.stem.isdecimal():
        entries[0]["pid"] = int(path.stem)
    return entries
