"""The rules, one file a family, and `check`, which asks them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import Finding, Rule
from fxgraph.analysis.rules import counts, levels, liveness, names, text
from fxgraph.graph import Dump

#: All rules by code.
RULES: dict[str, Rule] = {
    rule.code: rule for family in (text, names, counts, liveness, levels) for rule in family.RULES
}


def check(
    dump: Dump,
    facts: Sequence[Facts],
    select: Collection[str] | None = None,
    ignore: Collection[str] | None = None,
) -> list[Finding]:
    """What the rules find in a dump, in the order of the text.

    facts   of each graph, by `Graph.index`
    select  the codes to ask; None asks the rules that are on by default
    ignore  codes to leave out. Codes that no rule has find nothing
    """
    left_out = ignore or ()
    asked = [
        rule
        for code, rule in RULES.items()
        if code not in left_out and (rule.default_on if select is None else code in select)
    ]
    found = [
        Finding(
            rule.code,
            report.severity or rule.severity,
            graph.index,
            report.span,
            report.name,
            report.message,
            report.related,
            rule.tags,
        )
        for graph in dump.graphs
        for rule in asked
        if not rule.whole_only or graph.is_whole
        for report in rule.find(facts[graph.index])
    ]
    found.sort(key=lambda finding: (finding.span.start, finding.code))
    return found
