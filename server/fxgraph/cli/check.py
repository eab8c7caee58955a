"""`fxgraph check`: the findings of every file, for people and for CI."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

from fxgraph.analysis import RULES, Finding, codes_of
from fxgraph.cli.github import command_of
from fxgraph.cli.inputs import Inputs, folder_of
from fxgraph.cli.record import findings_record
from fxgraph.cli.sarif import results_of, sarif_log
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.features.config import Projects, combined
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.projects import read_settings

#: Findings of these severities make the exit status 1.
FAILING = frozenset({"error", "warning"})


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `check` to the subcommands."""
    parser = commands.add_parser("check", help="report what is wrong in dumps", description=__doc__, allow_abbrev=False)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a directory, or - for standard input")
    parser.add_argument("--format", choices=tuple(_REPORTS), default="text")
    parser.add_argument("--select", action="append", metavar="CODES", help="only these rules: FX104,FX2,dead-node")
    parser.add_argument("--ignore", action="append", metavar="CODES", help="not these rules")
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever is found")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the files; returns the exit status."""
    inputs = Inputs(arguments.paths)
    try:
        select, ignore = rule_codes(arguments.select), rule_codes(arguments.ignore)
    except ValueError as error:
        inputs.complain(str(error))
        return 2
    projects = Projects(read_settings, inputs.complain)
    report = _REPORTS[arguments.format]()
    severities: Counter[str] = Counter()
    for item in inputs:
        snapshot = item.snapshot()
        findings = snapshot.findings(combined(projects.choice_for(folder_of(item)), select, ignore))
        severities.update(found.severity for found in findings)
        report.add(item.label, snapshot, findings)
    report.end(inputs.complaints)
    if inputs.failed:
        return 2
    failing = any(severities[severity] for severity in FAILING)
    return 1 if failing and not arguments.exit_zero else 0


class _Text:
    """For people: a line for each finding, and their sum."""

    def __init__(self) -> None:
        self.severities: Counter[str] = Counter()
        self.graphs = 0
        self.read = 0

    def add(self, label: str, snapshot: Snapshot, findings: list[Finding]) -> None:
        self.severities.update(found.severity for found in findings)
        self.graphs += len(snapshot.dump.graphs)
        self.read += 1
        print_findings(label, snapshot, findings)

    def end(self, complaints: list[str]) -> None:
        if self.read or not complaints:  # where nothing was read, the complaints say it all
            print(_sum(self.severities, self.graphs))


class _Json:
    """For programs: one object for each file."""

    def add(self, label: str, snapshot: Snapshot, findings: list[Finding]) -> None:
        print(json.dumps({"file": label, "findings": findings_record(snapshot.lines, findings)}))

    def end(self, _: list[str]) -> None:
        pass


class _Sarif:
    """For services of code scanning: one log of everything."""

    def __init__(self) -> None:
        self.results: list[dict[str, Any]] = []

    def add(self, label: str, snapshot: Snapshot, findings: list[Finding]) -> None:
        self.results += results_of(label, snapshot.lines, findings)

    def end(self, complaints: list[str]) -> None:
        print(json.dumps(sarif_log(self.results, complaints), indent=1))


class _GitHub:
    """For a workflow of GitHub Actions: a command for each finding."""

    def add(self, label: str, snapshot: Snapshot, findings: list[Finding]) -> None:
        for found in findings:
            print(command_of(label, snapshot.lines, found))

    def end(self, _: list[str]) -> None:
        pass


_REPORTS: dict[str, type[_Text | _Json | _Sarif | _GitHub]] = {
    "text": _Text,
    "json": _Json,
    "sarif": _Sarif,
    "github": _GitHub,
}


#: The nodes of a dead chain name each other in their messages, and each has a line of its own.
_RELATED_IN_WORDS = frozenset({"FX201"})


def print_findings(label: str, snapshot: Snapshot, findings: list[Finding]) -> None:
    """Each on a line of its own, the places that belong to it indented below."""
    for found in findings:
        where = _where(label, snapshot, found.span.start)
        print(f"{where}: {found.severity} {found.code}: {one_line(found.message)}")
        if found.code in _RELATED_IN_WORDS:
            continue
        for span, message in found.related:
            print(f"    {_where(label, snapshot, span.start)}: {one_line(message)}")


def _where(label: str, snapshot: Snapshot, offset: int) -> str:
    line, column = snapshot.lines.position(offset)
    return f"{one_line(label)}:{line + 1}:{column + 1}"


def _sum(severities: Counter[str], graphs: int) -> str:
    total = severities.total()
    where = f"in {count_of(graphs, 'graph')}"
    if total == 0:
        return f"no findings {where}"
    kinds = ", ".join(
        f"{severities[s]:,} information" if s == "information" else count_of(severities[s], s)
        for s in ("error", "warning", "information", "hint")
        if severities[s]
    )
    return f"{count_of(total, 'finding')} {where}: {kinds}"


def rule_codes(given: list[str] | None) -> frozenset[str] | None:
    """Codes of the rules that `--select` or `--ignore` name: a code, its beginning (FX2) or the rule's name.

    None where the option was not given. Raises ValueError, with the known codes in its message.
    """
    if given is None:
        return None
    codes: set[str] = set()
    for word in ",".join(given).replace(" ", ",").split(","):
        if not word:
            continue
        found = codes_of(word)
        if not found:
            raise ValueError(f"unknown rule {word!r}; known are {_known()}")
        codes |= found
    if not codes:
        raise ValueError(f"no rule was named; known are {_known()}")
    return frozenset(codes)


def _known() -> str:
    return ", ".join(f"{code} ({RULES[code].name})" for code in sorted(RULES))
