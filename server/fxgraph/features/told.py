"""What torch has told so far of a graph: what hovers and inlay hints show of it, and who may ask for more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import OUTPUT, PLACEHOLDER, Dump, Graph, Node
from fxgraph.reading import tensor_type

if TYPE_CHECKING:  # loads what starts processes: most sessions never need it
    from fxgraph.features.shapes import Shapes
    from fxgraph.features.source_shapes import SourceShapes

NO_INPUT = (
    "Its type is not printed, and torch cannot compute it: no type of an input is in the text. "
    "A line `# fxgraph: inputs=x:f32[2,3]` at the top of the file tells one."
)


@dataclass(frozen=True)
class Told:
    """What is known by now.

    torch   its version; empty as long as it has not answered
    shapes  of the graph and those nested in it, growing while they are computed; None where there are none
    line    why there is no more, in one Markdown line: torch starts, computes, or cannot; None where all is told
    """

    torch: str = ""
    shapes: Shapes | None = None
    line: str | None = None


class Torch(Protocol):
    """An installed torch, as hovers ask it: each answer is what is known this moment."""

    def told(self, snapshot: Snapshot, graph: Graph, *, wanted: bool) -> Told:
        """What is known of a graph's values; `wanted` makes torch compute them where they are not known."""
        ...

    def source(self, snapshot: Snapshot) -> SourceShapes | None:
        """What a run of the document's source has told; None where it did not run."""
        ...

    def family(self, name: str) -> tuple[str, Mapping[str, Any]] | None:
        """The version of torch, and what it says of the packet `aten.sum`: see `host/fxgraph_host/operators.py`."""
        ...


def tells_sizes(printed: str | None) -> bool:
    """Whether a printed type is more than the user's annotation in Python: `torch.Tensor` tells no shape."""
    return printed is not None and (tensor_type(printed) is not None or printed.startswith("Sym("))


def lacks_type(node: Node) -> bool:
    """Whether torch could tell of a node's value what the dump does not print."""
    return node.opcode != OUTPUT and not tells_sizes(node.type)


def can_compute(snapshot: Snapshot, graph: Graph) -> bool:
    """Whether there is anything to begin with: the type of an input, or a graph that takes none."""
    if any(tells_sizes(node.type) for node in graph.nodes):
        return True
    from fxgraph.torchhost.inputs import told_inputs  # starts nothing, but loads what could

    return not any(node.opcode == PLACEHOLDER for node in graph.nodes) or bool(told_inputs(snapshot.dump, graph))


def root_of(dump: Dump, graph: Graph) -> Graph:
    """The graph that holds this one and that no other holds."""
    while graph.parent is not None:
        graph = dump.graphs[graph.parent]
    return graph


def known_types(graph: Graph, shapes: Shapes) -> dict[int, str]:
    """What torch computed of a graph's nodes, by their index, those of tuples too: `(f32[2], i64[2])`."""
    found = {}
    for node in graph.nodes:
        shape = shapes.of.get((graph.index, node.index))
        if shape is not None and shape.value is not None and not shape.given and shape.value.text:
            found[node.index] = shape.value.text
    return found
