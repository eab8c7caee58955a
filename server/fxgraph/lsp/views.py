"""Requests of our own: `fxgraph/view`, a graph in another form, `fxgraph/slice`, what a node depends on, and
`fxgraph/debugInfo`, what a report of a bug may show of a dump.

    fxgraph/view   {textDocument, graph?, position?, kind}   ->   {uri, version, graph, kind, languageId, text, lines,
                                                                   selection} | null
    fxgraph/slice  {textDocument, position}                  ->   {name, nodes, text} | null
    fxgraph/debugInfo  {textDocument}                        ->   {lines: [text, ...]} | null

`kind` is `graph_str`, `readable`, `table` or `bare`. It is the graph of the number `graph`; without one the graph at
the position, else the first. With both it is the graph at the position and no other: a view that follows a document's
changes knows a place in its graph, while numbers change when graphs come and go above it.
`lines` has for each line of the view the document's line that it shows, from 0, or null; `selection` is the place, in
the view, of the node at the position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lsprotocol import types

from fxgraph.features.lines import LineIndex
from fxgraph.features.locate import graphs_at, locate
from fxgraph.features.slices import slice_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views import VIEWS, Written
from fxgraph.graph import OUTPUT, Graph
from fxgraph.lsp.client import Client
from fxgraph.lsp.protocol import INVALID_PARAMS, Refusal
from fxgraph.lsp.wire import Wire

_LANGUAGES = {"graph_str": "fxgraph", "readable": "fxgraph", "table": "plaintext", "bare": "fxgraph"}


class Asked(NamedTuple):
    """The parameters of these requests."""

    text_document: types.TextDocumentIdentifier
    position: types.Position | None
    graph: int | None
    kind: str


def asked_of(value: object) -> Asked:
    """The parameters in what a client sent. Raises Refusal."""
    try:
        parameters: Any = value
        position, graph = parameters.get("position"), parameters.get("graph")
        place = None if position is None else types.Position(int(position["line"]), int(position["character"]))
        document = types.TextDocumentIdentifier(str(parameters["textDocument"]["uri"]))
        return Asked(document, place, None if graph is None else int(graph), str(parameters.get("kind")))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise Refusal(INVALID_PARAMS, "parameters of a wrong shape") from None


def view_answer(
    snapshot: Snapshot, asked: Asked, offset: int | None, uri: str, client: Client, pause: Callable[[], None]
) -> Any:
    """The answer to `fxgraph/view`."""
    write = VIEWS.get(asked.kind)
    if write is None:
        raise Refusal(INVALID_PARAMS, f"kind must be one of {', '.join(VIEWS)}")
    graph = _graph(snapshot, asked.graph, offset)
    if graph is None:
        return None
    written = write(snapshot, graph, pause)
    return {
        "uri": uri,
        "version": snapshot.version,
        "graph": graph.index,
        "kind": asked.kind,
        "languageId": _LANGUAGES[asked.kind],
        "text": written.text,
        "lines": written.sources,
        "selection": _selection(snapshot, graph, written, offset, client),
    }


def slice_answer(snapshot: Snapshot, offset: int | None) -> Any:
    """The answer to `fxgraph/slice`."""
    place = None if offset is None else locate(snapshot, offset)
    if place is None or place.node is None:
        return None
    made = slice_of(snapshot, place.graph, place.node)
    return {"name": place.node.name, "nodes": made.nodes, "text": made.text}


def _graph(snapshot: Snapshot, index: int | None, offset: int | None) -> Graph | None:
    graphs = snapshot.dump.graphs
    around = None if offset is None else next(graphs_at(snapshot, offset), None)
    if index is None:
        return around or (graphs[0] if graphs else None)
    if offset is not None:
        return around
    return graphs[index] if 0 <= index < len(graphs) else None


def _selection(snapshot: Snapshot, graph: Graph, written: Written, offset: int | None, client: Client) -> Any:
    place = None if offset is None else locate(snapshot, offset)
    if place is None or place.node is None or place.graph is not graph or place.node.index not in written.places:
        return None
    line, column = written.places[place.node.index]
    lines = LineIndex(written.text)
    start = lines.offset(line, column)
    length = len("return") if place.node.opcode == OUTPUT else len(place.node.name)
    wire = Wire(lines, client.encoding)
    return {"start": wire.position(start), "end": wire.position(start + length)}
