"""What can be done about the findings at a place: edits of the dump, and the node's slice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fxgraph.analysis import Finding
from fxgraph.features.config import Choice
from fxgraph.features.locate import locate, node_at
from fxgraph.features.markdown import shortened
from fxgraph.features.silence import Silence, silences
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node, Span
from fxgraph.reading import parts

_NUMBER = re.compile(r"\d+\Z")
_COUNT = "FX104"


class Edit(NamedTuple):
    """`text` in place of what stands at `span`."""

    span: Span
    text: str


class Action(NamedTuple):
    """Edits of the document that take away some of its findings. `preferred` marks the one that repairs it."""

    title: str
    edits: list[Edit]
    findings: list[Finding]
    preferred: bool = False


def quick_fixes(snapshot: Snapshot, span: Span, findings: Iterable[Finding], choice: Choice) -> list[Action]:
    """The actions for those of the findings that touch a span.

    findings  of the document, as the user sees them
    choice    the rules that were asked for them
    """
    touched = [found for found in findings if found.span.start <= span.end and span.start <= found.span.end]
    actions = []
    counts = [found for found in touched if found.code == _COUNT]
    if counts:
        actions += [_correction(snapshot, [found], one=True) for found in counts]
        wrong = wrong_counts(snapshot, choice)
        here = [found for found in wrong if found.graph == counts[0].graph]
        if len(here) > 1:
            actions.append(_correction(snapshot, here, where="of this graph"))
        if len(wrong) > len(here):
            actions.append(_correction(snapshot, wrong, where="of this file"))
    comments = {silence.line: silence for silence in silences(snapshot.lines)} if touched else {}
    lines = snapshot.lines
    for line, code in dict.fromkeys((lines.line_of(found.span.start), found.code) for found in touched):
        alike = [found for found in touched if found.code == code and lines.line_of(found.span.start) == line]
        edit = _silencing(snapshot, alike[0], line, comments.get(line))
        if edit is not None:
            actions.append(Action(f"Silence {code} on this line", [edit], alike))
    return actions


def wrong_counts(snapshot: Snapshot, choice: Choice) -> list[Finding]:
    """All wrong user counts of a document, however many, unless they are silenced or left out."""
    if _COUNT in choice.ignore or (choice.select is not None and _COUNT not in choice.select):
        return []
    return snapshot.findings(choice._replace(select=frozenset({_COUNT})))


def corrected_counts(snapshot: Snapshot, choice: Choice) -> Action | None:
    """Corrects every user count of the document; None where all are right."""
    wrong = wrong_counts(snapshot, choice)
    return _correction(snapshot, wrong, where="of this file") if wrong else None


def _correction(snapshot: Snapshot, findings: Sequence[Finding], where: str = "", *, one: bool = False) -> Action:
    edits, counts = [], []
    for found in findings:
        graph = snapshot.dump.graphs[found.graph]
        node = _node_of(graph, found)
        stretch = parts(graph, node).users if node is not None else None
        number = _NUMBER.search(graph.page.text[slice(*stretch)]) if stretch else None
        if node is None or stretch is None or number is None:
            continue
        counts.append(len(snapshot.facts[graph.index].links.users[node.index]))
        edits.append(Edit(graph.page.span(stretch[0] + number.start(), stretch[1]), str(counts[-1])))
    if one:
        title = f"Correct the user count of {shortened(findings[0].name or '', 60)} to {counts[0] if counts else '?'}"
    else:
        title = f"Correct all {len(edits):,} wrong user counts {where}"
        title = title if len(edits) > 1 else f"Correct the wrong user count {where}"
    return Action(title, edits, list(findings), preferred=one)


def _node_of(graph: Graph, found: Finding) -> Node | None:
    at = graph.page.to_page(found.span.start)
    return None if at is None else node_at(graph, at)


def _silencing(snapshot: Snapshot, found: Finding, line: int, silence: Silence | None) -> Edit | None:
    """Adds a comment, or a code to the comment that is there; None where none may stand."""
    if silence is not None:
        return _extended(snapshot, silence, found.code)
    graph, lines = snapshot.dump.graphs[found.graph], snapshot.lines
    comment = f"# fxgraph: ignore[{found.code}]"
    start, end = lines.starts[line], lines.line_end(line)
    at = graph.page.to_page(found.span.start)
    node = None if at is None else node_at(graph, at)
    if node is None and at is not None and at < graph.head_end:
        # A head ends with its line. Above it the comment has a line of its own, which a log or a quote does not allow.
        indent = snapshot.text[start : found.span.start]
        line_end = "\r\n" if "\r\n" in snapshot.text else "\n"
        return None if indent.strip() else Edit(Span(start, start), f"{indent}{comment}{line_end}")
    if node is not None and "\n" in graph.page.text[at : node.end]:
        return None  # its record goes on in the next line: the comment might stand inside a string
    text = snapshot.text[start:end].rstrip()
    return Edit(Span(start + len(text), end), f"  {comment}")


def _extended(snapshot: Snapshot, silence: Silence, code: str) -> Edit | None:
    """The code added to a comment; None where it names no rules or this one."""
    text = snapshot.text[slice(*silence.span)]
    bracket = text.rfind("]")
    if bracket < 0 or code in silence.codes:
        return None
    at = silence.span.start + bracket
    return Edit(Span(at, at), f", {code}" if text[:bracket].rstrip()[-1] != "[" else code)


def node_to_slice(snapshot: Snapshot, offset: int) -> tuple[Graph, Node] | None:
    """The node whose record stands at a document offset."""
    place = locate(snapshot, offset)
    return None if place is None or place.node is None else (place.graph, place.node)
