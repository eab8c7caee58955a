"""Random `torch.fx.GraphModule`s: whatever torch lets stand in a graph, in any order and nesting."""

from __future__ import annotations

import math
import operator
import re
from typing import Any

import torch
from hypothesis import strategies as st
from torch import fx, nn
from torch.nn import functional

UNARY = [operator.neg, operator.invert, operator.pos]
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.matmul]
BINARY += [operator.lt, operator.eq, operator.ge, operator.and_, operator.or_, operator.lshift, operator.getitem]
INPLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv]
FUNCTIONS = [
    torch.relu,
    torch.cat,
    torch.rand,
    torch.bernoulli,
    torch.relu_,
    torch._check,
    torch._assert,
    torch.functional.einsum,
    torch.nn.functional.gelu,
    functional.dropout,
    torch._C._nn.linear,
    torch.sym_max,
    torch.Tensor.add_,
    math.floor,
    torch.ops.aten.add,
    torch.ops.aten.add.Tensor,
    torch.ops.aten.add_.Tensor,
    torch.ops.aten.mm.out,
    torch.ops.aten.sum.dim_IntList,
    torch.ops.aten.view.default,
    torch.ops.aten.max.dim,
    torch.ops.aten.copy_.default,
    torch.ops.aten.rand.default,
    torch.ops.aten._assert_async.msg,
    torch.ops.aten._assert_scalar.default,
    torch.ops.prims.convert_element_type.default,
]
METHODS = ["relu", "add_", "view", "size", "__getitem__", "to", "masked_fill_"]
MODULES = ["fc", "layers.0", "layers.named.inner"]
ATTRIBUTES = ["shift", "layers.named.weight", "_tensor_constant0"]
INPUTS = ["x", "input", "max", "L_x_", "s77", "primals_1", "arg0_1", "self_1", "__weird"]
NAMES = ["t", "out", "return_value", "class_name", "none", "x_1", "a_b_c", "user"]

#: A `%` that print(graph) cannot tell from a node: where an element may start.
_LIKE_A_NODE = re.compile(r"(^|[\s([{,:])%\w")
#: Text that print(graph) cannot tell from the end of a record or from a slice.
_LIKE_A_RECORD = re.compile(r"^ *(return|%)|slice\(|graph\(|[\r\x0b\x0c\x1b-\x1e\x85\u2028\u2029]", re.MULTILINE)
_KNOWN_STRINGS = [
    "bij,bjk->bik",
    "",
    "mean",
    "bad shape: (%s), expected [4]",
    "mode: a, b=%c, flag: True",
    "one\ntwo",
    "it's",
    'say "so"',
    "cuda:0",
    "x = None",
    "a;  b = None",
    "# File: x.py:1 in f, code: y",
]


def balanced(text: str) -> bool:
    """Whether its brackets pair up: one that does not tells print(graph)'s reader of a list that is none."""
    while text != (text := re.sub(r"\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}", "", text)):
        pass
    return not re.search(r"[()[\]{}]", text)


strings = st.sampled_from(_KNOWN_STRINGS) | st.text("ab ,()[]{}'\"\\\n:=->#;.%é😀", max_size=12).filter(
    lambda text: balanced(text) and not _LIKE_A_NODE.search(text) and not _LIKE_A_RECORD.search(text)
)
constants = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 2**40),
    st.floats(),
    st.sampled_from([Ellipsis, torch.float16, torch.strided, torch.device("cuda:1"), 1j]),
    strings,
)


class Root(nn.Module):
    """What the modules and attributes of a random graph are."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(1, 1)
        self.layers = nn.Module()
        self.layers.add_module("0", nn.ReLU())
        self.layers.named = nn.Linear(1, 1)
        self.layers.named.inner = nn.Dropout()
        self.register_buffer("shift", torch.zeros(1))
        self.register_buffer("_tensor_constant0", torch.zeros(1))


def arguments(nodes: list[fx.Node]) -> st.SearchStrategy[Any]:
    """An argument of any nesting over these nodes."""
    leaves = st.sampled_from(nodes) | constants
    ends = st.none() | st.integers(-2, 5) | st.sampled_from(nodes)
    slices = st.builds(slice, ends, ends, ends)
    return st.recursive(
        leaves | slices,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(st.sampled_from(["a", "key", "mode"]), inner, max_size=2),
        ),
        max_leaves=5,
    )


@st.composite
def graph_modules(draw: st.DrawFn, with_text: bool = True) -> fx.GraphModule:
    """A graph with one to three inputs, two to ten further nodes and an output of any shape."""
    graph = fx.Graph()
    for name in draw(st.lists(st.sampled_from(INPUTS), min_size=1, max_size=3, unique=True)):
        graph.placeholder(name, draw(st.sampled_from([None, torch.Tensor])))
    if draw(st.booleans()):
        # expanded_def takes a `#` in a default for its own comment and tears the string apart
        default = constants.filter(lambda value: "#" not in str(value))
        graph.placeholder("alpha", default_value=draw(default | st.lists(default, max_size=2).map(tuple)))
    for rest in sorted(draw(st.sets(st.sampled_from(["*rest", "**extra"]))), key=len):
        graph.placeholder(rest)
    for _ in range(draw(st.integers(2, 10))):
        nodes = list(graph.nodes)
        one = st.sampled_from(nodes)
        argument = arguments(nodes)
        kind = draw(st.integers(0, 7))
        if kind == 0:
            graph.call_function(draw(st.sampled_from(UNARY)), (draw(one),))
        elif kind == 1:
            graph.call_function(draw(st.sampled_from(BINARY)), (draw(one), draw(one | st.integers(0, 3))))
        elif kind == 2:
            graph.call_function(draw(st.sampled_from(INPLACE)), (draw(one), draw(one)))
        elif kind == 3:
            graph.call_function(operator.setitem, (draw(one), draw(argument), draw(one | st.floats(0, 1))))
        elif kind == 4:
            graph.call_function(operator.getitem, (draw(one), draw(argument)))
        elif kind == 5:
            graph.create_node("get_attr", draw(st.sampled_from(ATTRIBUTES)))
        else:
            opcode, targets = draw(
                st.sampled_from([("call_function", FUNCTIONS), ("call_method", METHODS), ("call_module", MODULES)])
            )
            first = [draw(one)] if opcode == "call_method" else []
            keywords = draw(st.dictionaries(st.sampled_from(["dim", "out", "mode"]), argument, max_size=2))
            name = draw(st.none() | st.sampled_from(NAMES))
            args = (*first, *draw(st.lists(argument, max_size=3)))
            graph.create_node(opcode, draw(st.sampled_from(targets)), args, keywords, name=name)
    # A string alone would stand bare on the return line of print(graph).
    graph.output(draw(arguments(list(graph.nodes)).filter(lambda value: not isinstance(value, str))))
    return fx.GraphModule(Root(), graph)
