"""Text of arguments as plain data."""

import pytest

from fxgraph.torchhost.values import UnreadableError, printed_value, python_value

NODES = {"x", "add_1"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("1e-05", 1e-05),
        ("True", True),
        ("None", None),
        ("x", {"n": "x"}),
        ("y", {"w": "y"}),
        ("'x'", {"s": "x"}),
        ('"a, b)"', {"s": "a, b)"}),
        (r"'it\'s\n'", {"s": "it's\n"}),
        ("-inf", {"f": "-inf"}),
        ("nan", {"f": "nan"}),
        ("(1+2j)", {"z": [1.0, 2.0]}),
        ("2j", {"z": [0.0, 2.0]}),
        ("[x, [1, 2], ()]", [{"n": "x"}, [1, 2], {"t": []}]),
        ("(x,)", {"t": [{"n": "x"}]}),
        ("{'a': x, 1: 2}", {"d": [[{"s": "a"}, {"n": "x"}], [1, 2]]}),
        ("slice(None, x, None)", {"c": [None, {"n": "x"}, None]}),
        ("Ellipsis", {"e": 1}),
        ("torch.float32", {"w": "torch.float32"}),
        ("torch.ops.demo.f.default", {"w": "torch.ops.demo.f.default"}),
        ("device(type='cuda', index=0)", {"x": ["device", [], [["type", {"s": "cuda"}], ["index", 0]]]}),
        ("torch.Size([2, 3])", [2, 3]),
    ],
)
def test_python(text, value):
    assert python_value(text, NODES) == value


def test_a_keyword_that_is_also_a_node():
    assert python_value("device(type='cpu')", {"type"}) == {"x": ["device", [], [["type", {"s": "cpu"}]]]}


@pytest.mark.parametrize(
    "text",
    [
        "", "x y", "f(x)", "__import__('os').system('true')", "[x", "(1", "x[0]", "lambda: 0", "x + 1", "{1}", "f'{x}'",
        "a if b else c", "[*x]", "(x := 3)", "open('/etc/passwd')", "().__class__", "[" * 200 + "]" * 200,
    ],
)  # fmt: skip
def test_what_is_no_value_of_generated_code(text):
    with pytest.raises(UnreadableError):
        python_value(text, NODES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("%x", {"n": "x"}),
        ("3", 3),
        ("1e-05", 1e-05),
        ("mean", {"w": "mean"}),
        ("bij,bjk->bik", {"w": "bij,bjk->bik"}),
        ("cuda:0", {"w": "cuda:0"}),
        ("(1+2j)", {"z": [1.0, 2.0]}),
        ("[%x, 1]", [{"n": "x"}, 1]),
        ("(%x, (None, torch.float32))", {"t": [{"n": "x"}, {"t": [None, {"w": "torch.float32"}]}]}),
        ("(%x,)", {"t": [{"n": "x"}]}),
        ("slice(None, x, None)", {"c": [None, {"n": "x", "w": "x"}, None]}),
        ("{a: %x, b: mean}", {"d": [[{"w": "a"}, {"n": "x"}], [{"w": "b"}, {"w": "mean"}]]}),
        ("", {"w": ""}),
    ],
)
def test_printed(text, value):
    assert printed_value(text, NODES) == value


@pytest.mark.parametrize("text", ["[%x", "(1", "[" * 200, "%x]", "{a}"])
def test_what_print_graph_does_not_write(text):
    with pytest.raises(UnreadableError):
        printed_value(text, NODES)
