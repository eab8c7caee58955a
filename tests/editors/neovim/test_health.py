"""`:checkhealth fxgraph`."""

from __future__ import annotations

from pathlib import Path

from editors.common import DUMP
from fxgraph import __version__


def test_health(run_neovim, tmp_path: Path) -> None:
    file = tmp_path / "net.fxgraph"
    file.write_text(DUMP, encoding="utf-8")
    seen = run_neovim("health.lua", file)
    assert seen.get("problem") is None
    assert "OK Neovim 0.11" in seen["before"]
    assert f"fxgraph: fxgraph {__version__}" in seen["before"]
    assert "the server is enabled; it starts with the first dump" in seen["before"]
    assert "ERROR" not in seen["before"] + seen["with"]
    assert f"OK fxgraph {__version__} runs for 1 buffer, columns in utf-8" in seen["with"]
    assert "ERROR the program `/nowhere/fxgraph` is not found" in seen["missing"]
    assert "vim.lsp.config('fxgraph', { cmd = { '/where/it/is/fxgraph', 'serve' } })" in seen["missing"]
    assert "WARNING the server is not enabled" in seen["off"]
