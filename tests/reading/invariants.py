"""What holds of every `Dump`, whatever the text: the promises of `fxgraph/graph.py` and `fxgraph/reading`, checked."""

from __future__ import annotations

import json
import re

from fxgraph.graph import CONTAINERS, FORMS, OPCODES, OUTPUT, Dump, Graph, Node, Page
from fxgraph.reading import arguments, nbytes, parts, read, source_of, tensor_type, uses

_COLOUR = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\r(?=\n)")


def check_read(text: str) -> Dump:
    """Reads a text, asks all that can be asked of the result, and fails where an answer does not fit the text."""
    dump = read(text)
    assert dump.text is text
    pages: dict[int, Page] = {}
    for index, graph in enumerate(dump.graphs):
        assert graph.index == index
        assert graph.parent is None or graph.parent < index
        _check_graph(text, graph)
        pages[id(graph.page)] = graph.page
    for page in pages.values():
        _check_page(text, page)
    starts = [graph.span().start for graph in dump.graphs]
    assert starts == sorted(starts)
    return dump


_STANDS_FOR = {"\r": "\n", "\xa0": " "}


def _check_page(text: str, page: Page) -> None:
    """A page is made of characters of the document, in their order."""
    step = max(len(page.text) // 500, 1)
    before = -1
    for offset in range(0, len(page.text), step):
        at = page.to_document(offset)
        assert before < at < len(text)
        assert page.text[offset] == _STANDS_FOR.get(text[at], text[at]) or page.text[offset] == text[at]
        assert page.to_page(at) == offset
        before = at


def _check_graph(text: str, graph: Graph) -> None:
    page = graph.page
    assert graph.form in FORMS
    assert graph.container is None or graph.container in CONTAINERS
    assert 0 <= graph.begin <= graph.head_end <= graph.end <= len(page.text)
    assert graph.has_head or graph.begin == graph.head_end
    span = graph.span()
    assert 0 <= span.start <= span.end <= len(text)
    json.dumps(graph.signature)
    assert graph.nodes or graph.broken or graph.has_head
    for start, end in graph.broken:
        assert graph.begin <= start < end <= graph.end
        assert _in_document(text, page, start, end).replace("\xa0", " ") == page.text[start:end].replace("\xa0", " ")
    assert graph.comments == sorted(graph.comments)
    for start, end in graph.comments:
        assert graph.begin <= start < end <= graph.end
        assert page.text[start] == "#"
        assert "\n" not in page.text[start:end]
    outputs = [node.index for node in graph.nodes if node.opcode == OUTPUT]
    assert outputs in ([], [len(graph.nodes) - 1])
    assert not outputs or graph.has_end
    for index, node in enumerate(graph.nodes):
        assert node.index == index
        _check_node(text, graph, node)


def _check_node(text: str, graph: Graph, node: Node) -> None:
    page = graph.page
    assert node.opcode in OPCODES
    assert graph.begin <= node.begin <= node.start < node.end <= graph.end, node
    written = node.name
    if node.opcode == OUTPUT and graph.form != "tabular":
        written = "return"
    if graph.form != "tabular" or node.opcode != OUTPUT:
        assert _word_at(page.text, node.start) == written
        assert _in_document(text, page, node.start, node.start + len(written)) == written
    for name in node.frees:
        assert name in page.text[node.begin : node.end]
    found = uses(graph, node)
    assert [use.name for use in found] == list(node.reads), node
    for use in found:
        assert node.begin <= use.start < node.end
        assert _word_at(page.text, use.start) == use.name, (node, use)
        assert _in_document(text, page, use.start, use.start + len(use.name)) == use.name
    assert len({use.start for use in found}) == len(found)
    _check_parts(graph, node)
    source = source_of(graph, node)
    assert source is None or (source.start, source.end) in graph.comments
    if node.type is not None:
        assert node.type in page.text[node.begin : node.end] or graph.form in ("code", "readable")
        kind = tensor_type(node.type)
        assert kind is None or (nbytes(kind) or 0) >= 0


def _check_parts(graph: Graph, node: Node) -> None:
    page = graph.page
    found = parts(graph, node)
    for stretch in found:
        assert stretch is None or node.begin <= stretch[0] <= stretch[1] <= node.end, (node, found)
    if found.opcode and node.opcode != OUTPUT:
        assert page.text[slice(*found.opcode)].lower() == node.opcode
    if found.users:
        assert page.text[slice(*found.users)].endswith(f"={node.printed_users}") or (node.printed_users or 0) < 1
    if found.type:
        assert page.text[slice(*found.type)].strip() == (node.type or "").strip()
    told = arguments(graph, node)
    for argument in [*told.positional, *(argument for _, argument in told.keyword)]:
        assert node.begin <= argument.start <= argument.end <= node.end
        assert page.text[argument.start : argument.end] == argument.text
        assert argument.node is None or argument.node in node.reads


def _word_at(text: str, start: int) -> str:
    """The whole word at an offset: a name that is only a piece of a word is a wrong one."""
    if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return ""
    match = re.compile(r"\w+").match(text, start)
    return match[0] if match else ""


def _in_document(text: str, page: Page, start: int, end: int) -> str:
    """What stands in the document where the page has [start, end): the same, but for what the page leaves out."""
    first, last = page.span(start, end)
    piece = text[first:last]
    if "\n" in page.text[start:end]:
        return page.text[start:end]  # leaders and prefixes of the lines between may stand there
    return _COLOUR.sub("", piece).replace("\r", "\n")
