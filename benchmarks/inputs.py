"""The documents: generated ones of three sizes, and the graphs of a traced model, kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.servers import GRAPH, MLIR, READABLE
from large import graph_str, mlir, readable

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fxgraph-bench"
TRACED = Path(__file__).with_name("traced.py")

#: Notation -> language, and the sign of a comment.
LANGUAGES = {GRAPH: ("fxgraph", "#"), READABLE: ("python", "#"), MLIR: ("mlir", "//")}

#: Notation -> a definition at the beginning of a line, and a use.
_DEFINES = {
    GRAPH: re.compile(r"    %(\w+) :", re.MULTILINE),
    READABLE: re.compile(r"        (\w+)(?:: \"[^\"]*\")? = ", re.MULTILINE),
    MLIR: re.compile(r"    %(\w+) =", re.MULTILINE),
}
_PERCENT = re.compile(r"%(\w+)")
_USES = {GRAPH: _PERCENT, READABLE: re.compile(r"(?<![.\w])([a-zA-Z_]\w*)\b(?! ?[(=])"), MLIR: _PERCENT}


class Document(NamedTuple):
    """A text, its file, and by what it is called in the table."""

    size: str
    notation: str
    path: Path

    @property
    def text(self) -> str:
        """What is in the file."""
        return self.path.read_text(encoding="utf-8")


class Use(NamedTuple):
    """A name that is read: its place, and the line of its definition; all from 0."""

    line: int
    column: int
    defined: int


def generated(nodes: int) -> list[Document]:
    """One random graph of so many nodes in three notations."""
    folder = CACHE / "generated"
    documents = []
    for notation, write, name in ((GRAPH, graph_str, "fxgraph"), (READABLE, readable, "py"), (MLIR, mlir, "mlir")):
        path = folder / f"{nodes}.{name}" / f"net.{name}"  # alone in its folder: some servers look at all of it
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write(nodes), encoding="utf-8")
        documents.append(Document(f"{nodes:,}", notation, path))
    return documents


def traced() -> list[Document] | None:
    """A traced GPT of 300 layers: its joint graph in two forms, and dynamo's graph. None where torch is missing."""
    folder = CACHE / f"traced-{hashlib.sha256(TRACED.read_bytes()).hexdigest()[:12]}"
    if not folder.is_dir():
        if find_spec("torch") is None:
            return None
        print("Tracing a model of 300 layers; once, some minutes", file=sys.stderr)
        making = folder.with_suffix(".part")
        making.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "benchmarks.traced", making], check=True)
        making.rename(folder)
    joint, dynamo = "traced joint graph", "traced dynamo graph"
    return [
        _alone(joint, GRAPH, folder / "joint.graph.fxgraph"),
        _alone(joint, READABLE, folder / "joint.readable.py"),
        _alone(dynamo, READABLE, folder / "dynamo.readable.py"),
    ]


def _alone(size: str, notation: str, path: Path) -> Document:
    copy = path.with_suffix("") / path.name
    if not copy.is_file():
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, copy)
    return Document(size, notation, copy)


def uses(text: str, notation: str) -> list[Use]:
    """Every name that is read below its only definition, in the lines that define a node themselves."""
    lines = text.split("\n")
    defines, use = _DEFINES[notation], _USES[notation]
    heads = [defines.match(line) for line in lines]
    defined: dict[str, int] = {}
    for number, head in enumerate(heads):
        if head:
            defined.setdefault(head[1], number)
    found = []
    for number, (line, head) in enumerate(zip(lines, heads, strict=True)):
        if head:
            behind = line.find(";", head.end())
            for match in use.finditer(line, head.end(), behind if behind > 0 else len(line)):
                above = defined.get(match[1], number)
                if above < number:
                    found.append(Use(number, match.start(1), above))
    return found
