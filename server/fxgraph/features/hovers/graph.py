"""The hover of a graph's head: what the graph is made of."""

from __future__ import annotations

from fxgraph.features.amounts import human_bytes
from fxgraph.features.markdown import bullets, capped, code, paragraphs, prose
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import TargetCount, opcode_counts, returned_names, short_target, target_counts
from fxgraph.features.symbols import graph_title
from fxgraph.graph import PLACEHOLDER, Graph

MOST_TARGETS = 8
MOST_NAMES = 8


def graph_text(snapshot: Snapshot, graph: Graph) -> str:
    """Opcode counts, the most frequent targets with their bytes, level, stage, inputs, outputs, dead nodes."""
    facts = snapshot.facts[graph.index]
    inputs = [node.name for node in graph.nodes if node.opcode == PLACEHOLDER]
    dead = [graph.nodes[index].name for index in sorted(facts.dead)]
    targets = target_counts(graph)
    level, stage = facts.level, facts.stage
    counts = ", ".join(f"{opcode} {count:,}" for opcode, count in opcode_counts(graph))
    return paragraphs(
        [
            f"**{code(graph_title(graph))}**: {len(graph.nodes):,} nodes" + (f" ({counts})" if counts else ""),
            None if graph.is_whole else "The text does not hold the whole graph.",
            bullets(capped([count_text(target) for target in targets], MOST_TARGETS)),
            f"Level **{level.name}**: {prose(level.reason)}" if level.name else prose(level.reason),
            f"Stage **{stage.name}**: {prose(stage.evidence)}" if stage is not None else None,
            _names("Inputs", inputs),
            _names("Outputs", returned_names(graph)),
            _names("Dead", dead) if dead else None,
        ]
    )


def count_text(target: TargetCount) -> str:
    """`aten.mm.default` x 240, 1.2 GB; where some types are missing, what the bytes are of."""
    text = f"{code(short_target(target.target))} x {target.calls:,}"
    if target.sized == 0:
        return text
    text += f", {human_bytes(target.bytes)}"
    return text if target.sized == target.calls else f"{text} in {target.sized:,} of them"


def _names(what: str, names: list[str]) -> str:
    if not names:
        return f"{what}: none"
    shown = ", ".join(capped([code(name) for name in names], MOST_NAMES))
    return f"{what}: {shown}" if len(names) == 1 else f"{what} ({len(names):,}): {shown}"
