"""Whatever a dump is called, once it is recognised there are outline, hover and links."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editors.common import ROOT

FIXTURES = ROOT / "fixtures" / "2.13.0"
REPORT = FIXTURES / "mlp.compile.tlparse" / "-_0_0_0" / "aot_forward_graph_7.txt"
LOG = FIXTURES / "mlp.compile.TORCH_LOGS.log"


@pytest.mark.parametrize(
    ("source", "name", "paste"),
    [
        (REPORT, "aot_forward_graph_7.txt", ""),
        (LOG, "train.log", ""),
        (REPORT, "pasted", "1"),
        (REPORT, "net.fxgraph", ""),
        (FIXTURES / "mlp.inductor_forward.fx_graph_readable.py", "fx_graph_readable.py", ""),
    ],
)
def test_outline_hover_and_links(run_neovim, tmp_path: Path, source: Path, name: str, paste: str) -> None:
    file = tmp_path / name
    shutil.copy(source, file)
    seen = run_neovim("answers.lua", file, FXGRAPH_TEST_PASTE=paste, FXGRAPH_TEST_WORDS="addmm:")
    assert seen.get("problem") is None
    assert seen["filetype"] == "fxgraph"
    assert {"addmm", "primals_1"} <= set(seen["names"])
    assert "torch.ops.aten.addmm.default" in seen["hover"]
    assert seen["links"] > 0
