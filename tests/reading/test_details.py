"""What stands where in a record: parts, arguments, types, places in the program."""

from __future__ import annotations

from textwrap import dedent

import pytest

from fxgraph.graph import Graph, Node, TensorType
from fxgraph.reading import arguments, nbytes, parts, read, source_of, tensor_type
from markers import marked
from reading.invariants import check_read


def last_call(text: str) -> tuple[Graph, Node]:
    graph = check_read(text).graphs[0]
    return graph, graph.nodes[-2]


def check_parts(source: str) -> None:
    """The parts of the node before the return line are the stretches below its line: `^^^ type`."""
    text = marked(source)
    graph, node = last_call(text.text)
    found = [
        (graph.page.span(*stretch), name)
        for name, stretch in parts(graph, node)._asdict().items()
        if stretch is not None
    ]
    assert sorted(found) == sorted(text.marks)


def check_arguments(source: str, positional: list[tuple[str, str | None]], keyword: dict[str, tuple[str, str | None]]):
    graph, node = last_call(dedent(source).lstrip("\n"))
    found = arguments(graph, node)
    assert [(argument.text, argument.node) for argument in found.positional] == positional
    assert {name: (argument.text, argument.node) for name, argument in found.keyword} == keyword


def test_parts_of_a_record():
    check_parts("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {alpha: 2})
                    ^^^^^^^^^^^ users
                                   ^^^^^^^^^^^^^ opcode
                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^ target
                                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ args
            return add
    """)


def test_parts_of_a_record_with_metadata():
    check_parts("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %t : Tensor "f32[3, 4]cpu"[num_users=2] = call_method[target=t](args = (%x,), kwargs = {})
                         ^^^^^^^^^^^^ type
                                       ^^^^^^^^^^^ users
                                                      ^^^^^^^^^^^ opcode
                                                                         ^ target
                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ args
            return t
    """)


def test_parts_of_a_call():
    check_parts("""
        class M(torch.nn.Module):
            def forward(self, x):
                add: "f32[2]" = torch.ops.aten.add.Tensor(x, 1);  x = None
                      ^^^^^^ type
                                ^^^^^^^^^^^^^^^^^^^^^^^^^ target
                                                         ^^^^^^ args
                return (add,)
    """)


def test_parts_of_an_operator():
    check_parts("""
        class M(torch.nn.Module):
            def forward(self, x):
                add: "f32[2]" = x + 1;  x = None
                      ^^^^^^ type
                                  ^ target
                                ^^^^^ args
                return (add,)
    """)


def test_parts_of_a_method():
    check_parts("""
        class M(torch.nn.Module):
            def forward(self, x):
                view: "f32[2]" = x.view(2, -1);  x = None
                       ^^^^^^ type
                                   ^^^^ target
                                 ^^^^^^^^^^^^^ args
                return (view,)
    """)


def test_parts_of_a_row():
    check_parts("""
        opcode         name    target               args      kwargs
        -------------  ------  -------------------  --------  ----------
        placeholder    x       x                    ()        {}
        call_function  sum_1   aten.sum.dim         (x, [0])  {'a': 1}
        ^^^^^^^^^^^^^ opcode
                               ^^^^^^^^^^^^ target
                                                    ^^^^^^^^^^^^^^^^^^ args
        output         output  output               (sum_1,)  {}
    """)


