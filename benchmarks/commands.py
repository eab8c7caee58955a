"""The command line: files per second, and memory, which stays under a multiple of the file's size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.inputs import Document
from benchmarks.table import show

ROOT = Path(__file__).resolve().parents[1]
PEAK = Path(__file__).with_name("peak.py")

#: Memory stays under so many times the file's size, where the file is not small.
AT_MOST = 12
SMALL = 5_000_000  # bytes: below, Python itself counts for more

SUFFIXES = (".fxgraph", ".py", ".txt", ".log")

COMMANDS = [["check", "--exit-zero"], ["inspect"], ["inspect", "--json"]]


class Cost(NamedTuple):
    """What a command took: seconds, and bytes of memory at most."""

    seconds: float
    memory: int


def cost(*arguments: str | Path) -> Cost:
    """Run fxgraph; what it prints is thrown away."""
    command = [sys.executable, PEAK, sys.executable, "-m", "fxgraph", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    seconds, memory, status = done.stdout.split()
    if status != "0":
        raise RuntimeError(f"fxgraph {arguments[0]} ended with status {status}")
    return Cost(float(seconds), int(memory))


def table(documents: list[Document], rounds: int) -> tuple[str, list[str]]:
    """A Markdown table, and what is wrong."""
    fixtures = [path for path in sorted(ROOT.joinpath("fixtures").glob("*/*.*")) if path.suffix in SUFFIXES]
    size = sum(path.stat().st_size for path in fixtures)
    best = min(cost("check", "--exit-zero", *fixtures) for _ in range(rounds))
    rows = [
        "| command | input | size | time | peak memory | of the file's size |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    speed = f"{show(best.seconds, 's')}: {len(fixtures) / best.seconds:.0f} files a second"
    what = f"the {len(fixtures)} files of `fixtures/`"
    rows.append(f"| check | {what} | {size / 1e6:.1f} MB | {speed} | {show(best.memory, 'B')} | |")
    wrong = []
    for document in documents:
        size = document.path.stat().st_size
        for command in COMMANDS:
            best = min(cost(*command, document.path) for _ in range(rounds))
            name, what = " ".join(command).replace(" --exit-zero", ""), f"{document.size}, {document.notation}"
            times = best.memory / size
            rows.append(
                f"| {name} | {what} | {size / 1e6:.1f} MB | {show(best.seconds, 's')} | {show(best.memory, 'B')} "
                f"| {times:.1f} x |"
            )
            if times > AT_MOST and size > SMALL:
                wrong.append(f"fxgraph {name} of {what}: {times:.1f} times the file's size, {AT_MOST} is the limit")
    return "\n".join(rows), wrong
