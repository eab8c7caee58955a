"""`fxgraph check`: the findings of every file, for people and for CI."""

from __future__ import annotations

import argparse
import json
from collections import Counter

from fxgraph.analysis import RULES, Finding, codes_of
from fxgraph.cli.inputs import Inputs
from fxgraph.cli.record import findings_record
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.features.snapshot import Snapshot

#: Findings of these severities make the exit status 1.
FAILING = frozenset({"error", "warning"})


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `check` to the subcommands."""
    parser = commands.add_parser("check", help="report what is wrong in dumps", description=__doc__, allow_abbrev=False)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a directory, or - for standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text")
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
    severities: Counter[str] = Counter()
    graphs = 0
    for item in inputs:
        snapshot = item.snapshot()
        findings = snapshot.findings(select, ignore)
        severities.update(found.severity for found in findings)
        graphs += len(snapshot.dump.graphs)
        if arguments.format == "json":
            print(json.dumps({"file": item.label, "findings": findings_record(snapshot.lines, findings)}))
        else:
            _print_findings(item.label, snapshot, findings)
    if arguments.format == "text":
        print(_sum(severities, graphs))
    if inputs.failed:
        return 2
    failing = any(severities[severity] for severity in FAILING)
    return 1 if failing and not arguments.exit_zero else 0


def _print_findings(label: str, snapshot: Snapshot, findings: list[Finding]) -> None:
    for found in findings:
        where = _where(label, snapshot, found.span.start)
        print(f"{where}: {found.severity} {found.code}: {one_line(found.message)}")
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
    kinds = ", ".join(f"{severities[s]:,} {s}" for s in ("error", "warning", "information", "hint") if severities[s])
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
            raise ValueError(f"unknown rule {word!r}; known are {', '.join(sorted(RULES))}")
        codes |= found
    if not codes:
        raise ValueError(f"no rule was named; known are {', '.join(sorted(RULES))}")
    return frozenset(codes)
