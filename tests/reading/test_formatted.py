"""Generated code after a formatter: the `.py` files that torch writes are opened, formatted and saved by people."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from fxgraph.graph import Dump
from fxgraph.reading import read

FIXTURES = Path(__file__).parents[2] / "fixtures"
#: `class <lambda>(torch.nn.Module):` is no Python: no formatter takes it.
NOT_PYTHON = re.compile(r"class <lambda>\(")


def everything(dump: Dump) -> list[object]:
    return [
        (
            graph.name,
            graph.has_end,
            len(graph.broken),
            [
                (node.name, node.opcode, node.target, node.type, tuple(node.reads), tuple(node.frees))
                for node in graph.nodes
            ],
        )
        for graph in dump.graphs
    ]


def formatted(texts: list[str], width: int, folder: Path) -> list[str]:
    """The texts after `ruff format`, whose layout is that of `black`."""
    paths = [folder / f"{place}.py" for place in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        "--quiet",
        "--no-cache",
        "--line-length",
        str(width),
    ]
    subprocess.run([*command, str(folder)], check=True)
    return [path.read_text(encoding="utf-8") for path in paths]


@pytest.mark.parametrize("width", [60, 88, 120])
def test_fixtures_after_ruff_format(width: int, tmp_path: Path):
    paths = [path for path in sorted(FIXTURES.glob("*/*.py")) if path.parent.name != "cases"]
    texts = [NOT_PYTHON.sub("class Lambda(", dedent(path.read_text(encoding="utf-8"))) for path in paths]
    after = formatted(texts, width, tmp_path)
    assert sum(text != other for text, other in zip(texts, after, strict=True)) > 100
    for path, text, other in zip(paths, texts, after, strict=True):
        assert everything(read(other)) == everything(read(text)), path


def check_same(written: str, formatted: str) -> None:
    one, other = read(dedent(written)), read(dedent(formatted))
    assert one.graphs
    assert everything(one) == everything(other)


def test_names_set_to_none_in_brackets():
    check_same(
        """
        def forward(self, x, a_long_name):
            relu = torch.add(x, a_long_name);  x = a_long_name = None
            sin = torch.sin(relu);  relu = None
            return sin
        """,
        """
        def forward(self, x, a_long_name):
            relu = torch.add(x, a_long_name)
            x = (
                a_long_name
            ) = None
            sin = torch.sin(relu)
            relu = (
                None
            )
            return sin
        """,
    )


def test_power_without_blanks():
    check_same(
        """
        def forward(self, x):
            pow_1 = x ** 2;  x = None
            pow_2 = 2 ** pow_1;  pow_1 = None
            return pow_2
        """,
        """
        def forward(self, x):
            pow_1 = x**2
            x = None
            pow_2 = 2**pow_1
            pow_1 = None
            return pow_2
        """,
    )


def test_paths_over_lines():
    check_same(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x):
                running: "i64[]" = getattr(getattr(self.stem, "1"), "0").num_batches_tracked;  running = None
                call: "f32[2]" = getattr(getattr(getattr(self.a, "1"), "2"), "3")(x);  x = None
                return (call,)
        """,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x):
                running: "i64[]" = getattr(
                    getattr(
                        self.stem, "1"
                    ), "0"
                ).num_batches_tracked
                running = None
                call: "f32[2]" = getattr(
                    getattr(getattr(self.a, "1"), "2"), "3"
                )(x)
                x = None
                return (call,)
        """,
    )


def test_annotations_in_brackets():
    check_same(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2*s77, 4][4, 1]cpu"):
                relu: "f32[2*s77, 4][4, 1]cpu" = torch.ops.aten.relu.default(x);  x = None
                return (relu,)
        """,
        """
        class GraphModule(torch.nn.Module):
            def forward(
                self,
                x: (
                    "f32[2*s77, 4][4, 1]cpu"
                ),
            ):
                relu: (
                    "f32[2*s77, 4][4, 1]cpu"
                ) = torch.ops.aten.relu.default(x)
                x = None
                return (relu,)
        """,
    )


def test_declarations_of_flattened_inputs():
    check_same(
        """
        class inner_f(torch.nn.Module):
            def forward(self, primals, tangents):
                primals_1: "f32[2, 3]"; tangents_1: "f32[2]";

                primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
                add: "f32[2, 3]" = torch.ops.aten.add.Tensor(primals_1, tangents_1);  primals_1 = tangents_1 = None
                return pytree.tree_unflatten([add, None], self._out_spec)
        """,
        """
        class inner_f(torch.nn.Module):
            def forward(self, primals, tangents):
                primals_1: "f32[2, 3]"
                tangents_1: (
                    "f32[2]"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
                )

                (
                    primals_1,
                    tangents_1,
                ) = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
                add: "f32[2, 3]" = torch.ops.aten.add.Tensor(
                    primals_1,
                    tangents_1,
                )
                primals_1 = tangents_1 = None
                return pytree.tree_unflatten(
                    [add, None], self._out_spec
                )
        """,
    )
