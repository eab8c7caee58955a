"""`check_findings`: the marks of a text are what the rules have to find in it, and all that they may find."""

from __future__ import annotations

from fxgraph.analysis import Facts, Finding, check, facts_of
from fxgraph.reading import read
from markers import Marked, marked

#: A head and inputs, so that a test can show the lines it is about.
INPUTS = """
    graph():
        %x : [num_users=1] = placeholder[target=x]
"""


def facts_in(source: str, path: str | None = None) -> list[Facts]:
    """Facts of the graphs of a text, which may have marks."""
    return facts_of(read(marked(source).text, path))


def facts_in_one(source: str, path: str | None = None) -> Facts:
    (facts,) = facts_in(source, path)
    return facts


def check_findings(source: str, *, select: set[str] | None = None, path: str | None = None) -> list[Finding]:
    """Compare findings with marks: each mark names the codes found at the place where it begins."""
    text = marked(source)
    dump = read(text.text, path)
    found = check(dump, facts_of(dump), select)
    wanted = sorted((span.start, code) for span, label in text.marks for code in label.split())
    got = sorted((finding.span.start, finding.code) for finding in found)
    assert _shown(text, got) == _shown(text, wanted), [finding.message for finding in found]
    return found


def check_message(source: str, message: str, **options: set[str] | None) -> Finding:
    """As `check_findings`, for a text with one finding, whose message is compared, too."""
    (finding,) = check_findings(source, **options)
    assert finding.message == message
    return finding


def check_nothing(source: str, *, select: set[str] | None = None, path: str | None = None) -> None:
    assert "^" not in source
    check_findings(source, select=select, path=path)


def _shown(text: Marked, places: list[tuple[int, str]]) -> list[tuple[int, str, str]]:
    """Places as (line from 1, what stands there, code)."""
    return [(text.text.count("\n", 0, at) + 1, text.text[at:].split("\n")[0][:24], code) for at, code in places]


def node_names(facts: Facts, indices: frozenset[int]) -> list[str]:
    return [facts.graph.nodes[index].name for index in sorted(indices)]
