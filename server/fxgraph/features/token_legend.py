"""The kinds of words in a dump that editors colour: LSP's own token types and modifiers where they fit.

Loads nothing: the server tells it before the readers are there.
"""

from __future__ import annotations

from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER

#: All are in LSP's `SemanticTokenTypes`: every theme has colours for them.
TYPES = (
    "namespace",  # `torch.ops.aten`, `torch.nn.functional`
    "function",  # the operator packet or function
    "method",  # target of call_method
    "class",  # target of call_module
    "variable",  # a node: a call's value
    "parameter",  # an input, its target; the keyword of an argument
    "property",  # an attribute, its target; an overload
    "type",  # what is printed as a node's type
    "keyword",  # opcodes, `return`
    "comment",
    "number",
    "string",
    "operator",  # `+`
    "enumMember",  # constants: `None`, `True`, `torch.float32`
)
NAMESPACE, FUNCTION, METHOD, CLASS, VARIABLE, PARAMETER, PROPERTY, TYPE = range(8)
KEYWORD, COMMENT, NUMBER, STRING, OPERATOR, CONSTANT = range(8, 14)

#: `definition` is LSP's; the others are ours.
MODIFIERS = (
    "definition",
    "dead",  # the definition of a node that can be left out
    "lastUse",  # a read behind which the value can be freed
    "freed",  # a name in the list that is set to None
    "overload",
    # opcodes by kind
    "input",
    "attribute",
    "callFunction",
    "callMethod",
    "callModule",
)
DEFINITION, DEAD, LAST_USE, FREED, OVERLOAD = (1 << place for place in range(5))
_INPUT, _ATTRIBUTE, _CALL_FUNCTION, _CALL_METHOD, _CALL_MODULE = (1 << place for place in range(5, 10))

#: Opcode -> modifiers of the opcode itself.
OPCODE_MODIFIERS = {
    PLACEHOLDER: _INPUT,
    GET_ATTR: _ATTRIBUTE,
    CALL_FUNCTION: _CALL_FUNCTION,
    CALL_METHOD: _CALL_METHOD,
    CALL_MODULE: _CALL_MODULE,
    OUTPUT: 0,
}
#: Opcode -> type of the node's name, where it is defined and where it is read.
NAME_TYPES = {PLACEHOLDER: PARAMETER, GET_ATTR: PROPERTY}

#: (offset in the text, length, type, modifiers)
Piece = tuple[int, int, int, int]
