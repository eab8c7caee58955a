"""A graph as print(graph) writes it (torch/fx/graph.py `Graph.__str__`, torch/fx/node.py `Node.format_node`).

Types that the dump prints are kept as the option `include_tensor_metadata` writes them.
"""

from __future__ import annotations

import re

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views.operands import printed_operands, printed_return
from fxgraph.features.views.written import Pause, Written, nothing
from fxgraph.graph import GET_ATTR, OUTPUT, PLACEHOLDER, Graph, Node
from fxgraph.reading import parts, tensor_type

_COUNT = re.compile(r"(#users|num_users|uses)=\d+")
_DEFAULT = re.compile(r"\s*=(?!=)\s*([^,()\n]+|\(\))")


def as_printed(snapshot: Snapshot, graph: Graph, pause: Pause = nothing) -> Written:
    """The graph in the form `graph_str`. Its counts are those of this text."""
    users = snapshot.facts[graph.index].links.users
    written = Written(snapshot.lines, graph, pause)
    if not graph.is_fragment:
        written.add("graph():", graph.begin)
    for node in graph.nodes:
        write_record(written, graph, node, len(users[node.index]))
    return written


def write_record(written: Written, graph: Graph, node: Node, users: int) -> None:
    """Add the record of a node, printed with so many users; of the output node its return line."""
    if node.opcode == OUTPUT:
        written.add_node(node, f"    return {printed_return(graph, node)}", 4)
    else:
        written.add_node(node, f"    {_record(graph, node, users)}", 5)


def _record(graph: Graph, node: Node, users: int) -> str:
    if graph.form == "graph_str":
        return _copied(graph, node, users)
    head = f"%{node.name} : {_type(graph, node)}[num_users={users}] = {node.opcode}[target={node.target}]"
    if node.opcode == PLACEHOLDER:
        return head + _default(graph, node)
    if node.opcode == GET_ATTR:
        return head
    operands = printed_operands(graph, node)
    comma = "," if len(operands.positional) == 1 else ""
    keywords = ", ".join([f"{name}: {value}" for name, value in operands.keyword])
    return f"{head}(args = ({', '.join(operands.positional)}{comma}), kwargs = {{{keywords}}})"


def _copied(graph: Graph, node: Node, users: int) -> str:
    """The record as it stands, with this count."""
    text = graph.page.text[node.begin : node.end]
    stretch = parts(graph, node).users
    if stretch is None:
        return text
    start, end = stretch[0] - node.begin, stretch[1] - node.begin
    return text[:start] + _COUNT.sub(rf"\1={users}", text[start:end]) + text[end:]


def _type(graph: Graph, node: Node) -> str:
    if not node.type or "\n" in node.type:
        return ""
    stretch = parts(graph, node).type
    is_quoted = stretch is not None and graph.page.text[stretch[0] - 1 : stretch[0]] in ("'", '"')
    if not is_quoted:
        return f"{node.type} " if "[" not in node.type else ""
    return f'Tensor "{node.type}"' if tensor_type(node.type) is not None else f'"{node.type}"'


def _default(graph: Graph, node: Node) -> str:
    """The default of a parameter, which stands behind it in the head."""
    if graph.form == "tabular" or node.begin >= graph.head_end:
        return ""
    match = _DEFAULT.match(graph.page.text, node.end, graph.head_end)
    return f"(default={match[1].strip()})" if match else ""
