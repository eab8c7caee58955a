"""What stands where in one record or statement: dispatched by form, looked up in the text only when somebody asks."""

from __future__ import annotations

from fxgraph.graph import OUTPUT, Graph, Node, Use
from fxgraph.reading import graph_str_parts, python_parts, tabular
from fxgraph.reading.parts import Arguments, Parts


def parts(graph: Graph, node: Node) -> Parts:
    """The parts of a node's record. An output line has only `args`: what it returns."""
    if graph.form == "graph_str":
        return graph_str_parts.parts_of_record(graph, node)
    if graph.form == "tabular":
        return tabular.parts_of_row(graph, node)
    return python_parts.parts_of_statement(graph, node)


def arguments(graph: Graph, node: Node) -> Arguments:
    """The arguments of a node's call, for showing them beside the names of the schema's arguments."""
    if node.opcode == OUTPUT:
        return Arguments([], [])
    if graph.form == "graph_str":
        return graph_str_parts.arguments_of_record(graph, node)
    if graph.form == "tabular":
        return tabular.arguments_of_row(graph, node)
    return python_parts.arguments_of_statement(graph, node)


def uses(graph: Graph, node: Node) -> list[Use]:
    """The reads of a node with page offsets, in the order and number of `node.reads`."""
    if not node.reads:
        return []
    if graph.form == "graph_str":
        found = graph_str_parts.reads_of_record(graph, node)
    elif graph.form == "tabular":
        found = tabular.reads_of_row(graph, node)
    else:
        found = python_parts.reads_of_statement(graph, node)
    known = set(node.reads)
    return [Use(name, offset) for name, offset, _ in found if name in known]
