"""Shapes without data: the nodes of a graph run one after another on fake tensors.

No Python is made of the graph and none of its text is executed: targets are looked up in `allowed.py`, arguments are
built from tagged data. A node that cannot run stops alone: where the dump prints its type, the others go on from that.
"""

from __future__ import annotations

import gc
import re
import time
from contextlib import ExitStack
from typing import Any, Callable, Optional

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from fxgraph_host import allowed, arguments
from fxgraph_host.modules import Modules, UnknownModuleError
from fxgraph_host.serve import one_line
from fxgraph_host.symbols import Symbols
from fxgraph_host.tensors import DTYPES, agrees, describe, from_type
from fxgraph_host.torch_names import METHODS

Send = Callable[[Any], None]

#: So often, in seconds, the nodes that are done are sent.
_EVERY = 0.5
_DEEPEST = 20
_NO_TYPE = "no type of this input is in the text: a line `# fxgraph: inputs=NAME:f32[2,3]` at the top tells one"
_DEVICE = re.compile(r"(?:cuda|xpu|npu|hpu|mps|mtia|xla)(?::\d+)?\Z")


class StoppedError(Exception):
    """A node has no value; the message says why."""


class _Stopped:
    """The value of a node that has none: `root` names the node where it began."""

    def __init__(self, root: str) -> None:
        self.root = root


def propagate(request: dict[str, Any], send: Send) -> dict[str, Any]:
    """The answer: `{"nodes": [[graph, node, description], ...], "device": ..., "seconds": ...}`.

    A description is what `tensors.describe` tells, and `agrees` (true, false) where the dump prints a type; or `stop`
    with the reason; or `waits` with the name of the node that it needs. `from` is `printed` where the value was made of
    the printed type: an input, or a node that stopped.
    """
    started = time.monotonic()
    # Fake tensors are freed by counting; collections would walk over all of torch again and again.
    gc.freeze()
    gc.disable()
    try:
        run = _Run(request, send)
        run.all()
        if run.stops and len(run.symbols.names) > 1:
            # Sizes that were equal when the graph was made may have two symbols in the text: once more with all equal.
            again = _Run(request, send, equal=True)
            again.all()
            if again.stops < run.stops and again.differing <= run.differing:
                run = again
    finally:
        gc.enable()
    return {
        "nodes": run.told,
        "device": run.device,
        "equal_symbols": run.symbols.equal,
        "used_modules": sorted(set().union(*[one.used for one in run.modules])),
        "module_dtype": run.module_dtype(),
        "seconds": round(time.monotonic() - started, 3),
    }


