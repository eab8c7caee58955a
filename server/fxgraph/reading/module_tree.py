"""The modules beside a graph: in the tree above the code of `print(gm)`, in the `__init__` of a written module.

torch/nn/modules/module.py `Module.__repr__`, torch/fx/graph_module.py `to_folder`, torch/_dynamo/debug_utils.py
`NNModuleToString`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from fxgraph.graph import CALL_MODULE, GET_ATTR, Graph

_TREE = re.compile(r"^([ \t]*)[A-Za-z_]\w*\(\n(?=\1  \()", re.MULTILINE)
_CHILD = re.compile(r"\(([^()\n]+)\): (?:\d+ x )?([A-Za-z_]\w*\(.*)\Z")
_REPEATED = re.compile(r"(\d+)-(\d+)\Z")
_MOST_REPEATED = 1000
#: Modules of all trees of a text: a line of ours may stand for a thousand.
_MOST_LEAVES = 100_000
_DEEPEST = 50
_WRITTEN = re.compile(
    r"^[ \t]+(?:self\.(?P<name>\w+(?:\.\w+)*) = |setattr\(self, '(?P<set>\w+)', )(?P<module>[A-Z]\w*\([^\n]*?\))"
    r"(?:\.cuda\(\))?\)?[ \t]*$",
    re.MULTILINE,
)


class _Tree(NamedTuple):
    """A printed tree: where it begins and ends, and the modules in it that hold no others, by path."""

    start: int
    end: int
    leaves: dict[str, str]


def modules_beside(graph: Graph) -> dict[str, str]:
    """By path, how a module without children is printed: `{"layers.0": "Linear(in_features=6, out_features=8, ...)"}`.

    A tree counts that stands right above the graph, or that knows all the modules which the graph calls; of several
    such ones only what they agree about.
    """
    written = _written(graph)
    called = [node.target for node in graph.nodes if node.opcode == CALL_MODULE and node.target not in written]
    if not called and not any(node.opcode == GET_ATTR and "." in node.target for node in graph.nodes):
        return written
    trees = list(_trees(graph.page.text))
    above = next(
        (one for one in trees if not graph.page.text[one.end : graph.begin].strip() and one.end <= graph.begin), None
    )
    if above is not None:
        return {**above.leaves, **written}
    holding = [one.leaves for one in trees if called and all(path in one.leaves for path in called)]
    return {**_common(holding), **written}


def _common(found: list[dict[str, str]]) -> dict[str, str]:
    if not found:
        return {}
    return {path: text for path, text in found[0].items() if all(one.get(path) == text for one in found)}


def _written(graph: Graph) -> dict[str, str]:
    """What the `__init__` above `forward` makes."""
    first = graph.nodes[0].begin if graph.nodes else graph.end
    found = {}
    for match in _WRITTEN.finditer(graph.page.text, graph.begin, first):
        found[match["name"] or match["set"]] = match["module"]
    return found


def _trees(text: str) -> Iterable[_Tree]:
    at = found = 0
    while found < _MOST_LEAVES and (match := _TREE.search(text, at)) is not None:
        at, leaves = _leaves(text, match.end(), len(match[1]), _MOST_LEAVES - found)
        found += len(leaves)
        yield _Tree(match.start(), at, leaves)


def _leaves(text: str, at: int, indent: int, at_most: int) -> tuple[int, dict[str, str]]:
    """The leaves of a tree whose lines begin at `at`, and the offset behind the tree, or behind what is left of it."""
    leaves: dict[str, str] = {}
    around: list[list[str]] = [[""]]  # what stands in front of the names at each depth
    while at < len(text) and len(leaves) < at_most:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        bare = line.strip()
        depth = (len(line) - len(line.lstrip()) - indent) // 2
        at = end + 1
        if bare == ")" and depth < len(around):
            if depth == 0:
                return min(at, len(text)), leaves
            del around[depth + 1 :]
            continue
        child = _CHILD.match(bare)
        if depth < 1 or depth > min(len(around), _DEEPEST) or (child is None and depth == len(around) and not bare):
            return min(end, len(text)), leaves
        if child is None:
            continue  # a line of the module's own words
        del around[depth:]
        names = _names(child[1])
        paths = list(islice((front + name for front in around[-1] for name in names), _MOST_REPEATED))
        if child[2].endswith(")"):
            leaves.update(dict.fromkeys(paths, child[2]))
        else:
            around.append([path + "." for path in paths])
    return min(at, len(text)), leaves


def _names(name: str) -> list[str]:
    """`0-2` of `(0-2): 3 x Linear(...)` stands for three."""
    repeated = _REPEATED.match(name)
    if repeated is None:
        return [name]
    first, last = int(repeated[1]), int(repeated[2])
    return [str(number) for number in range(first, min(last, first + _MOST_REPEATED) + 1)]
