"""`fxgraph explain FILE:LINE[:COL]`: the hover of an editor, in the terminal. Without COL: of the line's first node."""

from __future__ import annotations

import argparse
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from fxgraph.cli.inputs import Inputs
from fxgraph.features.hover import Hover, hover, node_hover
from fxgraph.features.locate import What, graphs_at, locate
from fxgraph.features.markdown import plain
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph

# The file may hold colons itself: `C:\x.fxgraph:3:4`.
_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?", re.DOTALL)


class Where(NamedTuple):
    """A place as the user writes it: line and column count from 1; column None is the line's first node."""

    path: str
    line: int
    column: int | None


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `explain` to the subcommands."""
    parser = commands.add_parser(
        "explain", help="tell what stands at a place of a dump", description=__doc__, allow_abbrev=False
    )
    parser.add_argument("place", metavar="FILE:LINE[:COL]", help="lines and columns count from 1; FILE may be -")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Explain one place; returns the exit status."""
    inputs = Inputs([])
    where = parse_place(arguments.place)
    if where is None:
        inputs.complain(f"{arguments.place}: give a file, a line and perhaps a column: net.fxgraph:12:6")
        return 2
    text = inputs.read(where.path)
    if text is None:
        return 2
    snapshot = Snapshot(text, None if where.path == "-" else where.path)
    if not 1 <= where.line <= len(snapshot.lines):
        inputs.complain(f"{where.path}: has no line {where.line}, its last is {len(snapshot.lines)}")
        return 2
    found = explain(snapshot, where.line, where.column)
    if found is None:
        print(f"nothing to tell of {arguments.place}")
    else:
        _print(found.markdown)
    return 0


def parse_place(text: str) -> Where | None:
    r"""`net.fxgraph:12:6`, `C:\net.fxgraph:12`; None where no line is named or it is 0."""
    found = _PLACE.fullmatch(text)
    if found is None or int(found["line"]) == 0:
        return None
    return Where(found["path"], int(found["line"]), int(found["column"]) if found["column"] else None)


def explain(snapshot: Snapshot, line: int, column: int | None) -> Hover | None:
    """The hover of a place, or, without a column, of the first node that is defined in the line, else of its graph."""
    start = snapshot.lines.starts[line - 1]
    if column is not None:
        return _hover_or_record(snapshot, snapshot.lines.offset(line - 1, column - 1))
    end = snapshot.lines.line_end(line - 1)
    for graph in _graphs_at_line(snapshot, start, end):
        page = graph.page
        nodes = graph.nodes
        first = bisect_left(nodes, start, key=lambda node: page.to_document(node.start))
        if first < len(nodes) and page.to_document(nodes[first].start) <= end:
            return node_hover(snapshot, graph, nodes[first])
    text = snapshot.text[start:end]
    return _hover_or_record(snapshot, start + len(text) - len(text.lstrip()))


def _hover_or_record(snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover; where an editor keeps quiet, between the parts of a record, the record's node."""
    place = locate(snapshot, offset)
    if place is not None and place.what is What.RECORD and place.node is not None:
        return node_hover(snapshot, place.graph, place.node)
    return hover(snapshot, offset)


def _graphs_at_line(snapshot: Snapshot, start: int, end: int) -> Iterator[Graph]:
    """The graphs that the line between two document offsets lies in, each once."""
    seen: set[int] = set()
    for offset in (start, end):
        for graph in graphs_at(snapshot, offset):
            if graph.index not in seen:
                seen.add(graph.index)
                yield graph


def _print(markdown: str) -> None:
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(markdown, hyperlinks=False))
    else:
        print(plain(markdown))
