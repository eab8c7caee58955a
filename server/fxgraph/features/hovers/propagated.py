"""What a hover says of a node's value by its source or an installed torch: type, stride, device, bytes, or why not."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from fxgraph.features.amounts import human_bytes
from fxgraph.features.markdown import bullets, capped, code, paragraphs, prose
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.told import Torch, lacks_type
from fxgraph.graph import OUTPUT, Graph, Node

if TYPE_CHECKING:
    from fxgraph.features.shapes import Shape, Shapes, Value
    from fxgraph.features.source_shapes import SourceShapes

MOST_PARTS = 8
#: Characters of a hash that people compare.
SHORT_HASH = 12


def propagated_text(torch: Torch, snapshot: Snapshot, graph: Graph, node: Node) -> str | None:
    """What torch computed, or in one line why it has not; None where there is nothing to add to what is printed."""
    if node.opcode == OUTPUT:
        return None
    lacking = lacks_type(node)
    source = torch.source(snapshot)
    run = source.shape(graph, node) if source is not None else None
    if source is not None and lacking and run is not None and run.value is not None:
        other = _by_torch(torch, snapshot, graph, node, lacking, begin=False)
        words = _described(run.value, source_words(source))
        return paragraphs([other, words, _staleness(source, graph)])
    return paragraphs(
        [_by_torch(torch, snapshot, graph, node, lacking), _staleness(source, graph) if source and lacking else None]
    )


def source_words(source: SourceShapes) -> str:
    """Where types of a run are from: `from the source net.py (sha256 0123456789ab), torch 2.13.0`."""
    run = source.rerun
    if run is None:
        return "from the source"
    return prose(f"from the source {PurePath(run.script).name} (sha256 {run.sha256[:SHORT_HASH]}), torch {run.torch}")


def _staleness(source: SourceShapes, graph: Graph) -> str | None:
    match = source.matches.get(graph.index)
    if match is None:
        return None
    words = []
    if match.is_stale:
        words.append(f"The source has changed: {match.matching:,} of {match.nodes:,} nodes match what it prints.")
    if match.differs is not None:
        words.append(f"The source ran with other shapes: {prose(match.differs)}.")
    return " ".join(words) or None


def _by_torch(
    torch: Torch, snapshot: Snapshot, graph: Graph, node: Node, lacking: bool, *, begin: bool = True
) -> str | None:
    """What torch computed. Without `begin`: only where it is known."""
    told = torch.told(snapshot, graph, wanted=lacking and begin)
    shape = told.shapes.shape(graph, node) if told.shapes is not None else None
    if not begin and (shape is None or shape.value is None):
        return None
    if shape is None or told.shapes is None:
        return told.line if lacking else None
    ground = f"propagated by torch {prose(told.torch)}"
    if shape.stop is not None:
        return f"torch {prose(told.torch)} stops here: {prose(shape.stop)}" if lacking else None
    if shape.waits is not None:
        return _waiting(graph, shape.waits, told.shapes, told.torch) if lacking else None
    if shape.value is None or shape.given or (not lacking and shape.agrees is not True):
        return None
    assumed = "; ".join(map(prose, told.shapes.assumed))
    taken = f"Taken for `torch.nn.{shape.module}`, as it is printed." if shape.module is not None else None
    remarks = ". ".join(map(prose, told.shapes.remarks))
    return paragraphs(
        [
            _described(shape.value, ground, with_type=lacking),
            taken,
            f"Assumed: {assumed}." if assumed else None,
            f"Of the header line: {remarks}." if remarks else None,
        ]
    )


def _described(value: Value, ground: str, *, with_type: bool = True) -> str:
    parts = value.parts
    if not parts:
        return f"{_value(value, with_type)} ({ground})"
    items = capped([_value(part, True) or "not known" for part in parts], MOST_PARTS)
    return paragraphs([f"A tuple of {len(parts)} ({ground}):", bullets(items)])


def _value(value: Value, with_type: bool) -> str:
    """`f32[2, 3]`, 24 B; stride `(3, 1)`, device `cpu`."""
    pieces = []
    if with_type:
        if not value.text:
            return ""
        pieces.append(code(value.text) + (f", {human_bytes(value.bytes)}" if value.bytes is not None else ""))
    layout = []
    if value.stride is not None:
        steps = ", ".join(map(str, value.stride))
        layout.append(f"stride {code(f'({steps},)' if len(value.stride) == 1 else f'({steps})')}")
    if value.device is not None:
        layout.append(f"device {code(value.device)}")
    return "; ".join([*pieces, ", ".join(layout)] if layout else pieces)


def _waiting(graph: Graph, name: str, shapes: Shapes, version: str) -> str:
    """Where the way to this node ends."""
    words = f"torch {prose(version)} does not come this far: it needs {code(name)}"
    for node in graph.nodes:
        if node.name == name:
            root: Shape | None = shapes.shape(graph, node)
            if root is not None and root.stop is not None:
                return f"{words}, where it stops: {prose(root.stop)}"
    return words
