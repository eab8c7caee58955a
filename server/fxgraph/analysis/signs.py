"""Signs by which a printed graph tells who made it: names, titles, file names."""

from __future__ import annotations

import re

from fxgraph.graph import CALL_MODULE, GET_ATTR, PLACEHOLDER, Graph

#: What dynamo calls its inputs: torch/_dynamo/source.py and output_graph.py. `s77` holds a size.
_DYNAMO_INPUT = re.compile(r"[lL]_\w+_$|L\[|L_\w|G_\w+_$")
_DYNAMO_ATTRIBUTE = re.compile(r"L__self__|getattr_L__self__|L_\w+_modules_")
_DYNAMO_TITLE = re.compile(
    r"__compiled_fn_\d|dynamo_output_graph|pre insert_deferred_runtime_asserts|Compiled autograd", re.IGNORECASE
)
_DYNAMO_FILE = re.compile(r"dynamo|optimize_ddp_split|compiled_autograd_graph")
_DYNAMO_CLASS = re.compile(r"CompiledAutograd\d*(?:PreReordering)?$")


def file_name(path: str | None) -> str:
    """The last part of a path of any system."""
    return re.split(r"[\\/]", path)[-1] if path else ""


def sign_of_dynamo(graph: Graph, path: str | None = None) -> str | None:
    """What says that dynamo captured this graph, in words; None where nothing does."""
    if graph.title and _DYNAMO_TITLE.search(graph.title):
        return f"the title {graph.title}"
    if _DYNAMO_CLASS.match(graph.name):
        return f"the class name {graph.name}"
    for node in graph.nodes:
        if node.opcode == PLACEHOLDER:
            if _DYNAMO_INPUT.match(node.name) or _DYNAMO_INPUT.match(node.target):
                return f"the input {node.name}"
        elif node.opcode in (GET_ATTR, CALL_MODULE) and _DYNAMO_ATTRIBUTE.match(node.target):
            return f"the attribute {node.target}"
    name = file_name(path)
    if _DYNAMO_FILE.search(name):
        return f"the file name {name}"
    return None
