"""Which nodes belong to a submodule, as far as a text tells."""

from __future__ import annotations

import re

from fxgraph.graph import CALL_MODULE, GET_ATTR, PLACEHOLDER, Graph, Node

#: How dynamo spells a parameter's path (torch/_dynamo/source.py): `L_self_modules_fc_parameters_weight_`.
_DYNAMO = re.compile(r"^[Ll]_+self_+(?:(?:modules|_modules)_)?")
#: How export spells it (torch/_export/utils.py `placeholder_prefixes`): `p_fc_weight`, `b_bn_running_mean`.
_EXPORT = re.compile(r"^[pb]_")


def module_grounds(graph: Graph, path: str) -> dict[int, str]:
    """Nodes (by index) that belong to the submodule `path` or to what lies in it, each with the ground for saying so.

    Grounds: the target of a `call_module` or `get_attr`; the attribute that a signature names for an input; the name of
    an input (a guess: `_` may be a dot); reading one of these attributes.
    """
    grounds: dict[int, str] = {}
    attributes = graph.signature.get("inputs_to")
    for node in graph.nodes:
        ground = _own_ground(node, path, attributes if isinstance(attributes, dict) else {})
        if ground is not None:
            grounds[node.index] = ground
    held = {graph.nodes[index].name for index in grounds if graph.nodes[index].opcode in (GET_ATTR, PLACEHOLDER)}
    if held:
        for node in graph.nodes:
            if node.index not in grounds and node.opcode != "output" and not held.isdisjoint(node.reads):
                grounds[node.index] = "reads an attribute of it"
    return grounds


def _own_ground(node: Node, path: str, attributes: dict[str, object]) -> str | None:
    if node.opcode in (CALL_MODULE, GET_ATTR) and _lies_in(node.target, path):
        return f"{node.opcode} target"
    if node.opcode == PLACEHOLDER:
        attribute = attributes.get(node.name)
        if attribute is not None:
            return "signature" if _lies_in(str(attribute), path) else None
        if _named_for(node.target, path) or _named_for(node.name, path):
            return "name of the input"
    return None


def _lies_in(target: str, path: str) -> bool:
    return target == path or target.startswith(path + ".")


def _named_for(name: str, path: str) -> bool:
    parts = path.split(".")
    if _EXPORT.match(name):
        return (name[2:] + "_").startswith("_".join(parts) + "_")
    found = _DYNAMO.match(name)
    if not found or "modules" not in name[: found.end()]:
        return False
    # Between two parts stands `_modules_`, or `.children()`-like spellings that older releases wrote as one `_`.
    pattern = r"_+(?:_?modules_+)?".join(re.escape(part) for part in parts)
    return re.match(rf"{pattern}(?:_|$)", name[found.end() :]) is not None
