"""Graphs of any size, written in the forms that torch prints, and the same graph as MLIR.

One random graph of aten calls: most operands are recent values, some are far away. The same size is always the same
graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

#: (packet, overload, number of operands, further arguments)
KINDS = [
    ("add", "Tensor", 2, ""),
    ("mul", "Tensor", 2, ""),
    ("sub", "Tensor", 2, ""),
    ("div", "Tensor", 2, ""),
    ("relu", "default", 1, ""),
    ("permute", "default", 1, ", [1, 0]"),
    ("view", "default", 1, ", [64, 64]"),
    ("mm", "default", 2, ""),
    ("addmm", "default", 3, ""),
]

#: Number of operands -> operations of MLIR with as many.
MLIR = {1: ["math.absf", "arith.negf"], 2: ["arith.addf", "arith.mulf", "arith.subf"], 3: ["math.fma"]}

INPUTS = 8
TYPE = '"f32[64, 64]"'
LEADER = "V0102 12:00:00.000000 4242 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code] "


class Call(NamedTuple):
    """One node: its name, `packet.overload`, operands, and further arguments as text."""

    name: str
    target: str
    operands: list[str]
    more: str


class RandomGraph(NamedTuple):
    """Inputs, calls, and by name how many nodes read it and the index of the last call that does."""

    inputs: list[str]
    calls: list[Call]
    users: dict[str, int]
    last: dict[str, int]


@lru_cache(maxsize=4)
def random_graph(nodes: int) -> RandomGraph:
    """A graph of so many nodes, inputs and output among them."""
    chosen = random.Random(nodes)
    inputs = [f"primals_{number}" for number in range(1, INPUTS + 1)]
    names, calls = list(inputs), []
    numbers: dict[str, int] = {}
    users, last = dict.fromkeys(inputs, 0), {}
    for index in range(nodes - INPUTS - 1):
        packet, overload, count, more = chosen.choice(KINDS)
        number = numbers[packet] = numbers.get(packet, -1) + 1
        name = f"{packet}_{number}" if number else packet
        operands = [_earlier(chosen, names) for _ in range(count)]
        for operand in dict.fromkeys(operands):
            users[operand] += 1
            last[operand] = index
        calls.append(Call(name, f"{packet}.{overload}", operands, more))
        names.append(name)
        users[name] = 0
    users[names[-1]] += 1  # the output reads it
    return RandomGraph(inputs, calls, users, last)


def _earlier(chosen: random.Random, names: list[str]) -> str:
    if chosen.random() < 0.9:
        return names[max(0, len(names) - 1 - int(chosen.expovariate(1 / 6)))]
    return chosen.choice(names)


def graph_str(nodes: int) -> str:
    """As `print(gm.graph)`."""
    graph = random_graph(nodes)
    lines = [f"    %{name} : [num_users={graph.users[name]}] = placeholder[target={name}]" for name in graph.inputs]
    for name, target, operands, more in graph.calls:
        args = ", ".join(f"%{operand}" for operand in operands) + (more or ("," if len(operands) == 1 else ""))
        lines.append(
            f"    %{name} : [num_users={graph.users[name]}] = call_function[target=torch.ops.aten.{target}]"
            f"(args = ({args}), kwargs = {{}})"
        )
    return "\n".join(["graph():", *lines, f"    return ({graph.calls[-1].name},)", ""])


def readable(nodes: int) -> str:
    """As `gm.print_readable()`, with a source comment above every third call."""
    graph = random_graph(nodes)
    lines = [
        "class GraphModule(torch.nn.Module):",
        "    def forward(self, " + ", ".join(f"{name}: {TYPE}" for name in graph.inputs) + "):",
    ]
    for index, call in enumerate(graph.calls):
        if index % 3 == 0:
            lines.append(f"        # File: /home/user/proj/model.py:{index // 3 % 900 + 1} in forward, code: x = f(x)")
        lines.append(f"        {_statement(graph, index, f'{call.name}: {TYPE}')}")
    return "\n".join([*lines, f"        return ({graph.calls[-1].name},)", ""])


def code(nodes: int) -> str:
    """As `print(gm.code)`."""
    graph = random_graph(nodes)
    lines = ["", "", "", f"def forward(self, {', '.join(graph.inputs)}):"]
    lines += [f"    {_statement(graph, index, call.name)}" for index, call in enumerate(graph.calls)]
    return "\n".join([*lines, f"    return ({graph.calls[-1].name},)", ""])


def _statement(graph: RandomGraph, index: int, left: str) -> str:
    _, target, operands, more = graph.calls[index]
    freed = [operand for operand in dict.fromkeys(operands) if graph.last[operand] == index]
    frees = f";  {' = '.join(freed)} = None" if freed else ""
    return f"{left} = torch.ops.aten.{target}({', '.join(operands)}{more}){frees}"


def logged(nodes: int) -> str:
    """As `print_readable` in `TORCH_LOGS=graph_code`."""
    return "".join(f"{LEADER}{line}" for line in readable(nodes).splitlines(keepends=True))


def tabular(nodes: int) -> str:
    """As `gm.graph.print_tabular()`."""
    graph = random_graph(nodes)
    rows = [("opcode", "name", "target", "args", "kwargs")]
    rows += [("placeholder", name, name, "()", "{}") for name in graph.inputs]
    for name, target, operands, more in graph.calls:
        args = ", ".join(operands) + (more or ("," if len(operands) == 1 else ""))
        rows.append(("call_function", name, f"aten.{target}", f"({args})", "{}"))
    rows.append(("output", "output", "output", f"(({graph.calls[-1].name},),)", "{}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, tuple("-" * width for width in widths))
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in rows
    )


def many_graphs(nodes: int) -> str:
    """Small graphs one below the other."""
    return graph_str(25) * (nodes // 25)


def one_line(nodes: int) -> str:
    """All but two nodes are parameters, in one line, and the only call reads them all."""
    names = [f"primals_{number}" for number in range(1, nodes - 1)]
    parameters = ", ".join(f"{name}: {TYPE}" for name in names)
    return (
        f"class GraphModule(torch.nn.Module):\n    def forward(self, {parameters}):\n"
        f"        cat: {TYPE} = torch.ops.aten.cat.default([{', '.join(names)}]);  {' = '.join(names)} = None\n"
        "        return (cat,)\n"
    )


def mlir(nodes: int) -> str:
    """The same graph in the dialects `func`, `arith` and `math`: operations of as many operands."""
    graph = random_graph(nodes)
    parameters = ", ".join(f"%{name}: f32" for name in graph.inputs)
    lines = ["module {", f"  func.func @forward({parameters}) -> f32 {{"]
    for index, (name, _, operands, _) in enumerate(graph.calls):
        kinds = MLIR[len(operands)]
        operation = kinds[index % len(kinds)]
        lines.append(f"    %{name} = {operation} {', '.join(f'%{operand}' for operand in operands)} : f32")
    return "\n".join([*lines, f"    return %{graph.calls[-1].name} : f32", "  }", "}", ""])


FORMS: dict[str, Callable[[int], str]] = {
    "print(graph)": graph_str,
    "readable": readable,
    "code": code,
    "tabular": tabular,
    "log": logged,
    "many graphs": many_graphs,
    "one line": one_line,
}
