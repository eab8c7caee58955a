"""The hover of an opcode word: what this one of the six does (torch/fx/node.py, the documentation of `Node`)."""

from __future__ import annotations

from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER

_MEANINGS = {
    PLACEHOLDER: "an input of the graph. The target is the name of the argument; a default value stands behind it.",
    GET_ATTR: "fetches an attribute of the module that owns the graph: a parameter, a buffer, a constant or a graph. "
    "The target is its dotted path.",
    CALL_FUNCTION: "calls a free function: an operator of `torch.ops`, a function of torch or of Python. "
    "The target is the function.",
    CALL_METHOD: "calls a method of its first argument. The target is the method's name.",
    CALL_MODULE: "calls a submodule's `forward`. The target is its dotted path in the module that owns the graph.",
    OUTPUT: "what the graph returns. It stands last, and counts as a user of every node in it.",
}


def opcode_text(opcode: str) -> str:
    """What an opcode does, in two sentences."""
    return f"**{opcode}**: {_MEANINGS[opcode]}"
