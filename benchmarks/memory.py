"""Peaks of memory, where Linux tells them."""

from __future__ import annotations

from pathlib import Path


def peak_of_tree(process: int) -> int | None:
    """The sum of the most bytes that a process and those it started have held in memory; None where /proc lacks."""
    peaks = [peak for number in _tree(process) if (peak := _peak(number)) is not None]
    return sum(peaks) if peaks else None


def _tree(process: int) -> list[int]:
    found, below = [], [process]
    while below:
        number = below.pop()
        found.append(number)
        for task in Path(f"/proc/{number}/task").glob("*/children"):
            try:
                below += map(int, task.read_text().split())
            except OSError:  # it has ended meanwhile
                continue
    return found


def _peak(process: int) -> int | None:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return None
    peak = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), None)
    return None if peak is None else int(peak) * 1024
