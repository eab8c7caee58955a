"""The graphs in a file that TORCH_TRACE makes: torch/_logging/_internal.py `trace_structured`, `TorchLogsFormatter`.

A record is a line `V1129 18:58:33.366000 <pid> <file>:<line>] {json}`; where the JSON has a `has_payload`, the lines
below it, each behind one tab, are the payload.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_RECORD = re.compile(r"[VIWEC]\d{4} [\d:.]+ \d+ [^\n]*?\] (\{.*\})\s*\Z")
_PROCESS = re.compile(rb"[VIWEC]\d{4} [\d:.]+ (\d+) ")
_CONTEXT = frozenset({
    "rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "has_payload", "stack", "severity",
    "timestamp", "pathname", "thread", "process", "subgraph_name",
})  # fmt: skip
#: Names with "graph" in them whose payload is something else.
_NO_GRAPH = re.compile(r"fx_graph_(?:runnable|cache)|metadata|graph_break|cudagraph|sizes", re.IGNORECASE)


class TracedGraph(NamedTuple):
    """A graph of a trace.

    at          where its record begins: characters that are bytes, when the file was read as latin-1
    name        `dynamo_output_graph`, `aot_joint_graph`, `before_pre_grad_graph`, ...
    compile_id  `0/0`, `0/1_1`, `!0/0/0`, or None outside of a compilation
    rank        the rank of the process, or None
    text        as torch wrote it
    """

    at: int
    name: str
    compile_id: str | None
    rank: int | None
    text: str


def traced_graphs(data: bytes) -> Iterator[TracedGraph]:
    """The graphs of a file's content, in its order. Lines that are no record, and what was cut, are left out."""
    at = 0
    record: tuple[int, dict[str, Any]] | None = None
    payload: list[bytes] = []
    for line in data.split(b"\n"):
        if line.startswith(b"\t"):
            payload.append(line[1:])
        else:
            if record is not None and payload:
                yield from _graph(*record, payload)
            payload = []
            record = _record(at, line)
        at += len(line) + 1
    if record is not None and payload:
        yield from _graph(*record, payload)


def process_of(data: bytes) -> int | None:
    """The process that wrote a file, by its first record."""
    match = _PROCESS.match(data[:200])
    return int(match[1]) if match else None


def _record(at: int, line: bytes) -> tuple[int, dict[str, Any]] | None:
    if b'"has_payload"' not in line or b"graph" not in line:
        return None
    match = _RECORD.match(line.decode("utf-8", "replace"))
    try:
        told = json.loads(match[1]) if match else None
    except ValueError:
        return None
    return (at, told) if isinstance(told, dict) else None


def _graph(at: int, record: dict[str, Any], payload: list[bytes]) -> Iterator[TracedGraph]:
    name = next((key for key in record if key not in _CONTEXT), "")
    if name in ("artifact", "graph_dump") and isinstance(record[name], dict):
        name = str(record[name].get("name", ""))
    if "graph" not in name or _NO_GRAPH.search(name):
        return
    rank = record.get("rank")
    text = b"\n".join(payload).decode("utf-8", "replace")
    yield TracedGraph(at, name, _compile_id(record), rank if isinstance(rank, int) else None, text)


def _compile_id(record: dict[str, Any]) -> str | None:
    """torch/_guards.py `CompileId.__str__`, `CompileTraceId`: `!<autograd>/<frame>/<compile>_<attempt>`."""
    parts = [str(record[key]) for key in ("frame_id", "frame_compile_id") if isinstance(record.get(key), int)]
    autograd = record.get("compiled_autograd_id")
    if isinstance(autograd, int):
        parts.insert(0, f"!{autograd}")
    if not parts:
        return None
    attempt = record.get("attempt")
    return "/".join(parts) + (f"_{attempt}" if isinstance(attempt, int) and attempt else "")
