"""From a text to its `Dump`: pages, heads, one reader per form, and what lies between the graphs."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

from fxgraph.graph import Dump, Graph, Node, Page
from fxgraph.reading.graph_str import QUOTED, Read, quoted_record, read_graph_str
from fxgraph.reading.heads import Head, find_heads
from fxgraph.reading.names import settle
from fxgraph.reading.pages import clean_page, is_leader, quoted_region
from fxgraph.reading.python_form import read_python
from fxgraph.reading.tabular import read_tabular

_HEADER = re.compile(r"^[ \t]*(?:#|//)[ \t]*fxgraph:[ \t]*([^\n]*)$", re.MULTILINE)
_HEADER_WORD = re.compile(r"(\w+)=(\S+)")
#: A quote in a quote in a quote: deeper ones are somebody's joke.
_DEEPEST_QUOTE = 6


def read(text: str, path: str | None = None) -> Dump:
    """Every graph of a text. Whatever the text, this returns; `path` is kept as evidence and never opened."""
    with _no_collection():
        graphs = _read_page(clean_page(text), 0)
        graphs.sort(key=lambda graph: graph.page.to_document(graph.begin))
        for index, graph in enumerate(graphs):
            graph.index = index
        _nest(graphs)
    return Dump(text, graphs, _header(text), path)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing that reading makes is garbage, so looking for some only costs: half of the time on big dumps."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _read_page(page: Page, depth: int) -> list[Graph]:
    text = page.text
    graphs: list[Graph] = []
    heads = find_heads(text)
    position = 0
    for place, head in enumerate(heads):
        if head.begin < position:
            continue
        limit = heads[place + 1].line if place + 1 < len(heads) else len(text)
        if is_leader(head.leader) and depth < _DEEPEST_QUOTE:
            graphs += _read_between(page, position, head.line, depth)
            region, position = quoted_region(page, head.line, head.leader, len(text))
            graphs += _read_page(region, depth + 1)
            continue
        if head.kind == "class":
            continue  # its `def` reads it
        graph = _read_head(page, heads, place, limit)
        if graph is not None:
            graphs += _read_between(page, position, graph.begin, depth)
            graphs.append(graph)
            position = max(graph.end, head.end)
    graphs += _read_between(page, position, len(text), depth)
    return graphs


def _read_head(page: Page, heads: list[Head], place: int, limit: int) -> Graph | None:
    head = heads[place]
    if head.kind == "graph":
        printed = read_graph_str(page, head.begin, head.end, max(limit, head.end))
        return printed if printed.nodes or printed.broken else None
    if head.kind == "table":
        return read_tabular(page, head.begin, head.end, limit)
    if head.kind == "fragment":
        fragment = read_graph_str(page, head.end, head.end, limit)
        fragment.container = "output_code"
        return fragment if fragment.nodes else None
    if head.leader.strip():
        return None
    owner = _class_of(heads, place)
    graph = read_python(page, owner.begin if owner else head.begin, head.begin, limit)
    if graph is not None and owner is not None:
        graph.name = owner.name
    return graph


def _class_of(heads: list[Head], place: int) -> Head | None:
    """The class line that a `def forward(` belongs to: the one right before it, if it is indented less."""
    if place == 0 or heads[place - 1].kind != "class":
        return None
    owner = heads[place - 1]
    is_log_head = bool(owner.leader.strip())
    return owner if is_log_head or len(owner.leader) < len(heads[place].leader) else None


def _nest(graphs: list[Graph]) -> None:
    """Sets the parent of each graph whose class stands inside of another one's, right behind it."""
    open_classes: list[tuple[int, Graph]] = []
    previous: Graph | None = None
    for graph in graphs:
        text = graph.page.text
        if previous is None or previous.page is not graph.page or text[previous.end : graph.begin].strip():
            open_classes = []
        previous = graph
        if not text.startswith("class ", graph.begin):
            open_classes = []
            continue
        line = text.rfind("\n", 0, graph.begin) + 1
        indent = graph.begin - line if not text[line : graph.begin].strip() else -1
        while open_classes and open_classes[-1][0] >= indent:
            open_classes.pop()
        if open_classes:
            graph.parent = open_classes[-1][1].index
        open_classes.append((indent, graph))


def _read_between(page: Page, start: int, end: int, depth: int) -> list[Graph]:
    """Nodes that stand under no head: fragments, pasted middles, records that other text quotes."""
    text = page.text
    graphs: list[Graph] = []
    quoted: dict[str, list[tuple[Node, list[Read]]]] = {}
    at = text.find("[target=", start, end)
    while at >= 0:
        line = max(text.rfind("\n", 0, at) + 1, start)
        sign = text.find("%", line, at)
        leader = text[line:sign] if sign >= 0 else ""
        after = at + 1
        if sign < 0:
            pass
        elif not leader.strip():
            graph = read_graph_str(page, line, line, end)
            if graph.nodes:
                graphs.append(graph)
                after = max(graph.end, after)
        elif is_leader(leader) and depth < _DEEPEST_QUOTE:
            region, after = quoted_region(page, line, leader, end)
            graphs += _read_between(region, 0, len(region.text), depth + 1)
        else:
            after = _collect_quoted(page, line, at, end, quoted, graphs)
        at = text.find("[target=", after, end)
    for records in quoted.values():
        graphs.append(_graph_of_records(page, records))
    return graphs


def _collect_quoted(
    page: Page,
    line: int,
    at: int,
    end: int,
    quoted: dict[str, list[tuple[Node, list[Read]]]],
    graphs: list[Graph],
) -> int:
    """Takes the record around `[target=` at `at` from a line of other text; records with the same words in front
    belong together as long as their names differ.
    """
    text = page.text
    sign = text.rfind("%", line, at)
    while sign >= 0 and QUOTED.match(text, sign, end) is None:
        sign = text.rfind("%", line, sign)
    if sign < 0:
        return at + 1
    leader = text[line:sign]
    records = quoted.setdefault(leader, [])
    told = quoted_record(text, sign, end, len(records))
    if told is None:
        return at + 1
    if any(node.name == told[0].name for node, _ in records):
        graphs.append(_graph_of_records(page, records))
        quoted[leader] = []
        told[0].index = 0
    quoted[leader].append(told)
    return told[0].end


def _graph_of_records(page: Page, records: list[tuple[Node, list[Read]]]) -> Graph:
    nodes = [node for node, _ in records]
    settle(nodes, records)
    begin, end = nodes[0].begin, nodes[-1].end
    return Graph("", "graph_str", page, begin, end, begin, nodes, container="text", has_head=False, has_end=False)


def _header(text: str) -> dict[str, str]:
    """What a `# fxgraph: key=value` line says; only near the top, where `fxgraph capture` writes it."""
    match = _HEADER.search(text, 0, min(len(text), 4096))
    return dict(_HEADER_WORD.findall(match[1])) if match else {}
