"""From a text to its `Dump`: pages, heads, one reader per form, and what lies between the graphs.

The readers of Python and of tables load with the first head of theirs: a text mostly holds one form.
"""

from __future__ import annotations

import re
from itertools import pairwise

from fxgraph.graph import Dump, Graph, Node, Page
from fxgraph.reading.collector import paused_collector
from fxgraph.reading.diffs import split_diff
from fxgraph.reading.graph_str import RECORD_BEGIN, Read, quoted_record, read_graph_str
from fxgraph.reading.heads import Head, find_heads
from fxgraph.reading.logs import Stream, announced, split_streams, title_above
from fxgraph.reading.names import settle
from fxgraph.reading.pages import clean_page, is_leader, leader_of_block, quoted_region, without_records
from fxgraph.reading.signature import add_export_signature, add_saved_values, add_source_mapping

_HEADER = re.compile(r"^[ \t]*(?:#|//)[ \t]*fxgraph:(?![ \t]*ignore\b)[ \t]*([^\n]*)$", re.MULTILINE)
_HEADER_WORD = re.compile(r"(\w+)=(\S+)")
_DIFF_COLUMNS = ("\n+ ", "\n- ")
_DIFF_LINE = re.compile(r"^[+-] *%\w+ : ", re.MULTILINE)
#: A quote in a quote in a quote: deeper ones are somebody's joke.
_DEEPEST_QUOTE = 6
#: What stands in front of a quoted record is compared up to this many characters.
_LONGEST_LEADER = 200


def read(text: str, path: str | None = None) -> Dump:
    """Every graph of a text. Whatever the text, this returns; `path` is kept as evidence and never opened."""
    with paused_collector():
        graphs: list[Graph] = []
        outside, hunks = split_diff(clean_page(text))
        for stream in split_streams(outside):
            graphs += _read_stream(stream)
        for hunk in hunks:
            for stream in split_streams(hunk):
                graphs += [_quoted(graph) for graph in _read_stream(stream)]
        graphs.sort(key=lambda graph: graph.page.to_document(graph.begin))
        for index, graph in enumerate(graphs):
            graph.index = index
        _nest(graphs)
        add_saved_values(graphs)
    return Dump(text, graphs, _header(text), path)


def _quoted(graph: Graph) -> Graph:
    """A graph that stands in other text, if in nothing else."""
    graph.container = graph.container or "text"
    return graph


def _read_stream(stream: Stream) -> list[Graph]:
    graphs = _read_page(stream.page, 0, stream.others)
    for graph in graphs:
        graph.rank, graph.compile_id, graph.title = stream.rank, stream.compile_id, stream.title
        graph.process = stream.process
        graph.container = stream.container or graph.container
        if stream.container == "log" and graph.page is stream.page:
            graph.title = title_above(graph.page.text, graph.begin)
        elif stream.container is None and graph.container in (None, "text"):
            # TORCH_LOGS_FORMAT may take the prefix away, or leave it on the first line of a message
            graph.title, graph.compile_id = announced(graph.page.text, graph.begin)
            graph.container = "log" if graph.title else graph.container
    if stream.container is None:
        _mark_mixed(graphs)
    return graphs


def _mark_mixed(graphs: list[Graph]) -> None:
    """Marks graphs between which the lines of two writers without prefixes may have changed places.

    The first change inside of a graph is seen where the next head interrupts it, before its return line. In a log
    anything below and above may then be of two writers; in other texts the two graphs that touch are doubted.
    """
    logs: set[int] = set()
    for graph, following in pairwise(graphs):
        page = graph.page
        if graph.has_end or not graph.has_head or page is not following.page or not following.has_head:
            continue
        if "log" in (graph.container, following.container):
            logs.add(id(page))
        elif "\n\n" not in page.text[graph.end : following.begin]:
            graph.is_mixed = following.is_mixed = True
    for graph in graphs if logs else ():
        graph.is_mixed = graph.is_mixed or id(graph.page) in logs


