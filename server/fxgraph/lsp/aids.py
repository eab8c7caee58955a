"""Inlay hints, code lenses, data flow and selections in the protocol's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from fxgraph.features.hierarchy import Flow, Item, flow_item, operands, users
from fxgraph.features.hints import TYPES, hints
from fxgraph.features.lens import lenses, table_text
from fxgraph.features.markdown import shortened
from fxgraph.features.selection import selections
from fxgraph.features.stretches import graphs_between, nodes_between
from fxgraph.features.told import lacks_type
from fxgraph.lsp.names import RERUN, STOP, TABLE
from fxgraph.lsp.outline import KINDS
from fxgraph.lsp.protocol import INVALID_PARAMS, Refusal

if TYPE_CHECKING:
    from fxgraph.lsp.answers import Question

#: Commands that a code lens names: the editor's plugin carries them out.
SHOW_TABLE, NEXT_GRAPH = "fxgraph.showTable", "fxgraph.nextGraph"
#: What the server answers: the text of a graph's table.


def inlay_hints(question: Question) -> Any:
    """Answers `textDocument/inlayHint`."""
    wire, asked = question.wire, question.parameters.range
    start = wire.offset(asked.start.line, asked.start.character)
    end = wire.offset(asked.end.line, asked.end.character)
    if start is None or not question.settings.hints:
        return []
    if TYPES in question.settings.hints:
        _ask_torch(question, start, len(question.snapshot.text) if end is None else end)
    found = hints(question.snapshot, question.settings.hints, start, end, question.pause)
    return [
        {
            "position": wire.position(hint.offset),
            "label": hint.text,
            "tooltip": hint.ground,
            # names of arguments stand in front of something, all others behind
            **({"paddingRight": True, "kind": 2} if hint.text.endswith(":") else {"paddingLeft": hint.text[0] == "="}),
            **({"kind": 1} if hint.kind == TYPES else {}),
        }
        for hint in found
    ]


def _ask_torch(question: Question, start: int, end: int) -> None:
    """Make torch compute types that are not printed there, and those that the same torch printed, to compare them."""
    snapshot, torch = question.snapshot, question.torch
    source = torch.source(snapshot)
    printed_by = snapshot.dump.header.get("torch", "").partition("+")[0]
    for graph in graphs_between(snapshot, start, end):
        compared = bool(printed_by) and printed_by == torch.release
        wanted = compared or any(
            lacks_type(node) and not (source is not None and source.shape(graph, node))
            for node in nodes_between(graph, start, end)
        )
        torch.told(snapshot, graph, wanted=wanted)


def code_lenses(question: Question) -> Any:
    """Answers `textDocument/codeLens`: a graph in one line, which shows its table; the next graph of its compilation;
    the run of its source, where types are not printed.

    The commands get the document's URI; then the graph's place among all graphs, or the range to go to.
    """
    wire, uri = question.wire, question.uri
    offer = question.torch.offer(question.snapshot, question.folders)
    graphs = question.snapshot.dump.graphs
    found: list[dict[str, Any]] = []
    for lens in lenses(question.snapshot):
        place = wire.range(lens.span)
        question.pause()
        found.append({"range": place, "command": _command(lens.summary, SHOW_TABLE, uri, lens.graph)})
        if lens.following is not None:
            title, span = lens.following
            found.append({"range": place, "command": _command(f"next: {title}", NEXT_GRAPH, uri, wire.range(span))})
        graph = graphs[lens.graph]
        if offer is not None and graph.parent is None and any(map(lacks_type, graph.nodes)):
            script, runs = shortened(offer[0]), offer[1]
            words = f"Stop re-running {script}" if runs else f"Re-run source for shapes ({script})"
            found.append({"range": place, "command": _command(words, STOP if runs else RERUN, uri)})
    return found


def _command(title: str, command: str, *arguments: object) -> dict[str, object]:
    return {"title": title, "command": command, "arguments": list(arguments)}


def execute(question: Question) -> Any:
    """Answers `workspace/executeCommand` for `fxgraph.table`, with the URI and the place of the graph: its text."""
    asked: types.ExecuteCommandParams = question.parameters
    arguments = asked.arguments or []
    if asked.command != TABLE or len(arguments) < 2 or not isinstance(arguments[1], int):
        raise Refusal(INVALID_PARAMS, f"{TABLE} takes the URI of a document and the number of a graph")
    return table_text(question.snapshot, arguments[1])


def prepare_flow(question: Question) -> Any:
    """Answers `textDocument/prepareCallHierarchy`."""
    item = None if question.offset is None else flow_item(question.snapshot, question.offset)
    return None if item is None else [_item(question, item)]


def incoming(question: Question) -> Any:
    """Answers `callHierarchy/incomingCalls`: the operands."""
    return [_flow(question, flow, "from") for flow in _flows(question, operands)]


def outgoing(question: Question) -> Any:
    """Answers `callHierarchy/outgoingCalls`: the users."""
    return [_flow(question, flow, "to") for flow in _flows(question, users)]


def _flows(question: Question, ask: Any) -> list[Flow]:
    start: types.Position = question.parameters.item.selection_range.start
    offset = question.wire.offset(start.line, start.character)
    return [] if offset is None else list(ask(question.snapshot, offset))


def _flow(question: Question, flow: Flow, side: str) -> dict[str, object]:
    return {side: _item(question, flow.item), "fromRanges": [question.wire.range(span) for span in flow.spans]}


def _item(question: Question, item: Item) -> dict[str, object]:
    return {
        "name": item.name,
        "kind": KINDS[item.opcode],
        "detail": item.detail,
        "uri": question.uri,
        "range": question.wire.range(item.span),
        "selectionRange": question.wire.range(item.name_span),
    }


def selection_ranges(question: Question) -> Any:
    """Answers `textDocument/selectionRange`: one chain for each position."""
    asked: types.SelectionRangeParams = question.parameters
    found = []
    for position in asked.positions:
        offset = question.wire.offset(position.line, position.character)
        chain: dict[str, object] = {}
        spans = selections(question.snapshot, len(question.snapshot.text) if offset is None else offset)
        for span in reversed(spans):
            chain = {"range": question.wire.range(span), **({"parent": chain} if chain else {})}
        found.append(chain)
    return found
