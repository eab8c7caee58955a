"""The script that a dump proposes as its source: named by its header line, or of the same name beside it.

A header line is text of the dump: it proposes and never decides. Nothing is run here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fxgraph.torchhost.scripts import ScriptError

NONE = "neither a line `# fxgraph: source=model.py` at the top nor a script of the same name beside it names its source"


class Proposal(NamedTuple):
    """A script.

    script    its absolute path, without links
    by_header whether the dump's header line names it; else it lies beside the dump
    """

    script: str
    by_header: bool


def beside(dump: str) -> str:
    """The script of the same stem beside a dump: `net.py` for `net.fxgraph`, `net.symbolic.fxgraph` too."""
    path = PurePosixPath(dump)
    return str(path.with_name(path.name.partition(".")[0] + ".py"))


def proposed(dump: str, named: str | None, folders: Sequence[str] | None = None) -> Proposal:
    """The script that is proposed for the dump at a path; `named` is what its header says, or None.

    folders  where a script may lie: the workspace. None: anywhere, for whoever only names the script

    Raises ScriptError, a line for the user. A path outside of the folders is not looked at.
    """
    if named is None and PurePosixPath(Path(dump).as_posix()) == PurePosixPath(beside(Path(dump).as_posix())):
        raise ScriptError(NONE)
    try:
        script = Path(os.path.normpath(Path(dump).parent / named if named else beside(Path(dump).as_posix())))
        if folders is not None and not _lies_in(script, map(Path, folders)):
            raise ScriptError(_outside(script))
        if not script.is_file():
            raise ScriptError(f"{script}: no such file" if named else NONE)
        found = script.resolve()
        if folders is not None and not _lies_in(found, [Path(folder).resolve() for folder in folders]):
            raise ScriptError(_outside(found))
    except (OSError, ValueError):
        raise ScriptError(f"{named}: no such file" if named else NONE) from None
    return Proposal(str(found), named is not None)


def _lies_in(script: Path, folders: Sequence[Path] | map[Path]) -> bool:
    parents = {os.path.normcase(parent) for parent in script.parents}
    return any(os.path.normcase(os.path.normpath(folder)) in parents for folder in folders)


def _outside(script: Path) -> str:
    return (
        f"{script} lies outside of the workspace: `fxgraph inspect --shapes source --source FILE` runs it in a terminal"
    )
