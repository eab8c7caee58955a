"""A printed graph, with the graphs nested in it, as plain JSON for the host.

    {"graphs": [graph, ...], "ranges": {"s0": [2, 64]}, "tree": line | None, "lacking": text | None}
                                                            the first graph is the one that is asked about; the tree is
                                                            where its modules stand, `lacking` what is said of others
    graph   {"nodes": [node, ...], "children": {"true_graph_0": 1}, "modules": {path: module}}
    module  [class, args, kwargs]                           args None: they cannot be read
    node    [name, opcode, target, args, kwargs, type]      args None: its arguments cannot be read
    type    ["tensor", dtype, sizes, strides | None, device | None], ["sym", text], or None

Values of arguments: see `values.py`. The host looks targets up in lists of its own; nothing here is trusted there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER, Dump, Graph, Node
from fxgraph.ops import split_target
from fxgraph.reading import arguments, parts, tensor_type
from fxgraph.reading.module_tree import modules_beside
from fxgraph.reading.python_parts import expression_of
from fxgraph.torchhost.values import UnreadableError, Value, printed_value, python_arguments, python_value

PlainType = list[Any] | None

_SYM = re.compile(r"Sym\((.*)\)\Z", re.DOTALL)
_RANGE = re.compile(r"VR\[(-?\d+), (-?\d+|int_oo|oo)\]")
_TABLE_FUNCTION = re.compile(r"<built-in function (\w+)>\Z")
_TABLE_TORCH = re.compile(r"<built-in method (\w+) of type object at ")
_TABLE_TENSOR = re.compile(r"<(?:method|slot wrapper) '(\w+)' of '[\w.]*TensorBase?\w*' objects>")
_UNARY = re.compile(r"(not |[-+~])(.*)\Z", re.DOTALL)
_AUGMENTED = re.compile(r"(.*?)\s(?:\*\*|//|<<|>>|[+\-*/%&|^@])=\s(.*)\Z", re.DOTALL)
_SET_ITEM = re.compile(r"(\w+)\[(.*)\]\s*=\s*(.*)\Z", re.DOTALL)
_UNFLATTEN = re.compile(r"pytree\.tree_unflatten\(([\[(].*[\])]), self\._out_spec\)\Z", re.DOTALL)


def plain_type(text: str | None) -> PlainType:
    """A printed type for the host, or None where it is neither a plain tensor's nor a symbol's."""
    if not text:
        return None
    symbol = _SYM.match(text)
    if symbol:
        return ["sym", symbol[1]]
    tensor = tensor_type(text)
    if tensor is None or tensor.wrapper not in (None, "Parameter", "Tensor", "FakeTensor"):
        return None
    stride = None if tensor.stride is None else list(tensor.stride)
    return ["tensor", tensor.dtype, list(tensor.shape), stride, tensor.device]


def is_same_type(one: list[Any], other: list[Any]) -> bool:
    """Whether two types for the host say the same, as far as both say something of stride and device."""
    if one[0] != "tensor" or other[0] != "tensor":
        return one == other
    return one[:3] == other[:3] and all(
        None in pair or pair[0] == pair[1] for pair in zip(one[3:], other[3:], strict=True)
    )


def _completed(printed: PlainType, told: PlainType) -> PlainType:
    """The type beside an input; stride and device, where it lacks them, of what is told elsewhere of the same type."""
    if printed is None or told is None:
        return printed or told
    if printed[0] != "tensor" or not is_same_type(printed, told):
        return printed
    return [
        *printed[:3],
        *[mine if mine is not None else theirs for mine, theirs in zip(printed[3:], told[3:], strict=True)],
    ]


def plain(
    dump: Dump, graph: Graph, inputs: Mapping[str, str] | None = None, bodies: tuple[Dump, Graph] | None = None
) -> tuple[dict[str, Any], list[Graph]]:
    """What the host needs of a graph, and the graphs whose places in it are the indices.

    inputs  printed types of inputs by name, for those that the text prints without one
    bodies  the same graph in another dump, which holds the nested graphs that this text does not hold
    """
    order = [(dump, graph)]
    of_root, tree, lacking = _modules(dump, graph)
    modules = [of_root]
    plain_graphs: list[dict[str, Any]] = []
    for place, (owner, one) in enumerate(order):  # grows while it is walked
        nested = [(owner, name, child) for name, child in _children(owner, one).items()]
        if one is graph and not nested and bodies is not None:
            nested = [(bodies[0], name, child) for name, child in _children(*bodies).items()]
        children: dict[str, int] = {}
        for child_owner, name, child in nested:
            children[name] = len(order)
            order.append((child_owner, child))
            inside = {path: made for path, made in modules[place].items() if path.startswith(f"{name}.")}
            modules.append({path[len(name) + 1 :]: made for path, made in inside.items()})
        types = inputs or {} if one is graph else {}
        nodes = [_node(one, node, types) for node in one.nodes]
        plain_graphs.append({"nodes": nodes, "children": children, "modules": modules[place]})
    told = {"graphs": plain_graphs, "ranges": _ranges(graph), "tree": tree, "lacking": lacking}
    return told, [one for _, one in order]


def _modules(dump: Dump, graph: Graph) -> tuple[dict[str, list[Any]], int | None, str | None]:
    """The modules that the text prints beside the graph, as far as it has something of them; the line of their tree;
    and what is to be said of modules that are not among them.
    """
    wanted = {node.target for node in graph.nodes if node.opcode == CALL_MODULE}
    wanted |= {node.target.rpartition(".")[0] for node in graph.nodes if node.opcode == GET_ATTR}
    wanted.discard("")
    if not wanted:
        return {}, None, None
    found = modules_beside(graph, dump.graphs)
    # Bodies of higher-order operators call modules by names of their own: their trees are handed on whole.
    modules = {path: _module(text) for path, text in found.modules.items()}
    if found.tree is not None:
        line = _line(dump, graph, found.tree)
        return modules, line, f"the module tree in line {line} has no module {{}}"
    if found.unclear is not None:
        line = _line(dump, graph, found.unclear)
        return modules, None, f"whose module {{}} is unclear: the module tree in line {line} may be another model's"
    return modules, None, None


def _line(dump: Dump, graph: Graph, offset: int) -> int:
    return dump.text.count("\n", 0, graph.page.to_document(offset)) + 1


def _module(text: str) -> list[Any]:
    """`Linear(in_features=6, out_features=8, bias=True)` taken apart."""
    name, _, inside = text.removesuffix(")").partition("(")
    if text.endswith("("):  # it has modules of its own
        return [name, None, []]
    try:
        return [name, *python_arguments(inside)]
    except (UnreadableError, RecursionError, ValueError):
        return [name, None, []]


def _ranges(graph: Graph) -> dict[str, list[int]]:
    told = graph.signature.get("range_constraints")
    found: dict[str, list[int]] = {}
    for name, text in told.items() if isinstance(told, dict) else ():
        match = _RANGE.match(str(text))
        if match:
            found[str(name)] = [int(match[1]), int(match[2]) if match[2].lstrip("-").isdigit() else 1 << 40]
    return found


def _children(dump: Dump, graph: Graph) -> dict[str, Graph]:
    """The nested graphs by the attribute that names them. torch 2.2 calls all of them `<lambda>`: by their order."""
    found = [one for one in dump.graphs if one.parent == graph.index and one is not graph]
    if not found:
        return {}
    if any(one.name != "<lambda>" for one in found):
        children: dict[str, Graph] = {}
        for one in found:
            children.setdefault(one.name, one)
        return children
    read = {name for node in graph.nodes if ".higher_order." in node.target for name in node.reads}
    targets = [node.target for node in graph.nodes if node.opcode == GET_ATTR and node.name in read]
    names = list(dict.fromkeys(targets))
    return dict(zip(names, found, strict=True)) if len(names) == len(found) else {}


def _node(graph: Graph, node: Node, types: Mapping[str, str]) -> list[Any]:
    kind = plain_type(node.type)
    if node.opcode in (PLACEHOLDER, GET_ATTR):
        kind = _completed(kind, plain_type(types.get(node.name) or types.get(node.target)))
    args: list[Value] | None = []
    kwargs: list[list[Value]] = []
    if node.opcode not in (PLACEHOLDER, GET_ATTR):
        try:
            args, kwargs = _arguments(graph, node)
        except (UnreadableError, RecursionError, ValueError):
            args = None
    return [node.name, node.opcode, _target(node), args, kwargs, kind]


def _target(node: Node) -> str:
    """The target as the host's lists spell it."""
    target = node.target
    if node.opcode != CALL_FUNCTION:
        return target
    if target.startswith("<"):
        return _table_target(target)
    operator = split_target(target)
    return f"torch.ops.{operator.qualified}" if operator is not None else target


