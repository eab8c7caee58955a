"""The modules beside a graph: in the tree above the code of `print(gm)`, in the `__init__` of a written module.

torch/nn/modules/module.py `Module.__repr__`, torch/fx/graph_module.py `to_folder`, torch/_dynamo/debug_utils.py
`NNModuleToString`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from fxgraph.graph import CALL_MODULE, GET_ATTR, OUTPUT, Graph

_TREE = re.compile(r"^([ \t]*)[A-Za-z_]\w*\(\n(?=\1  \()", re.MULTILINE)
_CHILD = re.compile(r"\(([^()\n]+)\): (?:\d+ x )?([A-Za-z_]\w*\(.*)\Z")
_REPEATED = re.compile(r"(\d+)-(\d+)\Z")
_MOST_REPEATED = 1000
#: Modules of all trees of a text: a line of ours may stand for a thousand.
_MOST_LEAVES = 100_000
_DEEPEST = 50
_CODE = ("code", "readable")
#: Lines of other text that may stand between what belongs together.
_MOST_BETWEEN = 3
#: torch/fx/graph_module.py `GraphModule.__str__` writes it below the code.
_ADVICE = "# To see more debug info"
_WRITTEN = re.compile(
    r"^[ \t]+(?:self\.(?P<name>\w+(?:\.\w+)*) = |setattr\(self, '(?P<set>\w+)', )(?P<module>[A-Z]\w*\([^\n]*?\))"
    r"(?:\.cuda\(\))?\)?[ \t]*$",
    re.MULTILINE,
)


class Beside(NamedTuple):
    """The modules of a graph.

    modules  by path, how a module without children is printed: `{"layers.0": "Linear(in_features=6, ...)"}`; of one
             with children only its beginning, `"MultiheadAttention("`
    tree     page offset of the tree that they stand in; None where an `__init__` makes them, or there are none
    unclear  page offset of a tree that may be another model's, where none is clearly this graph's
    """

    modules: dict[str, str]
    tree: int | None = None
    unclear: int | None = None


class _Tree(NamedTuple):
    """A printed tree: where it begins and ends, and the modules in it by path."""

    begin: int
    end: int
    modules: dict[str, str]


def modules_beside(graph: Graph, graphs: Sequence[Graph]) -> Beside:
    """The modules of a graph that no other graph holds; `graphs` are all those of the dump.

    A tree counts for the graph right below it, and for the same graph printed again in another form. Where two trees
    or two graphs leave open what belongs together, none counts: models of the same class differ in their sizes alone.
    """
    written = _written(graph)
    called = [node.target for node in graph.nodes if node.opcode == CALL_MODULE and node.target not in written]
    if not called and not any(node.opcode == GET_ATTR and "." in node.target for node in graph.nodes):
        return Beside(written)
    roots = [one for one in graphs if one.parent is None and one.page is graph.page]
    trees = [tree for tree in _trees(graph.page.text) if not any(one.begin <= tree.begin < one.end for one in roots)]
    if not trees:
        return Beside(written)
    found = _Page(graph.page.text, [*trees, *roots]).tree_of(graph)
    if found is None:
        return Beside(written, unclear=trees[0].begin)
    return Beside({**found.modules, **written}, tree=found.begin)


class _Page:
    """Trees and graphs in the order of the text."""

    def __init__(self, text: str, items: list[_Tree | Graph]) -> None:
        self.text = text
        self.items = sorted(items, key=lambda item: item.begin)

    def tree_of(self, graph: Graph) -> _Tree | None:
        place = next(place for place, item in enumerate(self.items) if item is graph)
        if self.is_attached(place):
            return self.tree(place - 1)
        above, below = self.above(place), self.below(place)
        if above is not None and below is not None and above.modules != below.modules:
            # Graphs behind their trees from the first one to the last: then this one is, too.
            last = len(self.items) - 1
            behind = self.tree(0) is not None and self.tree(last) is None and not self.is_attached(last)
            return above if behind else None
        return above or below

    def tree(self, place: int) -> _Tree | None:
        item = self.items[place] if 0 <= place < len(self.items) else None
        return item if isinstance(item, _Tree) else None

    def graph(self, place: int) -> Graph | None:
        item = self.items[place] if 0 <= place < len(self.items) else None
        return item if isinstance(item, Graph) else None

    def is_attached(self, place: int) -> bool:
        """Whether it is code with its tree above it, as `print(gm)` writes both."""
        graph, tree = self.graph(place), self.tree(place - 1)
        return (
            graph is not None
            and tree is not None
            and graph.form in _CODE
            and not self.text[tree.end : graph.begin].strip()
        )

    def is_near(self, place: int) -> bool:
        """Whether hardly anything stands between an item and the one behind it."""
        between = self.text[self.items[place].end : self.items[place + 1].begin]
        lines = [line for line in between.splitlines() if line.strip() and not line.startswith(_ADVICE)]
        return len(lines) <= _MOST_BETWEEN

    def above(self, place: int) -> _Tree | None:
        """The tree above a graph, with nothing but the same graph in other forms between."""
        between = self.chain(place, -1)
        at = place - len(between)
        tree = self.tree(at - 1)
        if tree is None or not self.is_near(at - 1) or not _knows(tree, self.items[place]):
            return None
        if self.is_attached(at):
            return tree
        before = self.graph(at - 2)
        if self.tree(at - 2) is not None or (before is not None and self.may_be_of(at - 2, tree)):
            return None
        return tree

    def below(self, place: int) -> _Tree | None:
        """The tree below a graph, with nothing but the same graph in other forms between."""
        between = self.chain(place, +1)
        at = place + len(between) + 1
        tree = self.tree(at)
        if tree is None or not self.is_near(at - 1) or not _knows(tree, self.items[place]) or self.tree(at + 1):
            return None
        behind = self.graph(at + 1)
        if behind is not None:
            mine = [self.items[place], *between]
            if self.is_attached(at + 1):
                if not all(isinstance(one, Graph) and _is_again(behind, one) for one in mine):
                    return None
            elif _knows(tree, behind):
                return None
        before = place - 1
        while (other := self.graph(before)) is not None:
            if _knows(tree, other) and not _is_again(other, self.items[place]):
                return None
            before -= 1
        return tree

    def may_be_of(self, place: int, tree: _Tree) -> bool:
        """Whether the graph above a tree, which has no tree above itself, may be of this one."""
        while self.graph(place) is not None:
            if _knows(tree, self.items[place]):
                first = place - len(self.chain(place, -1))
                return self.tree(first - 1) is None
            place -= 1
        return False

    def chain(self, place: int, step: int) -> list[Graph]:
        """The neighbours on one side that are the same graph in other forms, all forms different."""
        graph = self.graph(place)
        found: list[Graph] = []
        while graph is not None and (other := self.graph(place + step)) is not None:
            if not self.is_near(min(place, place + step)):
                break
            if not all(_is_again(one, other) for one in [graph, *found]):
                break
            found.append(other)
            place += step
        return found


def _knows(tree: _Tree, graph: _Tree | Graph) -> bool:
    """Whether all modules that a graph calls are in the tree."""
    if isinstance(graph, _Tree):
        return False
    called = [node.target for node in graph.nodes if node.opcode == CALL_MODULE and node.target != "_guards_fn"]
    called += [node.target.rpartition(".")[0] for node in graph.nodes if node.opcode == GET_ATTR and "." in node.target]
    return bool(called) and all(path in tree.modules for path in called)


def _is_again(one: Graph, other: _Tree | Graph) -> bool:
    """Whether two graphs are one, printed in two forms."""
    return isinstance(other, Graph) and one.form != other.form and _outline(one) == _outline(other)


def _outline(graph: Graph) -> list[tuple[str, str, str]]:
    return [
        (node.name, node.opcode, node.target if node.opcode == CALL_MODULE else "")
        for node in graph.nodes
        if node.opcode != OUTPUT
    ]


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
    """The modules of a tree whose lines begin at `at`, and the offset behind the tree, or behind what is left of it."""
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
            leaves.update(dict.fromkeys(paths, child[2]))
            around.append([path + "." for path in paths])
    return min(at, len(text)), leaves


def _names(name: str) -> list[str]:
    """`0-2` of `(0-2): 3 x Linear(...)` stands for three."""
    repeated = _REPEATED.match(name)
    if repeated is None:
        return [name]
    first, last = int(repeated[1]), int(repeated[2])
    return [str(number) for number in range(first, min(last, first + _MOST_REPEATED) + 1)]
