"""What a hover says of a node's value by an installed torch: type, stride, device, bytes, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fxgraph.features.amounts import human_bytes
from fxgraph.features.markdown import bullets, capped, code, paragraphs, prose
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.told import Torch, lacks_type
from fxgraph.graph import OUTPUT, Graph, Node

if TYPE_CHECKING:
    from fxgraph.features.shapes import Shape, Shapes, Value

MOST_PARTS = 8


def propagated_text(torch: Torch, snapshot: Snapshot, graph: Graph, node: Node) -> str | None:
    """What torch computed, or in one line why it has not; None where there is nothing to add to what is printed."""
    if node.opcode == OUTPUT:
        return None
    lacking = lacks_type(node)
    told = torch.told(snapshot, graph, wanted=lacking)
    shape = told.shapes.shape(graph, node) if told.shapes is not None else None
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
    parts = shape.value.parts
    return paragraphs(
        [
            f"A tuple of {len(parts)} ({ground}):" if parts else f"{_value(shape.value, lacking)} ({ground})",
            bullets(capped([_value(part, True) or "not known" for part in parts], MOST_PARTS)) if parts else None,
            f"Assumed: {assumed}." if assumed else None,
        ]
    )


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
