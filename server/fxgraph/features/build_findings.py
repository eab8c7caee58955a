"""What an installed torch says of the operators of a dump: FX401 and FX402 by this very build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fxgraph.analysis import Finding, check, facts_of
from fxgraph.analysis.facts import Build
from fxgraph.features.silence import without_silenced
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import CALL_FUNCTION, Dump
from fxgraph.ops import split_target

#: The rules that are asked again once the build is known.
RULES = frozenset({"FX401", "FX402"})


def packets_of(dump: Dump) -> Iterator[str]:
    """The packets that a dump calls overloads of: `aten.sum`."""
    targets = {node.target for graph in dump.graphs for node in graph.nodes if node.opcode == CALL_FUNCTION}
    operators = (split_target(target) for target in targets)
    return iter(sorted({one.name for one in operators if one is not None and one.overload is not None}))


def build_findings(
    snapshot: Snapshot, torch: str, families: Mapping[str, Mapping[str, Any]], at_most: int | None = None
) -> list[Finding] | None:
    """All findings of FX401 and FX402 where the torch of a version has these families.

    What a family is, `host/fxgraph_host/operators.py` tells. None where they are those that are found without it.
    """
    dump = snapshot.dump
    asked = {name: families[name].get("overloads", ()) for name in packets_of(dump) if name in families}
    build = Build(
        torch.partition("+")[0],
        {name: {str(one["name"]): str(one.get("schema", "")) for one in found} for name, found in asked.items()},
    )
    without, facts = facts_of(dump), facts_of(dump)
    for one in facts:
        one.build = build
    found = check(dump, facts, select=RULES, at_most=at_most)
    return (
        None
        if found == check(dump, without, select=RULES, at_most=at_most)
        else without_silenced(snapshot.lines, found)
    )
