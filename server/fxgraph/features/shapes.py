"""The types of a graph's values: those that the dump prints, and those that torch computes from its operators.

Each says where it is from. Asking torch takes time and may fail: see `torchhost/client.py`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fxgraph.analysis import Finding, check, facts_of
from fxgraph.features.silence import without_silenced
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.told import tells_sizes
from fxgraph.graph import OUTPUT, Graph, Node
from fxgraph.reading import tensor_type
from fxgraph.torchhost.client import TorchHost
from fxgraph.torchhost.header_line import header_problems, rests_on
from fxgraph.torchhost.inputs import header_inputs, told_inputs
from fxgraph.torchhost.plain import plain

#: Methods and operators that give a tensor another shape in place: types printed above them may be those below.
_RESHAPES = re.compile(
    r"(?:^|\.)(?:t|transpose|swapaxes|swapdims|squeeze|unsqueeze|resize|resize_as|set|as_strided|sparse_resize)_(?:\.|$)"
    r"|\.(?:resize_storage_bytes_|set_data)"
)

_MOST_NAMES = 8
PRINTED = "printed"
PROPAGATED = "propagated"
SOURCE = "source"


class Value(NamedTuple):
    """What torch says of one value.

    type     `f32[2, 3]`, `Sym(s0 + 1)`, or None
    stride   of a tensor; a symbolic one is its text
    device   `cuda:0`
    bytes    of its elements, None where a size is symbolic
    parts    the values of a tuple
    number   the text of a plain number
    """

    type: str | None = None
    stride: tuple[int | str, ...] | None = None
    device: str | None = None
    bytes: int | None = None
    parts: tuple[Value, ...] = ()
    number: str | None = None

    @property
    def text(self) -> str:
        """`f32[2, 3]`, `(f32[2], i64[2])`, `3`; empty where there is nothing to tell."""
        if self.parts:
            return f"({', '.join(part.text or '?' for part in self.parts)}{',' if len(self.parts) == 1 else ''})"
        return self.type or self.number or ""


class Shape(NamedTuple):
    """What is known of one node's value.

    value   None where torch does not say
    given   it was made of a printed type: an input, or a node that stopped
    stop    why the node could not run
    waits   name of the node that stopped, which this one needs
    agrees  whether the printed type is what torch computes; None where that was not compared
    module  the class of torch.nn that a called module was taken for, by its print
    """

    value: Value | None
    given: bool = False
    stop: str | None = None
    waits: str | None = None
    agrees: bool | None = None
    module: str | None = None


@dataclass(slots=True)
class Shapes:
    """The shapes of a graph and of those nested in it, as far as they are known by now.

    torch    the version that computed them
    device   what was taken for inputs whose device is not printed
    assumed  words for what was taken for granted: strides, a device
    remarks  words for what the header line says and the text, or torch, does not take
    origin   where the types are from: `propagated`, `source`
    of       by index of the graph and of the node
    done     how many nodes torch has been through, of `total`
    unproven graphs, by index, whose types rest on what the header line says of inputs
    failed   why torch gave no answer, or not all of it
    parts    where these are the shapes of a whole file: those of each graph, by its index
    """

    torch: str = ""
    device: str = "cpu"
    origin: str = PROPAGATED
    assumed: list[str] = field(default_factory=list)
    of: dict[tuple[int, int], Shape] = field(default_factory=dict)
    done: int = 0
    total: int = 0
    remarks: list[str] = field(default_factory=list)
    unproven: set[int] = field(default_factory=set)
    failed: str | None = None
    parts: dict[int, Shapes] = field(default_factory=dict)

    def about(self, graph: Graph) -> Shapes:
        """What belongs to one graph of a file: what was assumed, remarked, why it failed."""
        return self.parts.get(graph.index, self)

    def shape(self, graph: Graph, node: Node) -> Shape | None:
        """The shape of a node, or None."""
        return self.of.get((graph.index, node.index))

    @property
    def stops(self) -> list[tuple[tuple[int, int], str]]:
        """Where it stopped, and why."""
        return [(place, shape.stop) for place, shape in sorted(self.of.items()) if shape.stop is not None]


def propagate(
    snapshot: Snapshot,
    graph: Graph,
    host: TorchHost,
    *,
    inputs: Mapping[str, str] | None = None,
    progress: Callable[[Shapes], None] | None = None,
    stopped: threading.Event | None = None,
) -> Shapes:
    """What torch computes for a graph that no other graph holds, and for those nested in it.

    inputs    types by name of the input, beside those that the text tells
    progress  takes the shapes known so far, now and then
    stopped   set it to stop

    Raises HostError where torch does not answer, StoppedError where it was stopped. The answer to a graph that did not
    change since is remembered by the host.
    """
    message, order = plain(snapshot.dump, graph, told_inputs(snapshot.dump, graph, inputs))
    hello = host.start(stopped)
    shapes = Shapes(torch=str(hello.get("torch", "")), total=sum(len(one.nodes) for one in order))
    shapes.remarks = header_problems(snapshot.dump, graph)
    if rests_on(graph, header_inputs(snapshot.dump.header.get("inputs", ""))) or inputs:
        shapes.unproven = {one.index for one in order}

    def take(nodes: list[Any]) -> None:
        for place, node, description in nodes:
            shapes.of[order[place].index, node] = _shape(description)

    def part(told: dict[str, Any]) -> None:
        take(told["nodes"])
        shapes.done = told["done"]
        if progress is not None:
            progress(shapes)

    answer = host.ask("propagate", message, progress=part, stopped=stopped)
    take(answer["nodes"])
    shapes.done = len(answer["nodes"])
    shapes.device = str(answer["device"])
    shapes.assumed = _assumed(message["graphs"][0]["nodes"], shapes.device)
    if answer.get("equal_symbols"):
        shapes.assumed.append("sizes with different symbols are equal where an operator needs it")
    shapes.assumed += _assumed_modules(answer, message.get("tree"))
    return shapes


def _assumed_modules(answer: dict[str, Any], line: int | None) -> list[str]:
    used = answer.get("used_modules")
    if not used:
        return []
    where = "" if line is None else f" in the module tree of line {line}"
    names = ", ".join([*used[:_MOST_NAMES], *(["..."] if len(used) > _MOST_NAMES else [])])
    alike = "a class of your own of such a name looks the same"
    assumed = [
        f"modules printed as {names}{where} are those of torch.nn: {alike}",
        "parameters of modules have the dtype and device of the floating-point input that they get",
    ]
    if answer.get("module_dtype"):
        dtype, printed = answer["module_dtype"]
        why = "the first floating-point type that is printed or told" if printed else "torch's default"
        assumed.append(f"parameters of modules that get no such input are {dtype}, {why}")
    return assumed


def _assumed(nodes: list[list[Any]], device: str) -> list[str]:
    tensors = [node[5] for node in nodes if node[1] == "placeholder" and node[5] is not None and node[5][0] == "tensor"]
    assumed = []
    if any(kind[3] is None for kind in tensors):
        assumed.append("inputs without printed strides are contiguous")
    if any(kind[4] is None for kind in tensors):
        assumed.append(f"inputs without a printed device are on {device}")
    return assumed


def _shape(told: dict[str, Any]) -> Shape:
    value = value_of(told)
    return Shape(
        value,
        told.get("from") == "printed",
        told.get("stop"),
        told.get("waits"),
        told.get("agrees"),
        told.get("module"),
    )


def value_of(told: dict[str, Any]) -> Value | None:
    """A value of what `host/fxgraph_host/tensors.py` `describe` tells, or None where that is nothing."""
    if "parts" in told:
        return Value(parts=tuple(value_of(part) or Value() for part in told["parts"]))
    if "type" not in told and "value" not in told:
        return None
    stride = told.get("stride")
    return Value(
        told.get("type"),
        None if stride is None else tuple(stride),
        told.get("device"),
        told.get("bytes"),
        number=told.get("value"),
    )


def type_of(graph: Graph, node: Node, shapes: Shapes | None) -> tuple[str | None, str | None]:
    """The type of a node's value and where it is from: `printed` in the dump, or the shapes' origin; else Nones."""
    printed = (None, None) if node.type is None else (node.type, PRINTED)
    if shapes is None or node.opcode == OUTPUT or tells_sizes(node.type):
        return printed
    shape = shapes.shape(graph, node)
    if shape is not None and shape.value is not None and shape.value.type is not None:
        return shape.value.type, PRINTED if shape.given else shapes.origin
    return printed


def shape_findings(snapshot: Snapshot, shapes: Shapes) -> list[Finding]:
    """FX501: printed types that are not what torch computes. None unless the header names the torch that computed, and
    none where a type of an input is only what the header says: the header may be wrong.
    """
    named = snapshot.dump.header.get("torch", "").partition("+")[0]
    if not named or named != shapes.torch.partition("+")[0]:
        return []
    facts = facts_of(snapshot.dump)
    reshaping = {one.graph.index for one in facts if any(_RESHAPES.search(node.target) for node in one.graph.nodes)}
    if reshaping:
        return []
    for one in facts:
        if one.graph.index in shapes.about(one.graph).unproven:
            continue
        for node in one.graph.nodes:
            shape = shapes.shape(one.graph, node)
            computed = shape.value.type if shape and shape.value and shape.agrees is False and not shape.given else None
            if computed is not None and types_differ(node.type, computed):
                one.computed[node.index] = computed
    return without_silenced(snapshot.lines, check(snapshot.dump, facts, select={"FX501"}))


def types_differ(printed: str | None, computed: str) -> bool:
    """Whether two types of tensors differ in plain numbers or in the dtype; nothing is said of symbols."""
    one, other = tensor_type(printed or ""), tensor_type(computed)
    if one is None or other is None or one.wrapper is not None:
        return False
    if not all(isinstance(size, int) for size in (*one.shape, *other.shape)):
        return False
    return (one.dtype, one.shape) != (other.dtype, other.shape)