def _read_page(page: Page, depth: int, others: str | None = None) -> list[Graph]:
    text = page.text
    graphs: list[Graph] = []
    others = without_records(text) if others is None else others
    heads = find_heads(text, others)
    may_be_diff = any(sign in others for sign in _DIFF_COLUMNS)
    position = 0
    for place, head in enumerate(heads):
        if head.begin < position:
            continue
        limit = heads[place + 1].line if place + 1 < len(heads) else len(text)
        leader = head.leader
        if not is_leader(leader):
            leader = leader_of_block(text, head.line, leader) if head.begin - head.line <= _LONGEST_LEADER else ""
        if leader and depth < _DEEPEST_QUOTE:
            # the region begins with the quote, not with the head: what stands above a graph belongs to it
            core = leader.rstrip()
            start = max(_quote_start(text, head.line, core, position), position)
            graphs += _read_between(page, position, start, depth)
            region, position = quoted_region(page, start, leader[: len(core) + 1], len(text))
            graphs += [_quoted(graph) for graph in _read_page(region, depth + 1)]
            continue
        if head.kind == "class":
            continue  # its `def` reads it
        found = _read_head(page, heads, place, limit)
        if found is not None:
            found.is_part = found.is_part or (may_be_diff and _has_diff_column(text, found))
            if head.kind == "fragment":
                add_source_mapping(found, text, position, head.line)
            graphs += _read_between(page, position, min(found.begin, head.line), depth)
            graphs.append(found)
            position = max(found.end, head.end)
            _name_container(found)
    graphs += _read_between(page, position, len(text), depth)
    return graphs


def _read_head(page: Page, heads: list[Head], place: int, limit: int) -> Graph | None:
    head = heads[place]
    if head.kind == "graph":
        printed = read_graph_str(page, head.begin, head.end, max(limit, head.end))
        return printed if printed.nodes or printed.broken else None
    if head.kind == "table":
        from fxgraph.reading.tabular import read_tabular

        return read_tabular(page, head.begin, head.end, limit)
    if head.kind == "fragment":
        fragment = read_graph_str(page, head.end, head.end, limit)
        fragment.container, fragment.is_part = "output_code", True
        return fragment if fragment.nodes else None
    if head.leader.strip():
        return None
    from fxgraph.reading.python_form import read_python

    owner = _class_of(heads, place)
    graph = read_python(page, owner.begin if owner else head.begin, head.begin, limit)
    if graph is not None and owner is not None:
        graph.name = owner.name
    return graph


def _has_diff_column(text: str, graph: Graph) -> bool:
    """Whether lines between the records are those of a diff whose `@@` lines were left out: nodes may be missing."""
    signs = [text.find(sign, graph.begin, graph.end) for sign in _DIFF_COLUMNS]
    return any(at >= 0 and _DIFF_LINE.search(text, at, graph.end) is not None for at in signs)


def _quote_start(text: str, line: int, core: str, floor: int) -> int:
    """Where the run of lines with this comment sign or quote begins that the line at `line` belongs to."""
    while line > floor:
        above = text.rfind("\n", 0, line - 1) + 1
        if not text.startswith(core, above):
            break
        line = above
    return line


_EXPORTED = re.compile(r"ExportedProgram:\s*\Z")


def _name_container(graph: Graph) -> None:
    """What the graph stands in, where its page tells: an exported program with its signature, a repro script."""
    text = graph.page.text
    if _EXPORTED.search(text, max(graph.begin - 200, 0), graph.begin):
        graph.container = "exported_program"
        following = text.find("ExportedProgram:", graph.end)
        add_export_signature(graph, following if following >= 0 else len(text))
    elif graph.name == "Repro":
        graph.container = "repro"


def _class_of(heads: list[Head], place: int) -> Head | None:
    """The class line that a `def forward(` belongs to: the one right before it, if it is indented less."""
    if place == 0 or heads[place - 1].kind != "class":
        return None
    owner = heads[place - 1]
    is_log_head = bool(owner.leader.strip())
    definition = heads[place]
    return owner if is_log_head or owner.begin - owner.line < definition.begin - definition.line else None


