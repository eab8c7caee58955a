"""Whatever a dump is called, once it is recognised there are outline, hover and links."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editors.common import ROOT

FIXTURES = ROOT / "fixtures" / "2.13.0"
REPORT = FIXTURES / "mlp.compile.tlparse" / "-_0_0_0" / "aot_forward_graph_7.txt"
LOG = FIXTURES / "mlp.compile.TORCH_LOGS.log"


KERNEL = ROOT / "fixtures" / "cases" / "09-kernel-fragment.py"

#: What each file is called, where it is from, words in it, the node that stands there, and how its definition begins.
FILES = {
    "aot_forward_graph_7.txt": (REPORT, "addmm:", "addmm", 'addmm: "f32'),
    "train.log": (LOG, "addmm:", "addmm", 'addmm: "f32'),
    "net.fxgraph": (REPORT, "addmm:", "addmm", 'addmm: "f32'),
    "fx_graph_readable.py": (FIXTURES / "mlp.inductor_forward.fx_graph_readable.py", "addmm:", "addmm", 'addmm: "f32'),
    "dedicated_log_torch_trace_x.log": (FIXTURES / "mlp.compile.TORCH_TRACE.log", "addmm:", "addmm", 'addmm: "f32'),
    "inductor_output_code_cabc_12.txt": (KERNEL, "%mul_7 :", "mul_7", "#   %mul_7 : "),
    "fx_graph_runnable_9.txt": (REPORT.with_name("fx_graph_runnable_9.txt"), "addmm =", "addmm", "addmm = torch"),
    "job.err": (LOG, "addmm:", "addmm", 'addmm: "f32'),
}


@pytest.mark.parametrize("name", FILES)
def test_outline_hover_and_links(run_neovim, tmp_path: Path, name: str) -> None:
    source, words, node, definition = FILES[name]
    file = tmp_path / name
    shutil.copy(source, file)
    seen = run_neovim("answers.lua", file, FXGRAPH_TEST_PASTE="", FXGRAPH_TEST_WORDS=words)
    check_answers(seen, node)
    assert seen["definition"][0] == name
    assert definition in seen["definition"][1]
    assert (seen["links"] > 0) == (name != "fx_graph_runnable_9.txt")  # a repro names no source


def test_a_pasted_text(run_neovim, tmp_path: Path) -> None:
    file = tmp_path / "pasted"
    shutil.copy(REPORT, file)
    seen = run_neovim("answers.lua", file, FXGRAPH_TEST_PASTE="1", FXGRAPH_TEST_WORDS="addmm:")
    check_answers(seen, "addmm")
    assert seen["links"] > 0


def test_a_backward_graph_leads_to_the_file_of_its_forward_graph(run_neovim, tmp_path: Path) -> None:
    folder = tmp_path / "-_0_0_0"
    shutil.copytree(REPORT.parent, folder)
    file = folder / "aot_backward_graph_8.txt"
    seen = run_neovim("answers.lua", file, FXGRAPH_TEST_PASTE="", FXGRAPH_TEST_WORDS="addmm:")
    check_answers(seen, "addmm")
    assert seen["links"] > 0
    name, line = seen["definition"]
    assert (name, line.split(":")[0].strip()) == ("aot_forward_graph_7.txt", "addmm")


def check_answers(seen: dict[str, object], node: str) -> None:
    assert seen.get("problem") is None
    assert seen["filetype"] == "fxgraph"
    assert node in seen["names"]
    assert node in seen["hover"]
