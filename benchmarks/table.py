"""Medians of several rounds as one Markdown table: a row per size and measure, a column per server."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks.servers import EMPTY, FXGRAPH_GRAPH, FXGRAPH_READABLE, PEER
from benchmarks.session import MEASURES, Result

#: (size, server) -> its rounds.
Results = dict[tuple[str, str], list[Result]]

#: What fxgraph wants to reach at this size: at most so many times what the peer takes.
GOAL_SIZE = "100,000"
GOALS = {
    "findings": 0.7,
    "definition": 0.2,
    "hover": 0.2,
    "references": 0.2,
    "edit": 0.15,
    "memory": 0.6,
}
START_GOAL = 1.15  # times an empty server's


def table(results: Results, names: Sequence[str]) -> str:
    """The table. Behind a figure stands how many times the peer's it is; at the start, the empty server's."""
    shown = [name for name in names if name == EMPTY or any(key[1] == name for key in results)]
    rows = [["nodes", "", *shown, "goal"]]
    sizes = dict.fromkeys(size for size, name in results if name != EMPTY)
    asked = [("any", "start"), *((size, measure) for size in sizes for measure in MEASURES if measure != "start")]
    for size, measure in asked:
        words, unit = MEASURES[measure]
        cells = [_cell(results, size, name, measure, unit) for name in shown]
        if any(cells):
            rows.append([size, words, *cells, _goal(results, size, measure)])
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def troubles(results: Results) -> list[str]:
    """What went wrong or was odd, a sentence each."""
    found: dict[str, None] = {}
    for (size, name), rounds in results.items():
        for result in rounds:
            for words in [*([result.trouble] if result.trouble else []), *result.notes]:
                found[f"{name}, {size}: {words}"] = None
    return list(found)


def _median(results: Results, size: str, name: str, measure: str) -> float | None:
    values = [
        result[measure]
        for (of_size, of_name), rounds in results.items()
        for result in rounds
        if of_name == name and size in (of_size, "any") and measure in result
    ]
    return statistics.median(values) if values else None


def _compared_with(results: Results, size: str, measure: str) -> float | None:
    return _median(results, size, EMPTY if measure == "start" else PEER, measure)


def _cell(results: Results, size: str, name: str, measure: str, unit: str) -> str:
    own, other = _median(results, size, name, measure), _compared_with(results, size, measure)
    if own is None:
        return ""
    if not other or name == (EMPTY if measure == "start" else PEER):
        return show(own, unit)
    times = own / other
    return f"{show(own, unit)} ({times:.0f} x)" if times >= 10 else f"{show(own, unit)} ({times:.2g} x)"


def _goal(results: Results, size: str, measure: str) -> str:
    factor = START_GOAL if measure == "start" else GOALS.get(measure) if size == GOAL_SIZE else None
    other = _compared_with(results, size, measure)
    if factor is None or not other:
        return ""
    reached = [
        "yes" if own <= factor * other else "no"
        for name in (FXGRAPH_GRAPH, FXGRAPH_READABLE)
        if (own := _median(results, size, name, measure)) is not None
    ]
    return f"{factor:g} x: {', '.join(reached)}"


def show(value: float, unit: str) -> str:
    """A figure for people: seconds or bytes."""
    if unit == "B":
        return f"{value / 1e6:.0f} MB"
    return f"{value:.2f} s" if value >= 0.995 else f"{value * 1e3:.3g} ms"
