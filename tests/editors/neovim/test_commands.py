"""The plugin's commands: views, slices, searches, and what a code lens runs."""

from __future__ import annotations

from textwrap import dedent

import pytest

from editors.common import DUMP, place


@pytest.fixture(scope="module")
def seen(run_neovim, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    file = tmp_path_factory.mktemp("dumps") / "net.fxgraph"
    file.write_text(DUMP, encoding="utf-8")
    file.with_name("other.fxgraph").write_text(DUMP, encoding="utf-8")
    file.with_name("pyproject.toml").touch()
    line, before = place("%neg : [", "neg")
    column = str(len(before.encode()) + 1)
    seen = run_neovim("commands.lua", file, FXGRAPH_TEST_LINE=str(line), FXGRAPH_TEST_COLUMN=column)
    assert seen.get("problem") is None
    return seen


def test_a_view_shows_the_graph_as_code_at_the_same_node(seen) -> None:
    shown = seen["code"]
    assert "neg = torch.ops.aten.neg.default(relu)" in shown["text"]
    assert (shown["filetype"], shown["modifiable"], shown["word"]) == ("fxgraph", False, "neg")


def test_a_code_lens_shows_the_table(seen) -> None:
    assert seen["table"]["text"].split()[:3] == ["opcode", "name", "target"]
    assert (seen["table"]["filetype"], seen["table"]["modifiable"]) == ("", False)


def test_a_slice_is_copied(seen) -> None:
    assert seen["slice"] == dedent("""\
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
            %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%relu,), kwargs = {})
            return neg
        """)
    assert seen["slice_told"] == "fxgraph: copied neg and what it depends on, 3 nodes"


def test_nodes_are_found_by_a_filter(seen) -> None:
    line, before = place("%neg : [", "neg")
    assert [found[0] for found in seen["found"]] == [line]
    assert seen["found"][0][1] in (len(before), len(before) + 1)  # with or without the %


def test_nodes_of_the_folder_are_found(seen) -> None:
    assert len(seen["in_folder"]) == 2
    assert {found[0] for found in seen["in_folder"]} == {seen["found"][0][0]}


def test_debug_info_holds_no_name(seen) -> None:
    lines = seen["info"].splitlines()
    assert lines[0].startswith("fxgraph 0.1.0, Neovim 0.11.4, Linux")
    assert lines[-1] == "line 1: graph():"
    assert "neg" not in seen["info"]


def test_unknown_words_name_the_known_ones(seen) -> None:
    assert seen["unknown"].startswith("fxgraph: one of find, findall, info, log, next, read, ")
    assert seen["completed"] == ["bare", "code", "graph", "table"]


def test_go_to_definition_inside_of_a_view(seen) -> None:
    assert seen["jump_in_view"] == [1, "relu"]
    assert seen["shows_findings"] == [True, False]


def test_a_view_follows_its_graph_and_leads_back(seen) -> None:
    assert "einsum" in seen["followed"]
    assert "first" not in seen["followed"]
    assert seen["source"] == [True, True]
    assert seen["other"][0]
    assert "first" in seen["other"][1]
    assert seen["word"] == "neg"


def test_log_and_reading_any_buffer(seen) -> None:
    assert (seen["log"], seen["read"]) == ("lsp.log", "fxgraph")
