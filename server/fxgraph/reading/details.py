"""What stands where in one record or statement: dispatched by form, looked up in the text only when somebody asks.

The parts of a form load with the first question about it: most texts hold one form.
"""

from __future__ import annotations

from fxgraph.graph import OUTPUT, Graph, Node, Use
from fxgraph.reading.parts import Arguments, Parts


def parts(graph: Graph, node: Node) -> Parts:
    """The parts of a node's record. An output line has only `args`: what it returns."""
    if graph.form == "graph_str":
        from fxgraph.reading.graph_str_parts import parts_of_record

        return parts_of_record(graph, node)
    if graph.form == "tabular":
        from fxgraph.reading.tabular import parts_of_row

        return parts_of_row(graph, node)
    from fxgraph.reading.python_parts import parts_of_statement

    return parts_of_statement(graph, node)


def arguments(graph: Graph, node: Node) -> Arguments:
    """The arguments of a node's call, for showing them beside the names of the schema's arguments."""
    if node.opcode == OUTPUT:
        return Arguments([], [])
    if graph.form == "graph_str":
        from fxgraph.reading.graph_str_parts import arguments_of_record

        return arguments_of_record(graph, node)
    if graph.form == "tabular":
        from fxgraph.reading.tabular import arguments_of_row

        return arguments_of_row(graph, node)
    from fxgraph.reading.python_parts import arguments_of_statement

    return arguments_of_statement(graph, node)


def uses(graph: Graph, node: Node) -> list[Use]:
    """The reads of a node with page offsets, in the order and number of `node.reads`."""
    if not node.reads:
        return []
    if graph.form == "graph_str":
        from fxgraph.reading.graph_str_parts import reads_of_record

        found = reads_of_record(graph, node)
    elif graph.form == "tabular":
        from fxgraph.reading.tabular import reads_of_row

        found = reads_of_row(graph, node)
    else:
        from fxgraph.reading.python_parts import reads_of_statement

        found = reads_of_statement(graph, node)
    known = set(node.reads)
    return [Use(name, offset) for name, offset, _ in found if name in known]
