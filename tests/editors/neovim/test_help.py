"""The help file: its tags can be built, and each of its links leads somewhere."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from editors.common import ROOT


def test_every_topic_is_found(run_neovim, tmp_path: Path) -> None:
    doc = tmp_path / "doc"
    shutil.copytree(ROOT / "neovim" / "doc", doc, ignore=shutil.ignore_patterns("tags"))
    text = (doc / "fxgraph.txt").read_text()
    topics = re.findall(r"(?<!\S)\*([\w.-]+)\*(?!\S)", text)
    links = sorted(set(re.findall(r"\|([^\s|]+)\|", text)))
    assert "fxgraph-setup" in topics
    found = run_neovim("help.lua", doc / "fxgraph.txt", FXGRAPH_TEST_LINKS="\n".join(topics + links))
    assert set(topics) <= set(found["tags"])
    assert found["missing"] == []
