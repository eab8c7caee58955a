"""Filetype detection and the settings of a buffer."""

from __future__ import annotations

from pathlib import Path

import pytest

NODE = "    %addmm_1 : [num_users=1] = call_function[target=torch.ops.aten.addmm.default](args = (%b,), kwargs = {})"


@pytest.fixture
def open_buffer(run_neovim, tmp_path: Path):
    def open_at(text: str, cursor: str, name: str = "net.fxgraph") -> dict[str, object]:
        file = tmp_path / name
        file.write_text(text + "\n")
        line = text[: text.index(cursor)].count("\n")
        column = text.splitlines()[line].index(cursor)
        return run_neovim("buffer.lua", file, FXGRAPH_TEST_LINE=str(line + 1), FXGRAPH_TEST_COLUMN=str(column + 1))

    return open_at


def test_detected_by_its_ending(open_buffer) -> None:
    seen = open_buffer(NODE, "addmm_1")
    assert (seen["filetype"], seen["syntax"], seen["server"]) == ("fxgraph", "fxgraph", True)


def test_other_files_are_left_alone(open_buffer) -> None:
    assert open_buffer("addmm_1 = 1", "addmm_1", "net.py")["filetype"] == "python"


def test_a_word_is_the_bare_name(open_buffer) -> None:
    assert open_buffer(NODE, "addmm_1")["word"] == "addmm_1"


def test_a_word_of_a_target_is_one_part_of_it(open_buffer) -> None:
    assert open_buffer(NODE, "addmm.default")["word"] == "addmm"


def test_comments(open_buffer) -> None:
    seen = open_buffer(NODE, "addmm_1")
    assert seen["commented"] == "    # " + NODE.strip()
    assert seen["uncommented"] == NODE
