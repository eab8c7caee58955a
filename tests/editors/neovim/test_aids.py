"""Colours, hints, lenses and data flow as Neovim shows them."""

from __future__ import annotations

import pytest

from editors.common import DUMP, place

HINTS = "lua vim.lsp.config('fxgraph', { settings = { fxgraph = { inlayHints = { lastUses = true } } } })"


def at(words: str, inside: str) -> list[int]:
    """Line and byte column, both from 1."""
    line, before = place(words, inside)
    return [line, len(before.encode()) + 1]


@pytest.fixture(scope="module")
def seen(run_neovim, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list]:
    file = tmp_path_factory.mktemp("dumps") / "net.fxgraph"
    file.write_text(DUMP, encoding="utf-8")
    line, column = at("%relu : [", "relu")
    seen = run_neovim("aids.lua", file, HINTS, FXGRAPH_TEST_LINE=str(line), FXGRAPH_TEST_COLUMN=str(column))
    assert seen.get("problem") is None
    return seen


def test_colours_also_behind_wide_characters(seen) -> None:
    line = at("%einsum : [", "einsum")[0]
    assert [word[1:] for word in seen["words"] if word[0] == line] == [
        ["einsum", "variable", "definition"],
        ["call_function", "keyword", "callFunction"],
        ["torch.ops.aten", "namespace", ""],
        ["einsum", "function", ""],
        ["default", "property", "overload"],
        ["relu", "variable", "lastUse"],
        ["neg", "variable", "lastUse"],
    ]
    assert [word[1:] for word in seen["words"] if word[1] == "abs_1"] == [["abs_1", "variable", "dead definition"]]


def test_hints(seen) -> None:
    lines = DUMP.splitlines()
    ends = {line + 1: len(text.encode()) + 1 for line, text in enumerate(lines)}
    hints = {line: (column, label) for line, column, label in seen["hints"]}
    last = at("%abs_1 : [", "abs_1")[0]
    assert hints[last] == (ends[last], ";  x = None")
    wide = at("%einsum : [", "einsum")[0]
    assert hints[wide] == (ends[wide], ";  relu = neg = None")


def test_lenses(seen) -> None:
    assert seen["lenses"] == ["aten, 6 nodes, 1 input, 1 dead"]


def test_data_flow(seen) -> None:
    assert seen["operands"] == [at("%x : [", "x")]
    assert seen["users"] == [at("(%relu,)", "relu"), at("[%relu, %neg]", "relu")]


def test_a_graph_folds(seen) -> None:
    assert seen["folds"] == [1] * len(DUMP.splitlines())


def test_symbols_of_open_dumps(seen) -> None:
    [[line, text]] = seen["symbols"]
    assert line == at("%abs_1 : [", "abs_1")[0]
    assert "abs_1" in text


def test_a_code_action_corrects_a_count(seen) -> None:
    assert "Correct the user count of relu to 2" in seen["offered"]
    assert "Copy the slice of relu: all that it depends on" in seen["offered"]
