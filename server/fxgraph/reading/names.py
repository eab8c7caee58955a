"""Names that read a node in Python text: argument lists, infix expressions, return lines, cells of a table."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Collection, Container, Iterable

from fxgraph.graph import Node
from fxgraph.reading.scan import statement_end, without_strings

#: Words that never name a node: torch/fx/graph.py `_Namespace._is_illegal_name` keeps nodes from the names of builtins,
#: keywords and its own globals (`_custom_builtins`).
CONSTANTS = (
    frozenset(dir(builtins))
    | frozenset(keyword.kwlist)
    | frozenset(["inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree", "self", "math", "operator"])
)

#: An identifier that is no attribute, no module in front of one, no callee, no keyword of a call, no part of a string.
NAME = re.compile(r"(?<![\w.%])[A-Za-z_]\w*(?![\w.(\"'])(?!\s*=(?!=))")
#: Names that sympy prints for sizes: not known to be nodes.
_SYMBOL = re.compile(r"(?:s|u|i|f|zf|zuf)\d+")
_WHOLE_ELEMENT_BEFORE = frozenset("([{, :\n\t")


def names_with_offsets(text: str, start: int, end: int) -> list[tuple[str, int]]:
    """Each bare name in [start, end) with its offset, strings and comments left out."""
    piece = without_strings(text[start:end])
    return [(m[0], start + m.start()) for m in NAME.finditer(piece) if m[0] not in CONSTANTS]


def maybe_names(text: str, start: int, end: int) -> list[tuple[str, int, bool]]:
    """Each bare word in [start, end) as `keep_reads` takes them: only the nodes tell whether it reads one."""
    piece = without_strings(text[start:end])
    return [(m[0], start + m.start(), True) for m in NAME.finditer(piece) if not keyword.iskeyword(m[0])]


def names(piece: str) -> list[str]:
    """The bare names in a piece of text, in its order."""
    return [name for name in NAME.findall(without_strings(piece)) if name not in CONSTANTS]


def returned(text: str, start: int, end: int) -> list[tuple[str, int, bool]]:
    """Names on the return line of print(graph): (name, offset, whether it may be something else than a node).

    The line is Python's `str()` of the returned value (torch/fx/node.py `Node.format_node`), so sizes stand on it as
    expressions: a name is surely a node only where it is an element by itself and no symbol of a size.
    """
    piece = without_strings(text[start:end])
    found = []
    for match in NAME.finditer(piece):
        name = match[0]
        if name in CONSTANTS:
            if not keyword.iskeyword(name):
                # export names its inputs as the user does (`input`), builtin or not: known once all nodes are
                found.append((name, start + match.start(), True))
            continue
        before = piece[match.start() - 1] if match.start() else " "
        after = piece[match.end()] if match.end() < len(piece) else ","
        doubtful = before not in _WHOLE_ELEMENT_BEFORE or after not in ",)]}" or _SYMBOL.fullmatch(name) is not None
        found.append((name, start + match.start(), doubtful))
    return found


def keep_reads(found: Iterable[tuple[str, int, bool]], defined: Container[str]) -> list[tuple[str, int]]:
    """Of (name, offset, doubtful), those that read a node: a doubtful name only where such a node is known."""
    found = list(found)
    sure = {name for name, _, doubtful in found if not doubtful}
    return [(name, offset) for name, offset, _ in found if name in sure or name in defined]


def settle(doubtful: Iterable[tuple[Node, list[tuple[str, int, bool]]]], defined: Container[str]) -> None:
    """Gives those nodes their reads whose names could not be told from other words before all nodes were known."""
    for node, found in doubtful:
        node.reads = tuple([name for name, _ in keep_reads(found, defined)])


_LAST_WORD = re.compile(r"(?<![\w.%])[A-Za-z_]\w*\Z")
#: Words that a whole return line can end with, beside the names of nodes.
_VALUES = ("None", "True", "False", "Ellipsis", "inf", "nan")
#: Words that begin something longer: `pytree.tree_unflatten([x], self._out_spec)`, `device(type='cpu')`.
_FRONTS = ("pytree", "fx_pytree", "self", "torch", "device")
#: A return line that is all front.
_UNFINISHED = re.compile(r"return[ \t]+(?:(?:(?:fx_)?pytree|self)(?:\.\w*)*|torch\.?|device)\Z")


def is_cut_return(
    text: str, begin: int, end: int, defined: Collection[str], freed: Callable[[], Iterable[str]]
) -> bool:
    """Whether the text ends inside of the return line [begin, end).

    A bracket is open, nothing is returned, or the text breaks off inside of a word: it is no name, but the front of one
    or of a value, or a name that was set to None above (`freed`, asked for only then).
    """
    if not statement_end(text, begin, end)[1] or not text[begin + len("return") : end].strip():
        return True
    if text.find("\n", end) >= 0:
        return False
    last = _LAST_WORD.search(text, max(begin, end - 1000), end)
    if last is None or last[0] in _FRONTS:
        return _UNFINISHED.match(text, begin, end) is not None
    if last[0] in _VALUES:
        return False
    if last[0] in defined:
        return last[0] in freed()
    return any(word.startswith(last[0]) for word in (*_VALUES, *_FRONTS, *defined))
