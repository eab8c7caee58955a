"""Findings as the protocol's diagnostics, cut down to what the client shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from fxgraph.analysis import RULES, STAGES, Finding
from fxgraph.features.config import Choice, with_severities
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.client import UNNECESSARY, Client
from fxgraph.lsp.wire import Wire

#: Where the project's rules are explained, one section for each code.
RULES_PAGE = "https://github.com/fxgraph/fxgraph/blob/main/docs/rules.md"

#: Findings of one rule in one graph that editors are sent. They draw all of them at every change.
AT_MOST = 1000

_SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}

_TAGS = {"unnecessary": UNNECESSARY}


#: From this many nodes on, findings come in stages.
_MANY = 20_000


def in_stages(snapshot: Snapshot, choice: Choice, pause: Callable[[], None]) -> Iterator[list[Finding]]:
    """The findings of a document; of a big one first those of the quick rules, then more and more, as they are made.

    The first list comes at any rate, another one only where it holds more.
    """
    if not is_many(snapshot):
        yield snapshot.findings(choice, pause, AT_MOST)
        return
    defaults = frozenset(code for code, rule in RULES.items() if rule.default_on)
    found: list[Finding] = []
    for number, stage in enumerate(STAGES):
        asked = stage & (defaults if choice.select is None else choice.select)
        more = snapshot.findings(choice._replace(select=asked), pause, AT_MOST)
        if more or number == 0:
            found = sorted([*found, *more], key=lambda finding: (finding.span.start, finding.code))
            yield found


def is_many(snapshot: Snapshot) -> bool:
    """Whether a text has so many nodes that its findings take a while."""
    return sum(len(graph.nodes) for graph in snapshot.dump.graphs) >= _MANY


class Computed(NamedTuple):
    """What torch had to be asked for.

    findings  the findings
    replaced  codes whose findings without torch these replace
    """

    findings: list[Finding]
    replaced: frozenset[str]


def with_computed(findings: Sequence[Finding], computed: Computed, choice: Choice) -> list[Finding]:
    """Findings with those that torch had to compute first, as far as somebody wants them, in the order of the text."""
    left = [one for one in findings if one.code not in computed.replaced]
    wanted = [one for one in computed.findings if (choice.select is None or one.code in choice.select)]
    wanted = with_severities([one for one in wanted if one.code not in choice.ignore], choice.severities)
    return sorted([*left, *wanted], key=lambda one: one.span.start) if wanted else left


def publication(uri: str, snapshot: Snapshot, findings: Sequence[Finding], client: Client) -> dict[str, Any]:
    """The parameters of `textDocument/publishDiagnostics`."""
    return {"uri": uri, "version": snapshot.version, "diagnostics": diagnostics(uri, snapshot, findings, client)}


def diagnostics(uri: str, snapshot: Snapshot, findings: Sequence[Finding], client: Client) -> list[dict[str, Any]]:
    """A `Diagnostic` for each finding, in their order."""
    if not findings:
        return []
    wire = Wire(snapshot.lines, client.encoding)
    return [_diagnostic(uri, wire, finding, client) for finding in findings]


def _diagnostic(uri: str, wire: Wire, finding: Finding, client: Client) -> dict[str, Any]:
    diagnostic: dict[str, Any] = {
        "range": wire.range(finding.span),
        "severity": _SEVERITIES[finding.severity],
        "code": finding.code,
        "source": "fxgraph",
        "message": finding.message,
    }
    if client.code_description:
        diagnostic["codeDescription"] = {"href": f"{RULES_PAGE}#{finding.code.lower()}"}
    if client.tags and finding.tags:
        diagnostic["tags"] = [_TAGS[tag] for tag in sorted(finding.tags) if tag in _TAGS]
    if client.related and finding.related:
        diagnostic["relatedInformation"] = [
            {"location": {"uri": uri, "range": wire.range(span)}, "message": message}
            for span, message in finding.related
        ]
    return diagnostic
