"""`fxgraph ops`, as it stands on the screen."""

from __future__ import annotations

import argparse
from textwrap import dedent

import pytest

from fxgraph.cli import ops


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    ops.add_parser(parser.add_subparsers())
    given = parser.parse_args(["ops", *arguments])
    return given.run(given)


def check_screen(capsys: pytest.CaptureFixture[str], text: str) -> None:
    captured = capsys.readouterr()
    assert captured.out == dedent(text).lstrip("\n")
    assert captured.err == ""


def check_error(capsys: pytest.CaptureFixture[str], line: str) -> None:
    captured = capsys.readouterr()
    assert captured.err == line + "\n"
    assert captured.out == ""


def test_family_with_the_chosen_overload_marked(capsys: pytest.CaptureFixture[str]):
    assert run("aten.add_.Tensor", "--torch", "2.2") == 0
    check_screen(
        capsys,
        """
        aten.add_: 3 overloads in torch 2.2.2
        > Tensor  aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
                  writes self; has a decomposition; in all known releases (1.13 to 2.14)
          Scalar  aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)
                  writes self; has a decomposition; in all known releases (1.13 to 2.14)
          t       aten::add_.t(t[](a!) self, t[] b) -> t[]
                  writes self; TorchScript only; in all known releases (1.13 to 2.14)
        """,
    )


def test_sum_in_2_2_lists_every_overload_in_order(capsys: pytest.CaptureFixture[str]):
    assert run("aten.sum", "--torch", "2.2") == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "aten.sum: 10 overloads in torch 2.2.2"
    names = " ".join(line.split()[0] for line in lines[::2])
    assert names == "dim_IntList default dim_DimnameList DimnameList_out IntList_out out int float complex bool"


def test_newest_release_without_one_named(capsys: pytest.CaptureFixture[str]):
    assert run("aten.sum") == 0
    assert capsys.readouterr().out.startswith("aten.sum: 8 overloads in torch 2.14.1\n")


def test_overload_of_older_releases(capsys: pytest.CaptureFixture[str]):
    assert run("aten.sum.dim_DimnameList") == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == ("aten.sum: 10 overloads in torch 2.6.0, the newest known release with aten.sum.dim_DimnameList")


def test_likeness_of_names_is_called_that(capsys: pytest.CaptureFixture[str]):
    assert run("torch.relu") == 0
    check_screen(
        capsys,
        """
        'torch.relu' is no operator's full name; by its name this family is likely meant:
        aten.relu: 2 overloads in torch 2.14.1
          default  aten::relu(Tensor self) -> Tensor
                   core; has a decomposition; in all known releases (1.13 to 2.14)
          out      aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
                   writes out; has a decomposition; in all known releases (1.13 to 2.14)
        """,
    )


def test_higher_order(capsys: pytest.CaptureFixture[str]):
    assert run("higher_order.cond") == 0
    check_screen(
        capsys,
        """
        higher_order.cond: a higher-order operator, as of torch 2.13.0
          cond(pred, true_fn, false_fn, operands)
          takes graphs, has no schema; in 2.13, the only release it is recorded for
        """,
    )


def test_unknown_name(capsys: pytest.CaptureFixture[str]):
    assert run("aten.summ") == 2
    check_error(capsys, "fxgraph: no operator 'aten.summ' is known; did you mean aten.sum or aten.smm or aten.mm?")


def test_unknown_release(capsys: pytest.CaptureFixture[str]):
    assert run("aten.sum", "--torch", "2.3") == 2
    check_error(
        capsys,
        "fxgraph: torch '2.3' is not known; known releases are 1.13.1, 2.2.2, 2.6.0, 2.13.0, 2.14.1",
    )
