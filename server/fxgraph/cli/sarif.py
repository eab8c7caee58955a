"""Findings as a log of SARIF 2.1.0 (OASIS Standard), as code scanning services take it.

Plain dicts: of the standard's hundred kinds of objects eight are needed.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fxgraph import __version__
from fxgraph.analysis import RULES, Finding, Rule
from fxgraph.features.lines import LineIndex
from fxgraph.graph import Span

Json = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/fxgraph/fxgraph"

_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_PLACES = {code: place for place, code in enumerate(RULES)}
#: `[words](target)` is a link in a message (section 3.11.6), and dumps write such things, too.
_LINK = re.compile(r"\[(?=[^\]\n]*\]\()")


def sarif_log(results: Sequence[Json], complaints: Sequence[str]) -> Json:
    """The whole log. `results` are those of `results_of`; `complaints` tell of what could not be used."""
    notifications = [{"level": "error", "message": {"text": complaint}} for complaint in complaints]
    invocation: Json = {"executionSuccessful": not complaints}
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    driver = {
        "name": "fxgraph",
        "informationUri": HOME,
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in RULES.values()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": list(results),
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def results_of(label: str, lines: LineIndex, findings: Sequence[Finding]) -> list[Json]:
    """A `result` for each finding of a file. `label` is its path as the user wrote it."""
    artifact = {"uri": _uri(label)}
    return [_result(artifact, lines, finding) for finding in findings]


def _result(artifact: Json, lines: LineIndex, finding: Finding) -> Json:
    location: Json = {"physicalLocation": _place(artifact, lines, finding.span)}
    if finding.name is not None:
        location["logicalLocations"] = [{"name": finding.name, "kind": "variable"}]
    result: Json = {
        "ruleId": finding.code,
        "ruleIndex": _PLACES[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": _escaped(finding.message)},
        "locations": [location],
    }
    if finding.related:
        result["relatedLocations"] = [
            {"physicalLocation": _place(artifact, lines, span), "message": {"text": _escaped(words)}}
            for span, words in finding.related
        ]
    return result


def _place(artifact: Json, lines: LineIndex, span: Span) -> Json:
    (line, column), (end_line, end_column) = lines.position(span.start), lines.position(span.end)
    region = {"startLine": line + 1, "startColumn": column + 1, "endLine": end_line + 1, "endColumn": end_column + 1}
    return {"artifactLocation": artifact, "region": region}


def _rule(rule: Rule) -> Json:
    text = inspect.cleandoc(rule.doc)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": text.split("\n")[0]},
        "fullDescription": {"text": text.split("```")[0].strip()},
        "help": {"text": text, "markdown": text},
        "helpUri": f"{HOME}/blob/main/docs/rules.md#{rule.code.lower()}",
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": rule.default_on},
    }


def _escaped(message: str) -> str:
    return _LINK.sub(r"\\[", message)


def _uri(label: str) -> str:
    """A path relative to the working directory where the file lies below it, as services want it; else a file URI."""
    path = Path(label)
    if not path.is_absolute():
        return quote(path.as_posix())
    try:
        return quote(path.relative_to(os.path.realpath(".")).as_posix())
    except ValueError:
        return path.as_uri()