def _table_target(target: str) -> str:
    function = _TABLE_FUNCTION.match(target)
    if function:
        name = function[1]
        if name == "getattr":
            return "builtins.getattr"
        return f"operator.{name}_" if name in ("and", "or", "not", "is") else f"operator.{name}"
    torch_function = _TABLE_TORCH.match(target)
    if torch_function:
        return f"torch.{torch_function[1]}"
    method = _TABLE_TENSOR.match(target)
    return f"torch.Tensor.{method[1]}" if method else target


def _arguments(graph: Graph, node: Node) -> tuple[list[Value], list[list[Value]]]:
    value = printed_value if graph.form == "graph_str" else python_value
    reads = frozenset(node.reads)
    if node.opcode == OUTPUT:
        return [_returned(graph, node, reads)], []
    if graph.form in ("code", "readable"):
        special = _of_expression(graph, node, reads)
        if special is not None:
            return special, []
    found = arguments(graph, node)
    if not found.positional and not found.keyword:
        _check_empty(graph, node)
    positional = [value(one.text, reads) for one in found.positional]
    return positional, [[key, value(one.text, reads)] for key, one in found.keyword]


def _check_empty(graph: Graph, node: Node) -> None:
    """Nothing was found: is nothing there?"""
    stretch = parts(graph, node).args
    text = graph.page.text[stretch[0] : stretch[1]] if stretch else ""
    if re.sub(r"\s+", "", text) not in ("()", "(args=(),kwargs={})", "(){}"):
        raise UnreadableError("arguments that cannot be taken apart")


