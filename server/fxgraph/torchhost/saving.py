"""Captured graphs as files: one each, with a header line, and an index."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from fxgraph.torchhost.captured import CapturedGraph

INDEX = "index.json"
_FORMAT = 1
_NAME = re.compile(r"[\w.-]+\.fxgraph")


def save(folder: Path, graphs: list[CapturedGraph], script: str, torch: str | None, status: int) -> list[Path]:
    """Write the files, and take away those of an earlier capture into the same folder; returns the paths written.

    Names sort in the order of the graphs, and hold nothing that changes from run to run. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = relative_source(script, folder)
    files = []
    for stem, graph in zip(file_stems(graphs), graphs, strict=True):
        files.append((f"{stem}.fxgraph", header_line(source, torch, graph.stage, graph.compile_id), graph))
    for name in _earlier(folder) - {name for name, _, _ in files}:
        folder.joinpath(name).unlink(missing_ok=True)
    paths = []
    for name, header, graph in files:
        path = folder / name
        text = graph.text.strip("\n")
        path.write_text(f"{header}\n{text}\n", encoding="utf-8", errors="backslashreplace", newline="")
        paths.append(path)
    index = {
        "format": _FORMAT,
        "source": source,
        "torch": torch,
        "status": status,
        "graphs": [
            {
                "file": name,
                "name": graph.name,
                "stage": graph.stage,
                "compile_id": graph.compile_id,
                "rank": graph.rank,
                "nodes": graph.nodes,
            }
            for name, _, graph in files
        ],
    }
    folder.joinpath(INDEX).write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
    return paths


def file_stems(graphs: Sequence[CapturedGraph]) -> list[str]:
    """`003.aot_joint.0_0`, `rank1.003.dynamo.0_0`: each rank counts its own."""
    counts = Counter(graph.rank for graph in graphs)
    width = max(3, *(len(str(count)) for count in counts.values())) if counts else 3
    rank_width = max(len(str(graph.rank or 0)) for graph in graphs) if graphs else 1
    seen: Counter[int | None] = Counter()
    stems = []
    for graph in graphs:
        seen[graph.rank] += 1
        parts = [f"{seen[graph.rank]:0{width}}", graph.name]
        if graph.rank is not None:
            parts.insert(0, f"rank{graph.rank:0{rank_width}}")
        if graph.compile_id is not None:
            parts.append(re.sub(r"\W", "_", graph.compile_id.replace("!", "a")))
        stems.append(".".join(parts))
    return stems


def header_line(source: str, torch: str | None, stage: str | None, compile_id: str | None = None) -> str:
    """The line that proposes where a dump comes from; its words hold no blanks."""
    words = {"source": source, "torch": torch, "stage": stage, "compile_id": compile_id}
    return "# fxgraph: " + " ".join(f"{key}={value}" for key, value in words.items() if value)


def relative_source(script: str, folder: Path) -> str:
    """The script as seen from the dump's folder, with `/` and with blanks as `%20`."""
    path = Path(script).resolve()
    try:
        path = Path(os.path.relpath(path, folder.resolve()))
    except ValueError:  # on another drive
        pass
    return quote(path.as_posix(), safe="/:@+,=~()[]&'!$*;{}")


def _earlier(folder: Path) -> set[str]:
    """The files that an earlier capture has listed in its index here."""
    try:
        index = json.loads(folder.joinpath(INDEX).read_text(encoding="utf-8"))
        names = {str(one["file"]) for one in index["graphs"]} if index["format"] == _FORMAT else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {name for name in names if _NAME.fullmatch(name)}