def test_arguments_of_a_record():
    check_arguments(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %f : [num_users=1] = call_function[target=f](args = (%x, [%x, 1], mean, (1, 2), ), kwargs = {dim: -1, other: %x})
            return f
        """,
        [("%x", "x"), ("[%x, 1]", None), ("mean", None), ("(1, 2)", None), ("", None)],
        {"dim": ("-1", None), "other": ("%x", "x")},
    )


def test_arguments_of_a_call():
    check_arguments(
        """
        def forward(self, x):
            f = torch.f(x, [x, 1], 'a, b', (1, 2), dim = -1, other = x)
            return f
        """,
        [("x", "x"), ("[x, 1]", None), ("'a, b'", None), ("(1, 2)", None)],
        {"dim": ("-1", None), "other": ("x", "x")},
    )


def test_arguments_of_a_method():
    check_arguments(
        """
        def forward(self, x, y):
            f = x.view(y, -1, memory_format = None)
            return f
        """,
        [("x", "x"), ("y", "y"), ("-1", None)],
        {"memory_format": ("None", None)},
    )


def test_arguments_of_an_operator():
    check_arguments(
        """
        def forward(self, x, y):
            f = (x + y) / 2;  x = y = None
            f = x // y;  x = y = None
            return f
        """,
        [("x", "x"), ("y", "y")],
        {},
    )


def test_arguments_of_a_row():
    check_arguments(
        """
        opcode         name    target  args           kwargs
        -------------  ------  ------  -------------  -------------------
        placeholder    x       x       ()             {}
        call_function  f       f       (x, 'a, b')    {'dim': 1, 'k': x}
        output         output  output  (f,)           {}
        """,
        [("x", "x"), ("'a, b'", None)],
        {"dim": ("1", None), "k": ("x", "x")},
    )


@pytest.mark.parametrize(
    ("text", "expected", "size"),
    [
        ("f32[2, 3]", TensorType("f32", (2, 3), None, None), 24),
        ("bf16[]", TensorType("bf16", (), None, None), 2),
        ("b8[0, 7]", TensorType("b8", (0, 7), None, None), 0),
        ("f32[2, 3][3, 1]cuda:0", TensorType("f32", (2, 3), (3, 1), "cuda:0"), 24),
        ("i64[s17, 3*s27 + 1]", TensorType("i64", ("s17", "3*s27 + 1"), None, None), None),
        ("i64[Max(1, s0), 2]", TensorType("i64", ("Max(1, s0)", 2), None, None), None),
        ("f8e4m3fn[4]", TensorType("f8e4m3fn", (4,), None, None), 4),
        ("DTensor(f32[8, 4], S(0))", TensorType("f32", (8, 4), None, None, "DTensor"), 128),
        ("TwoTensor(f32[2, 3][3, 1]cpu)", TensorType("f32", (2, 3), (3, 1), "cpu", "TwoTensor"), 24),
        ("x9[2]", TensorType("x9", (2,), None, None), None),
    ],
)
def test_tensor_types(text: str, expected: TensorType, size: int | None):
    kind = tensor_type(text)
    assert kind == expected
    assert nbytes(kind) == size


@pytest.mark.parametrize("text", ["", "Sym(s17)", "torch.Tensor", "f32", "f32[2", "f32[[2]]", "f32[" * 50, "[2]"])
def test_types_of_no_tensor(text: str):
    assert tensor_type(text) is None


def test_sizes_of_very_many_digits():
    kind = tensor_type(f"f32[{'9' * 5000}]")
    assert kind is not None
    assert nbytes(kind) is None


def test_places_in_the_program():
    graph = read(
        dedent("""
        class M(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # File: /home/a b/net.py:46 in forward, code: y = x.sin(), 1  # File: z
                sin: "f32[2]" = torch.sin(x)
                cos: "f32[2]" = torch.cos(sin)

                # recompute: 3 # File: net.py:47, code: z
                tan: "f32[2]" = torch.tan(cos)
                # No stacktrace found for following nodes
                exp: "f32[2]" = torch.exp(tan)
                # Backward of forward node: File: C:\\net.py:48 in <lambda>, code: w
                log: "f32[2]" = torch.log(exp)
                return (log,)
        """)
    ).graphs[0]
    found = {
        node.name: place and (place.path, place.line, place.function)
        for node in graph.nodes
        for place in [source_of(graph, node)]
    }
    assert found == {
        "x": None,
        "sin": ("/home/a b/net.py", 46, "forward"),
        "cos": ("/home/a b/net.py", 46, "forward"),
        "tan": ("net.py", 47, None),
        "exp": None,
        "log": ("C:\\net.py", 48, "<lambda>"),
        "output": None,
    }
    place = source_of(graph, graph.nodes[1])
    assert place is not None
    assert place.code == "y = x.sin(), 1  # File: z"


@pytest.mark.parametrize("line", ["-1", "123456789012", "?"])
def test_a_comment_whose_line_cannot_be_told(line):
    graph = check_read(f"""
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        # File: net.py:3 in forward, code: x = x.neg()
        neg: "f32[2]" = torch.ops.aten.neg.default(x);  x = None
        # recompute: 1
        exp: "f32[2]" = torch.ops.aten.exp.default(neg);  neg = None
        # File: net.py:{line} in forward, code: return x.relu()
        relu: "f32[2]" = torch.ops.aten.relu.default(exp);  exp = None
        return (relu,)
""").graphs[0]
    sources = {node.name: source_of(graph, node) for node in graph.nodes[1:-1]}
    assert {name: source and source.line for name, source in sources.items()} == {"neg": 3, "exp": 3, "relu": None}
