"""`check_types`: a dump on the left, what torch says of its values on the right of each `#:`."""

from __future__ import annotations

import re
from typing import Any

from fxgraph.reading import read
from fxgraph.torchhost import TorchHost
from fxgraph.torchhost.inputs import told_inputs
from fxgraph.torchhost.plain import plain
from markers import marked

_REMARK = re.compile(r"[ \t]+#: (.*)$", re.MULTILINE)


def propagated(host: TorchHost, text: str, inputs: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """What the host tells of each node of the first graph and of its bodies, by name."""
    dump = read(text)
    told, order = plain(dump, dump.graphs[0], told_inputs(dump, dump.graphs[0], inputs))
    answer = host.ask("propagate", told)
    return {order[graph].nodes[node].name: description for graph, node, description in answer["nodes"]}


def in_words(description: dict[str, Any]) -> str:
    """`f32[2, 3] cpu`, `(f32[2], i64[2])`, `stop: why`, `waits for x`."""
    if "waits" in description:
        return f"waits for {description['waits']}"
    words = _value(description)
    if "stop" in description:
        return f"stop: {description['stop']}" + (f"; then {words}" if words else "")
    return words + {True: "", False: " DIFFERS", None: ""}[description.get("agrees")]


def _value(description: dict[str, Any]) -> str:
    if "parts" in description:
        return f"({', '.join(map(_value, description['parts']))})"
    device = description.get("device")
    return description.get("type", description.get("value", "")) + (f" {device}" if device not in (None, "cpu") else "")


def check_types(host: TorchHost, source: str, inputs: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Compare the remarks of a dump with what torch says of the node in the same line."""
    text = marked(source).text
    bare = _REMARK.sub("", text)
    found = propagated(host, bare, inputs)
    lines = text.split("\n")
    wanted = {}
    for graph in read(bare).graphs:
        for node in graph.nodes:
            remark = _REMARK.search(lines[bare.count("\n", 0, node.start)])
            if remark and node.opcode not in ("output", "placeholder"):
                wanted[node.name] = remark[1]
    assert wanted, "no remark to compare with"
    words = {name: in_words(found[name]) for name in wanted}
    assert words == wanted, [f"{name}: {words[name]}" for name in wanted if words[name] != wanted[name]]
    return found
