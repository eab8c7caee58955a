"""Types that stand elsewhere in the text than in the graph: what a repro script loads, sizes that a log tells.

A repro script makes its inputs in `load_args` (torch/_dynamo/debug_utils.py `InputWriter`). `TORCH_LOGS=graph_sizes`
writes `add: (2, 4)` for each value of dynamo's graph (torch/_dynamo/output_graph.py `get_graph_sizes_log_str`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph
from fxgraph.torchhost.inputs import loaded_inputs

LOGGED = "logged"

_HEAD = "TRACED GRAPH TENSOR SIZES"
#: Behind the prefix of its line.
_SIZES = re.compile(r"(?:^|[\] ])(\w+): (\([^\n]*\))[ \t\r]*$")
_CONCRETE = re.compile(r"\w+ \(concrete\): \(|=====")
_PLACE = re.compile(r" \[(!?[\d/_]+)\] ")

_known: WeakKeyDictionary[Snapshot, dict[int, dict[str, str]]] = WeakKeyDictionary()


def logged_types(snapshot: Snapshot, graph: Graph) -> Mapping[str, str]:
    """By name of the node: `f32[2, 3]`, or sizes alone, `(2, s0)`."""
    known = _known.setdefault(snapshot, {})
    found = known.get(graph.index)
    if found is None:
        found = known[graph.index] = _found(snapshot, graph)
    return found


def is_repro(graph: Graph) -> bool:
    """Whether a graph is that of a repro script, which may stand in something else: a structured log holds some."""
    return graph.container == "repro" or graph.name == "Repro"


def _found(snapshot: Snapshot, graph: Graph) -> dict[str, str]:
    if is_repro(graph):
        return loaded_inputs(snapshot.dump, graph)
    if graph.container != "log" or graph.parent is not None or _HEAD not in snapshot.text:
        return {}
    ranks = {one.rank for one in snapshot.dump.graphs}
    names = {node.name for node in graph.nodes}
    blocks = _blocks(snapshot)
    fitting = [sizes for place, sizes in blocks if place == graph.compile_id and names.issuperset(sizes)]
    # Lines of several ranks may be mixed, and two graphs may fit: then nothing is said.
    return fitting[0] if len(ranks) == len(fitting) == 1 else {}


def _blocks(snapshot: Snapshot) -> list[tuple[str | None, dict[str, str]]]:
    """Each list of sizes, with the compilation that its lines name."""
    text, lines = snapshot.text, snapshot.lines
    blocks: list[tuple[str | None, dict[str, str]]] = []
    at = text.find(_HEAD)
    while at >= 0:
        line = lines.line_of(at)
        place = _PLACE.search(lines.line_text(line))
        sizes: dict[str, str] = {}
        for below in range(line + 1, len(lines)):
            words = lines.line_text(below)
            match = _SIZES.search(words)
            if match is not None:
                sizes[match[1]] = match[2]
            elif _CONCRETE.search(words) is None:
                break
        if sizes:
            blocks.append((place[1] if place else None, sizes))
        at = text.find(_HEAD, at + len(_HEAD))
    return blocks