def _nest(graphs: list[Graph]) -> None:
    """Sets the parent of each graph whose class stands inside of another one's, right behind it."""
    open_classes: dict[int, list[tuple[int, Graph]]] = {}
    previous: dict[int, Graph] = {}
    for graph in graphs:
        text, page = graph.page.text, id(graph.page)
        before = previous.get(page)
        previous[page] = graph
        is_class = text.startswith("class ", graph.begin)
        if not is_class or before is None or text[before.end : graph.begin].strip():
            open_classes[page] = []
        if not is_class:
            continue
        outer = open_classes.setdefault(page, [])
        line = text.rfind("\n", 0, graph.begin) + 1
        indent = graph.begin - line if not text[line : graph.begin].strip() else -1
        while outer and outer[-1][0] >= indent:
            outer.pop()
        if outer:
            holder = outer[-1][1]
            graph.parent, graph.title, graph.container = holder.index, holder.title, holder.container
        outer.append((indent, graph))


def _read_between(page: Page, start: int, end: int, depth: int) -> list[Graph]:
    """Nodes that stand under no head: fragments, pasted middles, records that other text quotes."""
    text = page.text
    graphs: list[Graph] = []
    quoted = _Quoted(page, graphs)
    line, line_end, free, sign, taken = start, start, start, -1, -1
    at = text.find("[target=", start, end)
    while at >= 0:
        if at >= line_end:  # a new line: what is known of it is found once, however long it is
            line = free = max(text.rfind("\n", line_end, at) + 1, line_end)
            line_end = text.find("\n", at, end) + 1 or end
            sign = text.find("%", line, at)
        elif sign < 0:
            sign = text.find("%", free, at)
        after = free = at + len("[target=")
        if sign >= 0:
            leader = text[line : min(sign, line + _LONGEST_LEADER)]
            if line != taken and RECORD_BEGIN.match(text, line, line_end):
                taken = line  # what stands behind its record is quoted
                graph = read_graph_str(page, line, line, end)
                if graph.nodes:
                    graphs.append(graph)
                after = max(graph.end, after)  # without nodes: up to the last line that should have been one
            elif len(leader) < _LONGEST_LEADER and is_leader(leader) and depth < _DEEPEST_QUOTE:
                region, after = quoted_region(page, line, leader, end)
                graphs += [_quoted(graph) for graph in _read_between(region, 0, len(region.text), depth + 1)]
            else:
                after = free = quoted.take(at, line_end)
        at = text.find("[target=", after, end)
    quoted.finish()
    return graphs


class _Quoted:
    """Records that lines of other text quote: those with the same words in front belong together as long as their
    names differ.
    """

    def __init__(self, page: Page, graphs: list[Graph]) -> None:
        self.page, self.graphs = page, graphs
        self.free = 0
        self.groups: dict[str, dict[str, tuple[Node, list[Read]]]] = {}

    def take(self, at: int, line_end: int) -> int:
        """Takes the record around the `[target=` at `at`; where to look on, on the same line or behind it."""
        text = self.page.text
        free = max(self.free, text.rfind("\n", self.free, at) + 1)
        self.free = at + len("[target=")
        sign = text.rfind("%", free, at)
        if sign < 0:
            return self.free
        # the next record on this line is no part of this one
        following = text.find("[target=", self.free, line_end)
        limit = line_end if following < 0 else max(text.rfind("%", self.free, following), self.free)
        told = quoted_record(text, sign, limit, 0)
        if told is None:
            return self.free
        name = told[0].name
        leader = text[max(free, sign - _LONGEST_LEADER) : sign]
        group = self.groups.setdefault(leader, {})
        if name in group:
            self._close(group)
        told[0].index = len(group)
        group[name] = told
        self.free = told[0].end
        return self.free

    def _close(self, group: dict[str, tuple[Node, list[Read]]]) -> None:
        nodes = [node for node, _ in group.values()]
        settle(group.values(), group)
        begin, end = nodes[0].begin, nodes[-1].end
        self.graphs.append(
            Graph("", "graph_str", self.page, begin, end, begin, nodes, container="text", has_head=False, has_end=False)
        )
        group.clear()

    def finish(self) -> None:
        """Makes graphs of the records that are left."""
        for group in self.groups.values():
            self._close(group)


def _header(text: str) -> dict[str, str]:
    """What a `# fxgraph: key=value` line says; only near the top, where `fxgraph capture` writes it."""
    match = _HEADER.search(text, 0, min(len(text), 4096))
    return dict(_HEADER_WORD.findall(match[1])) if match else {}
