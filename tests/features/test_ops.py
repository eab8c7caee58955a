"""Which family a name means, and what is said where it means none."""

from __future__ import annotations

import pytest

from fxgraph.features.ops import Family, Unknown, family, remarks
from fxgraph.ops import catalogue


@pytest.mark.parametrize(
    ("name", "packet", "chosen", "guessed"),
    [
        ("aten.sum", "aten.sum", None, False),
        ("torch.ops.aten.sum", "aten.sum", None, False),
        ("aten.sum.dim_IntList", "aten.sum", "dim_IntList", False),
        ("aten::sum.dim_IntList", "aten.sum", "dim_IntList", False),
        ("torch.ops.aten.sum.default", "aten.sum", "default", False),
        ("executorch.exir.dialects.edge._ops.aten.sum.default", "aten.sum", "default", False),
        ("torch.ops.higher_order.cond", "higher_order.cond", None, False),
        ("cond", "higher_order.cond", None, True),
        ("sum", "aten.sum", None, True),
        ("torch.sum", "aten.sum", None, True),
        ("torch.nn.functional.relu", "aten.relu", None, True),
    ],
)
def test_family(name: str, packet: str, chosen: str | None, guessed: bool):
    found = family(name)
    assert isinstance(found, Family)
    assert (found.packet.name, found.chosen, found.guessed) == (packet, chosen, guessed)


def test_family_of_a_release():
    found = family("aten.sum", "2.2.2")
    assert isinstance(found, Family)
    assert found.packet.release == "2.2.2"
    assert [one.name for one in found.overloads][:3] == ["dim_IntList", "default", "dim_DimnameList"]


@pytest.mark.parametrize(
    ("name", "release", "reason", "close"),
    [
        ("aten.summ", None, "no operator 'aten.summ' is known", "aten.sum"),
        ("summ", None, "no operator 'summ' is known", "aten.sum"),
        ("aten.sum.dim_intlist", None, "aten.sum has no overload 'dim_intlist'", "aten.sum.dim_IntList"),
        ("layers.0.weight", None, "no operator 'layers.0.weight' is known", None),
        ("xyzzy\x1b[31m\nplugh", None, "no operator 'xyzzy?[31m?plugh' is known", None),
        (
            "aten.sum.dim_DimnameList",
            "2.13.0",
            "aten.sum.dim_DimnameList is not in torch 2.13.0; it is known in 2.6 and earlier of the known releases",
            None,
        ),
        (
            "prims.fma",
            "2.2.2",
            "no record tells of prims.fma in torch 2.2.2; it is known in 2.13, the only release it is recorded for",
            None,
        ),
        (
            "aten.rms_norm.default",
            "1.13.1",
            "aten.rms_norm.default is not in torch 1.13.1; it is known in 2.6 and later of the known releases",
            None,
        ),
    ],
)
def test_unknown(name: str, release: str | None, reason: str, close: str | None):
    found = family(name, release)
    assert isinstance(found, Unknown)
    assert found.reason == reason
    assert (found.close[0] if found.close else None) == close


def test_a_very_long_name_is_cut():
    found = family("x" * 100_000)
    assert isinstance(found, Unknown)
    assert len(found.reason) < 300 and found.close == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("aten.relu.default", ["core", "has a decomposition", "in all known releases (1.13 to 2.14)"]),
        ("aten.add_.Tensor", ["writes self", "has a decomposition", "in all known releases (1.13 to 2.14)"]),
        # A schema lets reshape return its argument's memory; whether it does depends on the strides.
        ("aten.reshape.default", ["may alias self", "in all known releases (1.13 to 2.14)"]),
        (
            "aten.native_batch_norm.default",
            [
                "updates running statistics when it trains",
                "has a decomposition",
                "in all known releases (1.13 to 2.14)",
            ],
        ),
        ("aten.sum.int", ["TorchScript only", "in all known releases (1.13 to 2.14)"]),
        ("aten.rand.default", ["core", "random", "in all known releases (1.13 to 2.14)"]),
    ],
)
def test_remarks(name: str, words: list[str]):
    assert remarks(catalogue().overload(name)) == words
