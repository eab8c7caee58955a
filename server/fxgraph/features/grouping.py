"""The nodes of a graph put together by submodule, else by source line: only on grounds that the text gives.

Printed graphs are flat. What belongs together is told by the target of a `call_module`, and by the parameters that
a node reads: their attribute stands in the target of a `get_attr`, in the signature of an exported program, or in the
name that dynamo or export gives the input. Nodes between two that belong to one submodule stand in its stretch; it says
how many have a ground of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from fxgraph.graph import CALL_MODULE, GET_ATTR, OUTPUT, PLACEHOLDER, Graph, Node
from fxgraph.reading import SourceLine, nodes_by_comment

#: Smaller graphs are seen at one glance.
FEWEST_NODES = 20
#: So many submodules in a row that look alike are told as one.
FEWEST_ALIKE = 3
#: A turn of a loop over layers is looked for up to so many source lines.
MOST_LINES = 60

BY_CALL, BY_ATTRIBUTE = "call_module targets", "attributes that get_attr names"
BY_SIGNATURE, BY_NAME, BY_LINE = "the signature", "names of parameters", "`# File` lines"

_PREFIX = re.compile(r"[Ll]_+self_+")
_STORE = re.compile(r"_(?:parameters|buffers)_")
#: `layers_0` of `p_layers_0_attn_weight`: where the next dot stands cannot be told, and need not.
_NUMBERED = re.compile(r"(?:[pb]|[Ll]_+self)_+(\w+?_\d+)_")
_TO_NUMBER = re.compile(r"(\w+?_\d+)(?:_|\Z)")
_NUMBER = re.compile(r"(.*?)(\d+)$")


class Group(NamedTuple):
    """A stretch of nodes, `Graph.nodes[start:end]`. `grounded` of them have a ground of their own."""

    label: str
    start: int
    end: int
    grounded: int

    @property
    def words(self) -> str:
        """`29 nodes (6 told, 23 between)`: how many have a ground, and how many stand between these."""
        count = self.end - self.start
        nodes = f"{count:,} node{'' if count == 1 else 's'}"
        between = count - self.grounded
        return f"{nodes} ({self.grounded:,} told, {between:,} between)" if between else nodes


class Run(NamedTuple):
    """Groups that look the same, one after another: same opcodes, targets and types.

    Submodules: each group is a turn. Source lines: the lines of one turn follow each other as often as it has `times`.
    """

    groups: list[Group]
    times: int

    @property
    def label(self) -> str:
        """`layers.0 ... layers.31`, `model.py:17 ... model.py:25`."""
        turn = len(self.groups) // self.times
        last = self.groups[-1] if turn == 1 else self.groups[turn - 1]
        return (
            self.groups[0].label if last.label == self.groups[0].label else f"{self.groups[0].label} ... {last.label}"
        )

    @property
    def words(self) -> str:
        """`12 times the same: 29 nodes`, those of one turn; of source lines also their number."""
        turn = len(self.groups) // self.times
        nodes = self.groups[turn - 1].end - self.groups[0].start
        lines = f"{turn} lines, " if turn > 1 else ""
        return f"{self.times:,} times the same: {lines}{nodes:,} nodes"

    @property
    def start(self) -> int:
        """Index of its first node."""
        return self.groups[0].start

    @property
    def end(self) -> int:
        """Index behind its last node."""
        return self.groups[-1].end


class Grouping(NamedTuple):
    """How a graph falls apart: `grounds` in words, and its groups in order, alike ones put together."""

    grounds: list[str]
    parts: list[Group | Run]


def stretch_of(graph: Graph, part: Group | Run) -> tuple[int, int]:
    """From the first of its nodes in the text to the last, as page offsets."""
    first, last = graph.nodes[part.start], graph.nodes[part.end - 1]
    if first.opcode == PLACEHOLDER:  # inputs are in the order of the parameters
        nodes = graph.nodes[part.start : part.end]
        return min(node.begin for node in nodes), max(node.end for node in nodes)
    return first.begin, last.end


def grouping_of(graph: Graph) -> Grouping | None:
    """The groups of a graph, or None where nothing tells two of them, or it is small."""
    found = modules_of(graph)
    if found is not None or len(graph.nodes) < FEWEST_NODES:
        return found
    groups = _line_groups(graph)
    return Grouping([BY_LINE], list(_turns(graph, groups))) if len(groups) > 1 else None


def modules_of(graph: Graph) -> Grouping | None:
    """The same, where submodules tell the groups."""
    if len(graph.nodes) < FEWEST_NODES:
        return None
    modules, grounds = _module_labels(graph)
    groups = list(_stretches(modules))
    return Grouping(grounds, list(_numbered_runs(graph, groups))) if len(groups) > 1 else None


def _module_labels(graph: Graph) -> tuple[dict[int, str], list[str]]:
    """By index: the submodule of each node with a ground; and the grounds."""
    attributes = graph.signature.get("inputs_to")
    holders: dict[str, str] = {}
    labels: dict[int, str] = {}
    grounds: dict[str, None] = {}
    for node in graph.nodes:
        if node.opcode == CALL_MODULE:
            labels[node.index] = _block(node.target)
            grounds[BY_CALL] = None
            continue
        if node.opcode in (GET_ATTR, PLACEHOLDER):
            found = _holder(node, attributes if isinstance(attributes, dict) else {})
            if found is not None:
                holders[node.name] = found[0]
                grounds[found[1]] = None
            continue
        if holders and node.opcode != OUTPUT:
            read = {holders[name] for name in node.reads if name in holders}
            if len(read) == 1:
                labels[node.index] = read.pop()
    return labels, list(grounds)


def _holder(node: Node, attributes: dict[str, object]) -> tuple[str, str] | None:
    """The submodule that holds what an input or a `get_attr` gives, and the ground for saying so."""
    if node.opcode == GET_ATTR:
        module, _, _ = node.target.rpartition(".")
        return (_block(module), BY_ATTRIBUTE) if module else None
    if attributes:
        module, _, _ = str(attributes.get(node.name, "")).rpartition(".")
        return (_block(module), BY_SIGNATURE) if module else None
    prefix = _PREFIX.match(node.target)
    stores = list(_STORE.finditer(node.target))
    if prefix is not None and stores and node.target.startswith("modules_", prefix.end()):
        words = node.target[prefix.end() + len("modules_") : stores[-1].start()]
        return _block(words.replace("_modules_", ".")), BY_NAME
    numbered = _NUMBERED.match(node.target)
    return (numbered[1], BY_NAME) if numbered else None


def _block(path: str) -> str:
    """Down to the first number: `layers.0` of `layers.0.attn.q_proj`; without one, two steps at most.

    Older releases of dynamo write `L__self___layers_0_attn_q_proj`.
    """
    prefix = _PREFIX.match(path)
    if prefix is not None:
        numbered = _TO_NUMBER.match(path, prefix.end())
        return numbered[1] if numbered else path[prefix.end() :] or path
    steps = path.split(".")
    number = next((place for place, step in enumerate(steps) if step.isdecimal()), 1)
    return ".".join(steps[: number + 1])


def _line_groups(graph: Graph) -> list[Group]:
    groups: list[Group] = []
    known: dict[tuple[str, int, str | None], str] = {}
    for source, nodes in nodes_by_comment(graph):
        place = (source.path, source.line, source.code)
        label = known.get(place) or known.setdefault(place, _line(source))
        start, grounded = nodes[0].index, len(nodes)
        if groups and groups[-1].label == label:
            last = groups.pop()
            start, grounded = last.start, last.grounded + grounded
        groups.append(Group(label, start, nodes[-1].index + 1, grounded))
    return groups


def _line(source: SourceLine) -> str:
    name = source.path[max(source.path.rfind("/"), source.path.rfind("\\")) + 1 :]
    return f"{name}:{source.line}" + (f": {source.code}" if source.code else "")


def _stretches(labels: dict[int, str]) -> Iterator[Group]:
    """From the first to the last node of one label, while none of another comes between."""
    label, start, end, grounded = "", 0, 0, 0
    for index, here in labels.items():
        if here != label:
            if grounded:
                yield Group(label, start, end, grounded)
            label, start, grounded = here, index, 0
        end = index + 1
        grounded += 1
    if grounded:
        yield Group(label, start, end, grounded)


def _numbered_runs(graph: Graph, groups: list[Group]) -> Iterator[Group | Run]:
    """Submodules whose numbers follow each other and that look the same, as runs."""
    shapes = [_shape(graph, group) for group in groups]
    follows = [
        _is_next(one.label, two.label) and shapes[place] == shapes[place + 1] is not None
        for place, (one, two) in enumerate(pairwise(groups))
    ]
    place = 0
    while place < len(groups):
        last = place
        while last < len(follows) and follows[last]:
            last += 1
        turns = last - place + 1
        if turns >= FEWEST_ALIKE:
            yield Run(groups[place : last + 1], turns)
        else:
            yield from groups[place : last + 1]
        place = last + 1


def _turns(graph: Graph, groups: list[Group]) -> Iterator[Group | Run]:
    """Source lines that follow each other in the same way again and again, as runs: the body of a loop over layers."""
    numbers: dict[tuple[str, int | None], int] = {}  # lines and shapes, numbered: numbers are compared faster
    shapes = [numbers.setdefault((group.label, _shape(graph, group)), len(numbers)) for group in groups]
    following = _next_of_same(shapes)
    place = 0
    while place < len(groups):
        best = (1, 1)
        most = min(MOST_LINES, (len(groups) - place) // FEWEST_ALIKE)
        turn = following[place]
        while (length := turn - place) <= most:
            times = 1
            while shapes[place : place + length] == shapes[place + times * length : place + (times + 1) * length]:
                times += 1
            if times >= FEWEST_ALIKE and times * length > best[0] * best[1]:
                best = (times, length)
            turn = following[turn]
        times, length = best
        if times > 1:
            yield Run(groups[place : place + times * length], times)
        else:
            yield groups[place]
        place += times * length


def _next_of_same(shapes: list[int]) -> list[int]:
    """For each place where the same shape stands next; far behind the end where it does not."""
    never = len(shapes) + len(shapes) + MOST_LINES
    found = [never] * len(shapes)
    last: dict[int, int] = {}
    for place in range(len(shapes) - 1, -1, -1):
        found[place] = last.get(shapes[place], never)
        last[shapes[place]] = place
    return found


def _shape(graph: Graph, group: Group) -> int | None:
    """A number that is the same for groups of the same opcodes, targets below the submodule, and types.

    None where a group calls its own submodule: what that computes is not in the text.
    """
    label = group.label
    parts: list[str | None] = []
    for node in graph.nodes[group.start : group.end]:
        target = node.target
        if node.opcode in (CALL_MODULE, GET_ATTR):
            if node.opcode == CALL_MODULE and target == label:
                return None
            target = target.removeprefix(label)
        parts += (node.opcode, target, node.type)
    return hash(tuple(parts))


def _is_next(one: str, two: str) -> bool:
    """`layers.1` behind `layers.0`, or in front of it, as in a backward graph."""
    first, second = _NUMBER.fullmatch(one), _NUMBER.fullmatch(two)
    if first is None or second is None or first[1] != second[1] or max(len(first[2]), len(second[2])) > 9:
        return False
    return abs(int(first[2]) - int(second[2])) == 1