class _Run:
    def __init__(self, request: dict[str, Any], send: Send, *, equal: bool = False) -> None:
        self.graphs = request["graphs"]
        self.symbols = Symbols(request.get("ranges") or {}, equal=equal)
        self.mode = FakeTensorMode(shape_env=self.symbols.env, allow_fallback_kernels=False)
        self.device = _default_device(self.graphs)
        dtype, self.dtype_is_printed = _default_dtype(self.graphs)
        self.dtype = dtype
        lacking = request.get("lacking")
        self.modules = [Modules(graph.get("modules") or {}, dtype, self.device, lacking) for graph in self.graphs]
        self.told: list[Any] = []
        self.stops = self.differing = 0
        self.sent = 0
        self.send = send
        self.last = time.monotonic()
        self.done: set[int] = set()
        #: The node that switched autocast on, in a way that cannot be done here: types below it are not known.
        self.blocked: str | None = None
        self.total = sum(len(graph["nodes"]) for graph in self.graphs)

    def all(self) -> None:
        """Run the first graph, and send what is left to send."""
        with ExitStack() as stack:
            stack.enter_context(torch.no_grad())
            stack.enter_context(self.mode)
            stack.callback(allowed.leave)
            self.graph(0, None, 0)
        self.flush()

    def graph(self, index: int, inputs: tuple[Any, ...] | None, depth: int) -> Any:
        """Run one graph; its inputs come from their printed types, or, of a body, from the call. Returns its output."""
        if depth > _DEEPEST:
            raise StoppedError("graphs nested too deeply")
        nodes, children = self.graphs[index]["nodes"], self.graphs[index]["children"]
        values: dict[str, Any] = {}
        told = index not in self.done
        self.done.add(index)
        given = list(inputs) if inputs is not None else None
        result = None
        for place, (name, opcode, target, args, kwargs, printed) in enumerate(nodes):
            description: dict[str, Any] = {}
            try:
                if opcode == "placeholder":
                    if given is not None and not given:
                        raise StoppedError("the call gives no value for it")
                    if given is None and printed is None:
                        raise StoppedError(_NO_TYPE)
                    value = given.pop(0) if given is not None else from_type(printed, self.symbols, self.device)
                    if given is None:
                        description["from"] = "printed"
                elif opcode == "get_attr":
                    value, made = self.attribute(index, target, children, printed, depth)
                    if made:
                        description["from"] = "printed"
                else:
                    if args is None:
                        raise StoppedError("its arguments cannot be read")
                    if self.blocked is not None and opcode != "output":
                        self.unblock(target, args)
                    missing = _missing(args, kwargs, values)
                    if missing is not None:
                        value = _Stopped(missing)
                    elif opcode == "output":
                        value = result = arguments.build(args[0], values)
                    else:
                        value = self.call((index, place), opcode, target, args, kwargs, values)
            except Exception as error:
                description["stop"] = self.symbols.renamed(_reason(error))
                value = _Stopped(name)
                if target.endswith("._enter_autocast"):
                    self.blocked = name
            if isinstance(value, _Stopped):
                if "stop" not in description:
                    description["waits"] = value.root
                if opcode == "output":
                    result = value
                else:
                    value = self.from_printed(printed, description, value, opcode)
            if opcode != "output":
                values[name] = value
                if told:
                    if not isinstance(value, _Stopped):
                        try:
                            self.describe(value, printed, description)
                        except Exception as error:  # one value that cannot be told must not cost the others
                            description = {"stop": self.symbols.renamed(_reason(error))}
                        if opcode == "call_module" and "type" in description and self.modules[index].knows(target):
                            description["module"] = self.modules[index].name(target)
                    self.tell(index, place, description)
        if isinstance(result, _Stopped) and inputs is not None:
            raise StoppedError(f"the graph that it calls stops at `{result.root}`")
        return result

    def describe(self, value: Any, printed: Any, description: dict[str, Any]) -> None:
        """Tell of a value in its description."""
        if "from" not in description:
            agreed = agrees(printed, value, self.symbols)
            if agreed is not None:
                description["agrees"] = agreed
        description.update(describe(value, self.symbols))

    def unblock(self, target: str, args: list[Any]) -> None:
        """End what `_enter_autocast` began; raises StoppedError for the nodes until then."""
        blocked = self.blocked
        if target.endswith("._exit_autocast") and blocked in list(arguments.nodes(args)):
            self.blocked = None
        raise StoppedError(f"what autocast does from `{blocked}` on is not known here")

    def from_printed(self, printed: Any, description: dict[str, Any], value: Any, opcode: str) -> Any:
        """The value of a printed type, for a node that could not run: those below it need not stop."""
        if printed is None or opcode == "placeholder":
            return value
        try:
            made = from_type(printed, self.symbols, self.device)
        except Exception:
            return value
        description["from"] = "printed"
        return made

    def attribute(
        self, index: int, target: str, children: dict[str, int], printed: Any, depth: int
    ) -> tuple[Any, bool]:
        if target in children:
            return self.body(children[target], depth), False
        if printed is None:
            held = self.modules[index].tensor(target)
            if held is not None:
                return held, False
            raise StoppedError("what this attribute holds is not in the text")
        return from_type(printed, self.symbols, self.device), True

    def body(self, index: int, depth: int) -> Any:
        """A GraphModule that runs a nested graph. Its own code has names of ours only."""
        run = self

        class Body(torch.nn.Module):
            def forward(self, *inputs: Any) -> Any:
                return run.graph(index, inputs, depth + 1)

        graph = torch.fx.Graph()
        count = sum(node[1] == "placeholder" for node in self.graphs[index]["nodes"])
        inputs = tuple(graph.placeholder(f"input_{number}") for number in range(count))
        graph.output(graph.call_module("body", inputs))
        return torch.fx.GraphModule({"body": Body()}, graph)

    def call(
        self, at: tuple[int, int], opcode: str, target: str, args: list[Any], kwargs: list[Any], values: dict[str, Any]
    ) -> Any:
        if opcode == "call_module":
            if target == "_guards_fn" or target.endswith("._guards_fn"):
                return None
            positional, keyword = arguments.of_call(None, args, kwargs, values)
            nodes = self.graphs[at[0]]["nodes"]
            return self.modules[at[0]].call(target, positional, keyword, indexed=lambda: _takes_items(nodes, at[1]))
        if opcode == "call_method":
            positional, keyword = arguments.of_call(None, args, kwargs, values)
            if not positional:
                raise StoppedError("a method without its receiver")
            return allowed.method(positional[0], target)(*positional, **keyword)
        function = allowed.function(target)
        positional, keyword = arguments.of_call(function, args, kwargs, values)
        if target == "torch.ops.higher_order.wrap_with_autocast" and positional:
            allowed.check_autocast(positional[0])
        return function(*positional, **keyword)

    def module_dtype(self) -> Optional[list[Any]]:
        """The dtype of parameters that no input tells, and whether the text prints it somewhere; None without such."""
        if not any(one.used_dtype for one in self.modules):
            return None
        return [str(self.dtype).rpartition(".")[2], self.dtype_is_printed]

    def tell(self, graph: int, place: int, description: dict[str, Any]) -> None:
        self.told.append([graph, place, description])
        self.stops += "stop" in description
        self.differing += description.get("agrees") is False
        if time.monotonic() - self.last > _EVERY:
            self.flush()

    def flush(self) -> None:
        """Send what is new."""
        self.last = time.monotonic()
        self.send({"done": len(self.told), "of": self.total, "nodes": self.told[self.sent :]})
        self.sent = len(self.told)


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "torch has no memory for a value of this size"
    if isinstance(error, RecursionError):
        return "it is nested too deeply for Python"
    if isinstance(error, (StoppedError, UnknownModuleError, allowed.NotAllowedError, ValueError)) and not isinstance(
        error, UnicodeError
    ):
        return " ".join(str(error).split())[:300] or type(error).__name__
    return one_line(error)


