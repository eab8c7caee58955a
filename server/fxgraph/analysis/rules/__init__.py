"""The rules, one file a family, and `check`, which asks them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import Finding, Report, Rule
from fxgraph.analysis.rules import counts, levels, liveness, names, operators, text, types
from fxgraph.analysis.rules.places import head_span
from fxgraph.graph import Dump

#: All rules by code, in the order of the codes.
RULES: dict[str, Rule] = {
    rule.code: rule
    for family in (text, names, counts, liveness, levels, operators, types)
    for rule in sorted(family.RULES)
}


#: The rules by what they cost on a big graph: names and counts; what is dead, and levels; what takes every call apart.
STAGES = tuple(
    frozenset(rule.code for rule in rules)
    for rules in ((*text.RULES, *names.RULES, *counts.RULES), (*liveness.RULES, *levels.RULES), operators.RULES)
)


def codes_of(word: str) -> set[str]:
    """The codes of the rules that a user means: a code, its beginning (`FX2`) or a rule's name. Empty for no rule."""
    wanted = word.strip().upper()
    exact = {code for code, rule in RULES.items() if code == wanted or rule.name.upper() == wanted}
    return exact or {code for code in RULES if len(wanted) > 1 and code.startswith(wanted)}


def check(
    dump: Dump,
    facts: Sequence[Facts],
    select: Collection[str] | None = None,
    ignore: Collection[str] | None = None,
    pause: Callable[[], None] = lambda: None,
    at_most: int | None = None,
) -> list[Finding]:
    """What the rules find in a dump, in the order of the text.

    facts   of each graph, by `Graph.index`
    select  the codes to ask; None asks the rules that are on by default
    ignore  codes to leave out. Codes that no rule has find nothing
    pause   called in front of every rule and graph: something else may be done there, and what it raises ends the work
    at_most  so many findings of one rule in one graph, and then one that says so at its head; None for all
    """
    left_out = ignore or ()
    asked = [
        rule
        for code, rule in RULES.items()
        if code not in left_out and (rule.default_on if select is None else code in select)
    ]
    found: list[Finding] = []
    for graph in dump.graphs:
        for rule in asked:
            pause()
            reports = [] if rule.whole_only and not graph.is_whole else _reports(rule, facts[graph.index], at_most)
            if reports and not (rule.whole_only and facts[graph.index].has_gap):
                found += [_finding(rule, graph.index, report) for report in reports]
    found.sort(key=lambda finding: (finding.span.start, finding.code))
    return found


def _reports(rule: Rule, facts: Facts, at_most: int | None) -> list[Report]:
    found = iter(rule.find(facts))
    reports = list(islice(found, at_most))
    if len(reports) == at_most and next(found, None) is not None:
        words = f"There are more than {at_most} findings of {rule.code} ({rule.name}) in this graph"
        reports.append(Report(head_span(facts.graph), None, f"{words}: only the first are told"))
    return reports


def _finding(rule: Rule, graph: int, report: Report) -> Finding:
    severity = report.severity or rule.severity
    tags = rule.tags if report.name is not None else frozenset[str]()  # a head is never faded
    return Finding(rule.code, severity, graph, report.span, report.name, report.message, report.related, tags)
