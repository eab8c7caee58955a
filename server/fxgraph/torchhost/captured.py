"""What a captured run has left, as one list of graphs: journals and traces of its processes put together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fxgraph.analysis import Facts
from fxgraph.reading import read
from fxgraph.torchhost.trace import TracedGraph, process_of, traced_graphs

Entries = list[dict[str, Any]]


class CapturedGraph(NamedTuple):
    """One saved text.

    name        what it is called in file names: `dynamo`, `aot_joint`, `before_pre_grad`, `printed_readable`
    stage       the stage as analysis names it (`pre_grad`), or None where it is not known
    compile_id  `0/0`, or None
    rank        of a distributed run, or None
    text        as torch or the script printed it
    nodes       how many nodes were read in it
    """

    name: str
    stage: str | None
    compile_id: str | None
    rank: int | None
    text: str
    nodes: int


#: What torch calls a graph -> its name here, its stage. Titles of torch 2.2's logs among them.
_NAMES = (
    (r"dynamo_output_graph|__compiled_fn_\w+", "dynamo", "dynamo"),
    (r"aot_joint_graph|Joint graph", "aot_joint", "aot_joint"),
    (r"aot_forward_graph|Forward graph", "aot_forward", "aot_forward"),
    (r"aot_backward_graph|Backward graph", "aot_backward", "aot_backward"),
    (r"aot_inference_graph", "aot_inference", "aot_inference"),
    (r"before_pre_grad_graph|BEFORE PRE GRAD", "before_pre_grad", "pre_grad"),
    (r"(?:after|inductor)_pre_grad_graph|AFTER PRE GRAD", "after_pre_grad", "pre_grad"),
    (r"before_post_grad_graph|BEFORE POST GRAD", "before_post_grad", "post_grad"),
    (r"(?:after|inductor)_post_grad_graph|AFTER POST GRAD", "after_post_grad", "post_grad"),
    (r"compiled_autograd_graph|Compiled autograd graph", "compiled_autograd", None),
    (r"export", "export", "export"),
    (r"export_decomposed", "export_decomposed", "export"),
)


def captured_graphs(journals: Sequence[Entries], traces: Mapping[str, bytes]) -> list[CapturedGraph]:
    """The graphs of all processes: rank by rank, a process without a rank first; in each in the order of their making.

    traces  name -> content of each file of the trace; a journal's entries say behind which place of which file they
            come
    """
    left = {name: list(traced_graphs(data)) for name, data in sorted(traces.items())}
    by_process = {process_of(data): name for name, data in sorted(traces.items())}
    processes = [_one_process(entries, left, by_process) for entries in journals]
    processes += [[_of_trace(one) for one in left.pop(name)] for name in sorted(left)]
    ranked = [(min((one.rank for one in graphs if one.rank is not None), default=-1), graphs) for graphs in processes]
    found: list[CapturedGraph] = []
    for rank, graphs in sorted(ranked, key=lambda pair: pair[0]):
        found += [one._replace(rank=None if rank < 0 else rank) for one in graphs if one.nodes]
    return _without_repeats(found)


def _one_process(
    entries: Entries, left: dict[str, list[TracedGraph]], by_process: Mapping[int | None, str]
) -> list[CapturedGraph]:
    """Takes the traces of this process out of `left`."""
    named = {entry["trace"] for entry in entries if entry.get("trace")} | {by_process.get(entries[0].get("pid"))}
    own = {str(name) for name in named if name in left}
    traced = [one for name in sorted(own) for one in left.pop(name)]
    graphs: list[CapturedGraph] = []
    for entry in entries:
        if "text" not in entry:
            continue
        at = int(entry.get("at") or 0)
        while traced and traced[0].at < at:
            graphs.append(_of_trace(traced.pop(0)))
        graphs.append(_of_journal(entry))
    return graphs + [_of_trace(one) for one in traced]


def _of_trace(traced: TracedGraph) -> CapturedGraph:
    return _captured(traced.name, traced.compile_id, traced.rank, traced.text)


def _of_journal(entry: dict[str, Any]) -> CapturedGraph:
    text = str(entry["text"])
    if "made" in entry:
        compile_id = entry.get("compile_id")
        return _captured(str(entry["made"]), None if compile_id is None else str(compile_id), None, text)
    dump = read(text)
    facts = Facts(dump.graphs[0]) if dump.graphs else None
    stage = facts.stage.name if facts is not None and facts.stage is not None else None
    return CapturedGraph(f"printed_{entry['printed']}", stage, None, None, text, _count(text))


def _captured(called: str, compile_id: str | None, rank: int | None, text: str) -> CapturedGraph:
    other = re.sub(r"\W+", "_", called).strip("_").lower()[:40]
    known = ((name, stage) for pattern, name, stage in _NAMES if re.fullmatch(pattern, called))
    name, stage = next(known, (other, None))
    if name == "aot_forward" and re.search(r"def forward\(self, arg\d+_1", text):
        name = stage = "aot_inference"  # torch 2.2 calls both "Forward graph"; only this one's inputs are no primals
    return CapturedGraph(name, stage, compile_id, rank, text, _count(text))


def _count(text: str) -> int:
    return sum(len(graph.nodes) for graph in read(text).graphs)


def _without_repeats(graphs: list[CapturedGraph]) -> list[CapturedGraph]:
    """A text that was printed twice, or printed as torch made it, is saved once."""
    kept: list[CapturedGraph] = []
    seen: set[str] = set()
    for one in graphs:
        text = one.text.strip()
        if one.name.startswith("printed_") and text in seen:
            continue
        seen.add(text)
        kept.append(one)
    return kept
