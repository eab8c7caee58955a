"""What is known of a graph, and what is wrong with it: pure functions over `Graph`."""

from fxgraph.analysis.facts import Facts, facts_of
from fxgraph.analysis.finding import Finding, Rule
from fxgraph.analysis.level import Level, level_of
from fxgraph.analysis.names import Links, link
from fxgraph.analysis.rules import RULES, STAGES, check, codes_of
from fxgraph.analysis.stage import Stage, stage_of

__all__ = [
    "RULES",
    "STAGES",
    "Facts",
    "Finding",
    "Level",
    "Links",
    "Rule",
    "Stage",
    "check",
    "codes_of",
    "facts_of",
    "level_of",
    "link",
    "stage_of",
]
