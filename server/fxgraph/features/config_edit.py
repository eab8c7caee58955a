"""An edit of a pyproject.toml that leaves a rule out for the whole project."""

from __future__ import annotations

import re

from fxgraph.features.config import DEFAULTS, choice_in

_TABLE = re.compile(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*fxgraph[ \t]*\][ \t]*(?:#[^\n]*)?(?:\n|\Z)", re.MULTILINE)
_NEXT_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_IGNORE = re.compile(r"^[ \t]*ignore[ \t]*=[ \t]*\[", re.MULTILINE)


def ignoring(text: str, code: str) -> tuple[int, str] | None:
    """Offset and text to insert so that `tool.fxgraph.ignore` names the rule; None where that is not possible safely.

    Nothing else of the file changes its meaning: the text is read again to make sure.
    """
    at, inserted = _insertion(text, code)
    complaints: list[str] = []
    before = choice_in(text, complaints.append) or DEFAULTS
    after = choice_in(text[:at] + inserted + text[at:], complaints.append)
    is_right = after == before._replace(ignore=before.ignore | {code}) and code not in before.ignore
    return (at, inserted) if is_right and not complaints else None


def _insertion(text: str, code: str) -> tuple[int, str]:
    table = _TABLE.search(text)
    if table is None:
        front = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return len(text), f'{front}[tool.fxgraph]\nignore = ["{code}"]\n'
    following = _NEXT_TABLE.search(text, table.end())
    ignore = _IGNORE.search(text, table.end(), following.start() if following else len(text))
    if ignore is None:
        front = "" if text[: table.end()].endswith("\n") else "\n"
        return table.end(), f'{front}ignore = ["{code}"]\n'
    is_empty = text[ignore.end() :].lstrip().startswith("]")
    return ignore.end(), f'"{code}"' if is_empty else f'"{code}", '
