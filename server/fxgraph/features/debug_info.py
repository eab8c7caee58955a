"""What a report of a bug may show of a dump: its measure, and a few of its lines without any word of the model.

Dumps hold people's models. A redacted line keeps what the readers look at, torch's own words, signs and blanks, and has
`x` for every other letter and `0` for every digit: `%xxxxx_0 : [num_users=0] = call_function[target=...`.
"""

from __future__ import annotations

import re
from collections import Counter

from fxgraph.features.snapshot import Snapshot

#: Words that torch prints of itself, whatever the model.
_OURS = frozenset(
    re.findall(
        r"\w+",
        """
        graph opcode name target args kwargs placeholder get_attr call_function call_method call_module output num_users
        users class def forward self return torch nn Module GraphModule ops aten prims operator builtins None True False
        ExportedProgram Graph signature fragment inputs outputs PARAMETER BUFFER USER_INPUT USER_OUTPUT File in code
        TRACED TorchDynamo AOTAutograd Range constraints del import from
        """,
    )
)
_WORD = re.compile(r"[^\W\d]\w*")
#: Graphs and lines that are shown at most, and characters of a line.
MOST_GRAPHS, MOST_LINES, LONGEST = 20, 20, 300


def redacted(line: str) -> str:
    """A line of a dump without any word that is not torch's own; cut where it is long."""
    cut = line[:LONGEST]
    kept = _WORD.sub(lambda word: word[0] if word[0] in _OURS else re.sub(r"[^\W\d_]", "x", word[0]), cut)
    return re.sub(r"\d", "0", kept) + ("…" if len(line) > LONGEST else "")


def debug_info(snapshot: Snapshot) -> list[str]:
    """Lines of plain text: size, graphs, findings by rule, and the redacted lines that graphs begin with or that could
    not be read.
    """
    text, lines = snapshot.text, snapshot.lines
    graphs = snapshot.dump.graphs
    amount = f"{len(graphs):,} graph{'' if len(graphs) == 1 else 's'}"
    said = [f"{len(text):,} characters, {len(lines):,} lines, {amount}"]
    for facts in snapshot.facts[:MOST_GRAPHS]:
        graph = facts.graph
        words = [graph.form, graph.container, facts.level.name, facts.stage.name if facts.stage else None]
        state = "whole" if graph.is_whole else "not whole"
        said.append(
            f"graph {graph.index + 1}: {', '.join(word for word in words if word)}, {len(graph.nodes):,} nodes, {state}"
        )
    findings = snapshot.findings()
    counts = Counter(finding.code for finding in findings)
    said.append("findings: " + (", ".join(f"{code} {counts[code]:,}" for code in sorted(counts)) or "none"))
    heads = [lines.line_of(graph.span().start) for graph in graphs[:MOST_GRAPHS]]
    unread = [lines.line_of(finding.span.start) for finding in findings if finding.code in ("FX001", "FX002")]
    shown = dict.fromkeys(sorted({*heads, *unread[:MOST_LINES]}))
    said += [f"line {number + 1}: {redacted(lines.line_text(number))}" for number in shown]
    return said
