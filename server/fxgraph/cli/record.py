"""What `inspect --json` and `check --format json` print: one line of JSON a file.

This is a contract. Keys may come, none may change. Lines and columns count from 1, columns in characters of the line
as it stands in the file, at the first character of the bare name.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from fxgraph.analysis import Facts, Finding
from fxgraph.features.filters import Filter, selected
from fxgraph.features.lines import LineIndex
from fxgraph.features.logged import LOGGED, logged_types
from fxgraph.features.shapes import PRINTED, Shape, Shapes, Value, shape_findings, type_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.source_shapes import SourceShapes
from fxgraph.graph import Graph, Node
from fxgraph.reading import source_of, uses

Record = dict[str, Any]


#: So many nodes or reads are turned into text at once.
_AT_ONCE = 500


def file_pieces(
    label: str, snapshot: Snapshot, shapes: Shapes | None = None, filters: Sequence[Filter] = ()
) -> Iterator[str]:
    """The whole answer for one file as pieces of one line of JSON.

    `shapes` fills the types that are not printed; of nodes only those come that meet the filters, all else is of the
    whole graph. In pieces, since the dictionaries of 100,000 nodes at once take thirty times the size of the file.
    """
    yield f'{{"file": {json.dumps(label)}, "graphs": ['
    for graph, facts in zip(snapshot.dump.graphs, snapshot.facts, strict=True):
        place = _placer(snapshot.lines, graph)
        head = json.dumps(_graph_record(snapshot.lines, graph, facts, shapes))
        yield f'{", " if graph.index else ""}{head[:-1]}, "nodes": ['
        chosen = selected(filters, facts) if filters else graph.nodes
        yield from _items(_node_records(snapshot, graph, facts, place, shapes, chosen))
        yield '], "references": ['
        yield from _items(_references(graph, facts, place))
        yield "]}"
    findings = snapshot.findings()
    if shapes is not None:
        findings = sorted([*findings, *shape_findings(snapshot, shapes)], key=lambda one: (one.span.start, one.code))
    yield '], "findings": ['
    yield from _items(_finding_records(snapshot.lines, findings))
    yield "]}\n"


def _items(records: Iterator[Record]) -> Iterator[str]:
    """Records as the inside of a JSON list."""
    comma = ""
    while some := list(islice(records, _AT_ONCE)):
        yield comma + json.dumps(some)[1:-1]
        comma = ", "


def findings_record(lines: LineIndex, findings: Iterable[Finding]) -> list[Record]:
    """Findings, in their order."""
    return list(_finding_records(lines, findings))


def _finding_records(lines: LineIndex, findings: Iterable[Finding]) -> Iterator[Record]:
    for found in findings:
        line, column = lines.position(found.span.start)
        yield {
            "code": found.code,
            "severity": found.severity,
            "line": line + 1,
            "column": column + 1,
            "name": found.name,
            "message": found.message,
            "graph": found.graph,
            "related": [_related(lines, span.start, message) for span, message in found.related],
        }


def _graph_record(lines: LineIndex, graph: Graph, facts: Facts, shapes: Shapes | None) -> Record:
    """One graph without its nodes and reads."""
    span = graph.span()
    stage = facts.stage
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
    }
    if shapes is not None:
        record.update(_origin(graph, shapes))
    return record


def _references(graph: Graph, facts: Facts, place: Callable[[int], list[int]]) -> Iterator[Record]:
    """The reads of a graph, in the order of the text."""
    definitions = facts.links.definitions
    for node in graph.nodes:
        for use in uses(graph, node) if node.reads else ():
            definition = definitions.get(use.name)
            where = None if definition is None else place(definition.start)
            yield {"name": use.name, "use": place(use.start), "def": where}


def _node_records(
    snapshot: Snapshot,
    graph: Graph,
    facts: Facts,
    place: Callable[[int], list[int]],
    shapes: Shapes | None,
    chosen: Sequence[Node],
) -> Iterator[Record]:
    users, unused, dead = facts.links.users, facts.unused, facts.dead
    logged = logged_types(snapshot, graph)
    # each reference goes to the first definition of a name, so the others list no users
    later = {node.index for node in facts.links.redefined}
    for node in chosen:
        index = node.index
        line, column = place(node.start)
        record: Record = {
            "name": node.name,
            "opcode": node.opcode,
            "target": node.target,
            "line": line,
            "column": column,
            "users": [user.name for user in users[index]] if index not in later else [],
            # names can be ambiguous: a node may be called "output", as the output node is, too
            "index": index,
            "users_at": [user.index for user in users[index]] if index not in later else [],
            "printed_users": node.printed_users,
            "type": node.type,
            "unused": index in unused,
            "dead": index in dead,
            "effect": facts.effect(node),
            "source": _source(graph, node),
            "type_from": None if node.type is None else PRINTED,
        }
        if shapes is not None:
            # what torch says of the value, or why it says nothing
            record["type"], record["type_from"] = type_of(graph, node, shapes)
            shape = shapes.shape(graph, node)
            record["computed"] = None if shape is None else _computed(shape)
        if node.type is None and node.name in logged and record["type_from"] in (None, PRINTED):
            record["type"], record["type_from"] = logged[node.name], LOGGED
        yield record


def _origin(graph: Graph, shapes: Shapes) -> Record:
    """What computed the types of a graph."""
    if not isinstance(shapes, SourceShapes):
        part = shapes.about(graph)
        return {
            "propagated": {
                "torch": shapes.torch or None,
                "assumed": part.assumed,
                "remarks": part.remarks,
                "failed": part.failed,
            }
        }
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
    if shape.module is not None:
        told["assumed_module"] = f"torch.nn.{shape.module}"
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
