"""Findings as commands of a GitHub Actions workflow: lines in the job's log that become annotations of the changes.

`::warning file=a.fxgraph,line=3,col=6,...::message`, escaped as the runner undoes it (actions/toolkit, `command.ts`).
"""

from __future__ import annotations

from fxgraph.analysis import RULES, Finding
from fxgraph.features.lines import LineIndex

_COMMANDS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def command_of(label: str, lines: LineIndex, finding: Finding) -> str:
    """One line. `label` is the file's path as the user wrote it."""
    (line, column), (end_line, end_column) = lines.position(finding.span.start), lines.position(finding.span.end)
    places: dict[str, object] = {"file": label, "line": line + 1, "endLine": end_line + 1}
    if line == end_line:  # the runner takes columns only then
        places |= {"col": column + 1, "endColumn": end_column + 1}
    places["title"] = f"{finding.code} {RULES[finding.code].name}"
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in places.items())
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