def _missing(args: list[Any], kwargs: list[Any], values: dict[str, Any]) -> str | None:
    """The node where it began that a value is missing which these arguments need, or None."""
    for name in arguments.nodes(args + [value for _, value in kwargs]):
        value = values.get(name, _Stopped(name))
        if isinstance(value, _Stopped):
            return value.root
    return None


def _default_device(graphs: list[Any]) -> str:
    """The device of the inputs that have none beside them: the first one that the text names, else the CPU.

    It is named by a printed type, a `device=` or a `device(...)` of a call that is made; other words are just words.
    """
    for graph in graphs:
        for _, opcode, target, args, kwargs, printed in graph["nodes"]:
            if printed is not None and printed[0] == "tensor" and printed[4] is not None:
                return str(printed[4])
            found = _named_device([*(args or []), *[value for _, value in kwargs]])
            for key, value in kwargs:
                word = value.get("w", value.get("s")) if key == "device" and isinstance(value, dict) else None
                found = word if isinstance(word, str) and _DEVICE.match(word) else found
            if found is not None and _is_called(opcode, target):
                return found
    return "cpu"


def _is_called(opcode: str, target: str) -> bool:
    """Whether the target is one that may be called."""
    if opcode == "call_function":
        try:
            allowed.function(target)
        except allowed.NotAllowedError:
            return False
    return opcode != "call_method" or target in METHODS


def _default_dtype(graphs: list[Any]) -> tuple[Any, bool]:
    """The dtype of parameters that no input tells: that of the first floating type that the text prints, else torch's
    own; and whether it is printed.
    """
    for graph in graphs:
        for node in graph["nodes"]:
            dtype = DTYPES.get(node[5][1]) if node[5] is not None and node[5][0] == "tensor" else None
            if dtype is not None and dtype.is_floating_point:
                return dtype, True
    return torch.float32, False


def _takes_items(nodes: list[Any], place: int) -> bool:
    """Whether a node below takes an item of this one."""
    name = nodes[place][0]
    return any(
        target.endswith("operator.getitem") and args and args[0] == {"n": name}
        for _, opcode, target, args, _, _ in nodes[place + 1 :]
        if opcode == "call_function"
    )


def _named_device(value: Any) -> str | None:
    if isinstance(value, dict):
        if "x" in value and value["x"][0] == "device":
            return _device_of_call(*value["x"][1:])
        if "x" not in value:
            return _named_device(value.get("t") or [])
        return None
    if isinstance(value, list):
        return next((found for one in value if (found := _named_device(one)) is not None), None)
    return None


def _device_of_call(positional: list[Any], keyword: list[Any]) -> str | None:
    named = dict(keyword)
    kind = (named.get("type") or (positional[0] if positional else None)) or {}
    text = kind.get("s") if isinstance(kind, dict) else None
    if not isinstance(text, str) or not _DEVICE.match(text):
        return None
    index = named.get("index", positional[1] if len(positional) > 1 else None)
    return f"{text}:{index}" if isinstance(index, int) and ":" not in text else text
