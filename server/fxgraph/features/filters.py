"""Which nodes of a graph are asked for: `target=aten.mm`, `dtype=f16`, `dead`, `unused`, `module=layers.0`, ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from fxgraph.analysis import Facts
from fxgraph.features.hovers.types import DTYPES
from fxgraph.features.modules import module_grounds
from fxgraph.features.summary import short_target
from fxgraph.graph import OPCODES, Graph, Node
from fxgraph.reading import tensor_type

#: Takes the facts of a graph and gives a test for its nodes.
Test = Callable[[Facts], Callable[[Node], bool]]

KNOWN = "target=NAME, dtype=f16, op=OPCODE, name=NAME, module=PATH, dead, unused"

_DTYPE_NAMES = {name: short for short, name in DTYPES.items()}
_OPCODE_KEYS = frozenset({"op", "opcode"})


class Filter(NamedTuple):
    """One condition. `test` is what decides; `text` is how it was written; `module` its path, if it asks for one."""

    text: str
    test: Test
    module: str | None = None


def parse_filters(words: Iterable[str]) -> list[Filter]:
    """Conditions as written, with commas or blanks between them; a node must meet all.

    Raises ValueError with a message for the user.
    """
    return [_parse(word) for given in words for word in given.replace(",", " ").split()]


def selected(filters: Sequence[Filter], facts: Facts) -> list[Node]:
    """The nodes of a graph that meet all conditions, in order."""
    tests = [one.test(facts) for one in filters]
    return [node for node in facts.graph.nodes if all(test(node) for test in tests)]


def _parse(word: str) -> Filter:
    key, sign, value = word.partition("=")
    key = key.lower()
    if not sign and key == "dead":
        return Filter(word, lambda facts: lambda node: node.index in facts.dead)
    if not sign and key == "unused":
        return Filter(word, lambda facts: lambda node: node.index in facts.unused)
    if not (sign and value):
        raise ValueError(f"unknown filter {word!r}; known are {KNOWN}")
    if key == "target":
        return Filter(word, _of_node(lambda node: target_matches(node.target, value)))
    if key == "name":
        return Filter(word, _of_node(lambda node: fnmatchcase(node.name, value)))
    if key == "dtype":
        dtype = _DTYPE_NAMES.get(value.removeprefix("torch."), value)
        return Filter(word, _of_node(lambda node: _dtype(node) == dtype))
    if key in _OPCODE_KEYS:
        if value not in OPCODES:
            raise ValueError(f"unknown opcode {value!r}; known are {', '.join(OPCODES)}")
        return Filter(word, _of_node(lambda node: node.opcode == value))
    if key == "module":
        return Filter(word, lambda facts: _in_module(facts.graph, value), value)
    raise ValueError(f"unknown filter {word!r}; known are {KNOWN}")


def _of_node(test: Callable[[Node], bool]) -> Test:
    """A test that needs no facts of the graph."""
    return lambda _: test


def target_matches(target: str, wanted: str) -> bool:
    """Whether a target is what was asked for: the whole of it, a packet for its overloads, its bare name, or a glob.

    `aten.mm`, `torch.ops.aten.mm` and `mm` all take `torch.ops.aten.mm.default`; `relu` takes `torch.relu`, too.
    """
    target, wanted = short_target(target), short_target(wanted)
    return (
        target == wanted
        or target.startswith(wanted + ".")
        or wanted in target.split(".")[-2:]
        or fnmatchcase(target, wanted)
    )


def _dtype(node: Node) -> str | None:
    tensor = tensor_type(node.type) if node.type else None
    return None if tensor is None else tensor.dtype


def _in_module(graph: Graph, path: str) -> Callable[[Node], bool]:
    grounds = module_grounds(graph, path)
    return lambda node: node.index in grounds