def _returned(graph: Graph, node: Node, reads: Collection[str]) -> Value:
    stretch = parts(graph, node).args
    if stretch is None:
        raise UnreadableError("no returned value")
    text = graph.page.text[stretch[0] : stretch[1]].strip()
    if graph.form == "graph_str":
        return printed_value(text, reads)
    if graph.form == "tabular":
        value = python_value(re.sub(r"\s*\{\}\Z", "", text), reads)
        return value["t"][0] if isinstance(value, dict) and len(value.get("t", ())) == 1 else value
    unflattened = _UNFLATTEN.match(text)
    return python_value(unflattened[1] if unflattened else text, reads)


def _of_expression(graph: Graph, node: Node, reads: Collection[str]) -> list[Value] | None:
    """Operands of what code writes without a call: `-x`, `x += y`, `x[0] = y`, `x.shape`; None for all else."""
    target = node.target
    if node.opcode in (CALL_METHOD, CALL_MODULE) or not target.startswith(("operator.", "builtins.getattr")):
        return None
    start, end = expression_of(graph, node)
    text = graph.page.text[start:end]
    if target == "builtins.getattr":
        receiver, _, attribute = text.rpartition(".")
        return [python_value(receiver, reads), {"s": attribute}] if receiver.isidentifier() else None
    if target == "operator.setitem":
        item = _SET_ITEM.match(text)
        return [python_value(part, reads) for part in item.groups()] if item else None
    if target in _IN_PLACE:
        sides = _AUGMENTED.match(text)
        return [python_value(part, reads) for part in sides.groups()] if sides else None
    if target in _PREFIXES:
        operand = _UNARY.match(text)
        return [python_value(operand[2], reads)] if operand else None
    return None


_IN_PLACE = frozenset(
    f"operator.i{name}"
    for name in "add and_ and floordiv lshift mod mul matmul or or_ pow rshift sub truediv xor".split()
)
_PREFIXES = frozenset({"operator.neg", "operator.pos", "operator.invert", "operator.not_"})
