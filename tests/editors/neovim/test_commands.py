"""The plugin's commands: views, slices, searches, and what a code lens runs."""

from __future__ import annotations

from textwrap import dedent

import pytest

from editors.common import DUMP, place


@pytest.fixture(scope="module")
def seen(run_neovim, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    file = tmp_path_factory.mktemp("dumps") / "net.fxgraph"
    file.write_text(DUMP, encoding="utf-8")
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
    assert seen["told"] == "fxgraph: copied neg and what it depends on, 3 nodes"


def test_nodes_are_found_by_a_filter(seen) -> None:
    line, before = place("%neg : [", "neg")
    assert [found[0] for found in seen["found"]] == [line]
    assert seen["found"][0][1] in (len(before), len(before) + 1)  # with or without the %
