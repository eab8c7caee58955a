"""A target as it is printed, taken apart: namespace, packet and overload of an operator; module and function."""

from __future__ import annotations

import re
from functools import lru_cache

from fxgraph.features.token_legend import (
    CLASS,
    FUNCTION,
    METHOD,
    NAMESPACE,
    OPERATOR,
    OVERLOAD,
    PARAMETER,
    PROPERTY,
    Piece,
)
from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, GET_ATTR, PLACEHOLDER
from fxgraph.ops import split_target

_TARGET_TYPES = {PLACEHOLDER: PARAMETER, GET_ATTR: PROPERTY, CALL_METHOD: METHOD, CALL_MODULE: CLASS}

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_SIGN = re.compile(r"[^\w\s]+|in|is|not")


@lru_cache(4096)
def target_pieces(opcode: str, text: str) -> tuple[Piece, ...]:
    """The words of a target, by offsets in it; nothing where it goes over a line end."""
    if "\n" in text or not text:
        return ()
    if opcode != CALL_FUNCTION:
        return ((0, len(text), _TARGET_TYPES[opcode], 0),) if opcode in _TARGET_TYPES else ()
    if not _DOTTED.fullmatch(text):
        return ((0, len(text), OPERATOR if _SIGN.fullmatch(text) else FUNCTION, 0),)
    target = split_target(text)
    pieces: list[Piece] = []
    rest = text
    if target is not None and target.overload is not None and text.endswith(f".{target.packet}.{target.overload}"):
        rest = text[: -len(target.overload) - 1]
        pieces.append((len(rest) + 1, len(target.overload), PROPERTY, OVERLOAD))
    module, _, function = rest.rpartition(".")
    pieces.append((len(rest) - len(function), len(function), FUNCTION, 0))
    if module:
        pieces.append((0, len(module), NAMESPACE, 0))
    return tuple(reversed(pieces))
