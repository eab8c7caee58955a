"""What `inspect --json` and `check --format json` print: plain dicts, one a file.

This is a contract. Keys may come, none may change. Lines and columns count from 1, columns in characters of the line
as it stands in the file, at the first character of the bare name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fxgraph.analysis import Facts, Finding
from fxgraph.features.lines import LineIndex
from fxgraph.features.logged import LOGGED, logged_types
from fxgraph.features.shapes import PRINTED, Shape, Shapes, Value, shape_findings, type_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.source_shapes import SourceShapes
from fxgraph.graph import Graph, Node
from fxgraph.reading import paused_collector, source_of, uses

Record = dict[str, Any]


def file_record(label: str, snapshot: Snapshot, shapes: Shapes | None = None) -> Record:
    """The whole answer for one file; `shapes` fills the types that are not printed."""
    with paused_collector():
        graphs = [
            _with_logged(graph_record(snapshot.lines, graph, facts, shapes), graph, logged_types(snapshot, graph))
            for graph, facts in zip(snapshot.dump.graphs, snapshot.facts, strict=True)
        ]
        findings = snapshot.findings()
        if shapes is not None:
            findings = sorted(
                [*findings, *shape_findings(snapshot, shapes)], key=lambda one: (one.span.start, one.code)
            )
        return {"file": label, "graphs": graphs, "findings": findings_record(snapshot.lines, findings)}


def findings_record(lines: LineIndex, findings: Iterable[Finding]) -> list[Record]:
    """Findings, in their order."""
    records = []
    for found in findings:
        line, column = lines.position(found.span.start)
        records.append(
            {
                "code": found.code,
                "severity": found.severity,
                "line": line + 1,
                "column": column + 1,
                "name": found.name,
                "message": found.message,
                "graph": found.graph,
                "related": [_related(lines, span.start, message) for span, message in found.related],
            }
        )
    return records


def graph_record(lines: LineIndex, graph: Graph, facts: Facts, shapes: Shapes | None = None) -> Record:
    """One graph with its nodes and its reads."""
    span = graph.span()
    stage = facts.stage
    links = facts.links
    place = _placer(lines, graph)
    places = [place(node.start) for node in graph.nodes]
    definitions = {name: places[node.index] for name, node in links.definitions.items()}
    references = [
        {"name": use.name, "use": place(use.start), "def": definitions.get(use.name)}
        for node in graph.nodes
        if node.reads
        for use in uses(graph, node)
    ]
    records = _node_records(graph, facts, places)
    if shapes is not None:
        records = _with_shapes(records, graph, shapes)
    record: Record = {
        "name": graph.name,
        "form": graph.form,
        "container": graph.container,
        "lines": [lines.line_of(span.start) + 1, lines.line_of(max(span.end - 1, span.start)) + 1],
        "level": facts.level.name,
        "stage": stage.name if stage else None,
        "levels": {level: [node.name for node in nodes] for level, nodes in facts.level.nodes.items()},
        "title": graph.title,
        "parent": graph.parent,
        "complete": graph.is_whole,
        "compile_id": graph.compile_id,
        "rank": graph.rank,
        "signature": graph.signature,
        "nodes": records,
        "references": references,
    }
    if shapes is not None:
        record.update(_origin(graph, shapes))
    return record


def _node_records(graph: Graph, facts: Facts, places: list[list[int]]) -> list[Record]:
    users, unused, dead, effects = facts.links.users, facts.unused, facts.dead, facts.effects
    names = [node.name for node in graph.nodes]
    if facts.links.redefined:  # each reference goes to the first definition, so the others list no users
        later = {node.index for node in facts.links.redefined}
        users = [[] if index in later else readers for index, readers in enumerate(users)]
    return [
        {
            "name": node.name,
            "opcode": node.opcode,
            "target": node.target,
            "line": places[index][0],
            "column": places[index][1],
            "users": [names[user.index] for user in users[index]],
            "printed_users": node.printed_users,
            "type": node.type,
            "unused": index in unused,
            "dead": index in dead,
            "effect": effects.get(index),
            "source": _source(graph, node),
            "type_from": None if node.type is None else "printed",
        }
        for index, node in enumerate(graph.nodes)
    ]


def _origin(graph: Graph, shapes: Shapes) -> Record:
    """What computed the types of a graph."""
    if not isinstance(shapes, SourceShapes):
        return {"propagated": {"torch": shapes.torch or None, "assumed": shapes.assumed}}
    run, match = shapes.rerun, shapes.matches.get(graph.index)
    return {
        "rerun": {
            "script": run.script if run is not None else None,
            "sha256": run.sha256 if run is not None else None,
            "torch": shapes.torch or None,
            "ended": run.ended if run is not None else None,
            "matching": 0 if match is None else match.matching,
            "stopped": None if match is None else match.stopped,
        }
    }


def _with_shapes(records: list[Record], graph: Graph, shapes: Shapes) -> list[Record]:
    """Fill `type` where none is printed, and add `computed`: what torch says of the value, or why it says nothing."""
    for record, node in zip(records, graph.nodes, strict=True):
        record["type"], record["type_from"] = type_of(graph, node, shapes)
        shape = shapes.shape(graph, node)
        record["computed"] = None if shape is None else _computed(shape)
    return records


def _with_logged(record: Record, graph: Graph, logged: Mapping[str, str]) -> Record:
    """Fill the types that stand elsewhere in the text, where torch has not told more."""
    if logged:
        for told, node in zip(record["nodes"], graph.nodes, strict=True):
            if node.type is None and node.name in logged and told["type_from"] in (None, PRINTED):
                told["type"], told["type_from"] = logged[node.name], LOGGED
    return record


def _computed(shape: Shape) -> Record:
    told: Record = _value(shape.value) if shape.value is not None else {}
    if shape.given:
        told["given"] = True
    if shape.stop is not None:
        told["stop"] = shape.stop
    if shape.waits is not None:
        told["waits"] = shape.waits
    if shape.agrees is not None:
        told["agrees"] = shape.agrees
    return told


def _value(value: Value) -> Record:
    if value.parts:
        return {"parts": [_value(part) for part in value.parts]}
    if value.type is None:
        return {} if value.number is None else {"value": value.number}
    stride = None if value.stride is None else list(value.stride)
    return {"type": value.type, "stride": stride, "device": value.device, "bytes": value.bytes}


def _source(graph: Graph, node: Node) -> Record | None:
    source = source_of(graph, node) if graph.comments else None
    if source is None:
        return None
    return {"path": source.path, "line": source.line, "function": source.function, "code": source.code}


def _related(lines: LineIndex, offset: int, message: str) -> Record:
    line, column = lines.position(offset)
    return {"line": line + 1, "column": column + 1, "message": message}


def _placer(lines: LineIndex, graph: Graph) -> Callable[[int], list[int]]:
    """A function from page offsets to [line, column], without the checks that a general conversion needs."""
    starts = lines.starts
    if graph.page.is_document:

        def place(offset: int) -> list[int]:
            line = bisect_right(starts, offset)
            return [line, offset - starts[line - 1] + 1]

        return place
    to_document = graph.page.to_document

    def place_in_page(offset: int) -> list[int]:
        offset = to_document(offset)
        line = bisect_right(starts, offset)
        return [line, offset - starts[line - 1] + 1]

    return place_in_page
