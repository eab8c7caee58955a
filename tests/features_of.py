"""Short ways to ask about a text in tests."""

from __future__ import annotations

from fxgraph.analysis import check, facts_of
from fxgraph.graph import Graph
from fxgraph.reading import read


def graphs_of(text: str) -> list[Graph]:
    """The graphs of a text."""
    return read(text).graphs


def codes(text: str) -> set[str]:
    """The codes of all findings in a text."""
    dump = read(text)
    return {finding.code for finding in check(dump, facts_of(dump))}
