"""Text to `Dump`: whatever the text, this never fails, opens nothing and runs nothing."""

from fxgraph.reading.details import arguments, parts, uses
from fxgraph.reading.dump import read
from fxgraph.reading.edits import Edit, followed_by
from fxgraph.reading.moved import in_any_place, stretches
from fxgraph.reading.pages import SILENCE
from fxgraph.reading.parts import Argument, Arguments, Parts
from fxgraph.reading.source_lines import SourceLine, nodes_by_comment, nodes_by_source, source_in, source_of
from fxgraph.reading.tensor_type import nbytes, tensor_type

__all__ = [
    "SILENCE",
    "Argument",
    "Arguments",
    "Edit",
    "Parts",
    "SourceLine",
    "arguments",
    "followed_by",
    "in_any_place",
    "nbytes",
    "nodes_by_comment",
    "nodes_by_source",
    "parts",
    "read",
    "source_in",
    "source_of",
    "stretches",
    "tensor_type",
    "uses",
]
