"""Reader of `print_tabular()`: torch/fx/graph.py `Graph.print_tabular`, written by the package `tabulate`.

The line of dashes below the head tells where the columns are; cells are `str()` or `repr()` of what a node holds.
"""

from __future__ import annotations

import re
from itertools import pairwise

from fxgraph.graph import CALL_FUNCTION, OPCODES, OUTPUT, Graph, Node, Page
from fxgraph.reading.names import maybe_names, settle
from fxgraph.reading.parts import Argument, Arguments, Parts, Stretch, argument, python_arguments
from fxgraph.reading.scan import elements

_DASHES = re.compile(r"^[ \t]*(-+)  (-+)  (-+)  (-+)  (-+)[ \t]*$", re.MULTILINE)
#: Mail programs and web pages put a blank line behind every line.
_BLANK_LINES = re.compile(r"(?:[ \t]*\n){1,9}")
_OPCODE_ROW = re.compile(r"[ \t]*(" + "|".join(OPCODES) + r")(?:  |\s*$)")
_CELL = re.compile(r"\S+(?: \S+)*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPERATOR = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,2}")

Read = tuple[str, int, bool]


def read_tabular(page: Page, begin: int, head_end: int, limit: int) -> Graph | None:
    """The graph of the table whose head is [begin, head_end), or None where no line of dashes follows."""
    text = page.text
    line = min(head_end + 1, limit)
    blank = _BLANK_LINES.match(text, line, limit)
    dashes = _DASHES.match(text, blank.end() if blank else line, limit)
    if dashes is None:
        return None
    line = dashes.start()
    columns = [dashes.start(group) - line for group in range(1, 6)]
    nodes: list[Node] = []
    graph = Graph("", "tabular", page, begin, dashes.end(), dashes.end(), nodes, has_end=False)
    at = dashes.end() + 1
    while at < limit:
        end = text.find("\n", at, limit)
        end = limit if end < 0 else end
        row = _OPCODE_ROW.match(text, at, end)
        if row:
            node = _row(text, at, end, columns, row, len(graph.nodes))
            if node is None:
                graph.broken.append((row.start(1), _rstrip(text, at, end)))
                graph.end = graph.broken[-1][1]
            else:
                nodes.append(node)
                graph.end = node.end
                if node.opcode == OUTPUT:
                    graph.has_end = True
        elif graph.nodes and text[at:end].strip() and text[at : at + columns[1]].isspace():
            # a cell with a line end in it goes on here; its other columns are blank
            graph.nodes[-1].end = _rstrip(text, at, end)
            graph.end = graph.nodes[-1].end
        elif text[at:end].strip() or graph.has_end:
            break
        if graph.has_end and row and row[1] == OUTPUT and not _continues(text, end, limit, columns):
            break
        at = end + 1
    settle([(node, _reads(graph, node, columns)) for node in graph.nodes], {node.name for node in graph.nodes})
    return graph


def _continues(text: str, line_end: int, limit: int, columns: list[int]) -> bool:
    """Whether the line behind a row is the rest of a cell with a line end in it."""
    at = line_end + 1
    end = text.find("\n", at, limit)
    line = text[at : limit if end < 0 else end]
    return bool(line.strip()) and line[: columns[3]].isspace() and len(line) > columns[3]


def _row(text: str, at: int, end: int, columns: list[int], row: re.Match[str], index: int) -> Node | None:
    """One row. Its columns are those of the dashes; where they do not fit, cells end at two blanks."""
    cells = _cells(text, at, end, columns)
    if cells is None or cells[0] != row.span(1):
        return None
    name, target = cells[1], cells[2]
    node = Node(text[slice(*name)], row[1], text[slice(*target)], index, row.start(1), name[0], _rstrip(text, at, end))
    if node.opcode == OUTPUT:
        node.name = OUTPUT
    elif node.opcode == CALL_FUNCTION:
        node.target = _target(node.target)
    return node


def _cells(text: str, at: int, end: int, columns: list[int]) -> list[Stretch] | None:
    bounds = [*columns, end - at]
    if all(at + column < end and text[at + column - 2 : at + column] == "  " for column in columns[1:]):
        cells = [_trim(text, at + a, min(at + b, end)) for a, b in pairwise(bounds)]
    else:
        cells = [match.span() for match in _CELL.finditer(text, at, end)]
        if len(cells) < 5:
            return None
        cells = [*cells[:4], (cells[4][0], cells[-1][1])]
    return cells if _NAME.fullmatch(text, *cells[1]) and all(a < b for a, b in cells[:3]) else None


def _target(cell: str) -> str:
    """`aten.add.Tensor` is printed `torch.ops.aten.add.Tensor` elsewhere, a bare `cond` is a higher-order operator.

    Both are `str()` of torch/_ops.py `OpOverload` and `HigherOrderOperator`; functions print with angle brackets.
    """
    if _OPERATOR.fullmatch(cell):
        return "torch.ops." + cell
    return "torch.ops.higher_order." + cell if cell.isidentifier() else cell


def _trim(text: str, start: int, end: int) -> Stretch:
    while start < end and text[start] in " \t":
        start += 1
    return start, _rstrip(text, start, end)


def _rstrip(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    return end


def _columns(graph: Graph) -> list[int]:
    """Where the columns begin, as the line of dashes tells."""
    text = graph.page.text
    dashes = _DASHES.match(text, text.rfind("\n", graph.begin, graph.head_end) + 1)
    return [dashes.start(group) - dashes.start() for group in range(1, 6)] if dashes else []


def _row_cells(graph: Graph, node: Node, columns: list[int]) -> list[Stretch]:
    text = graph.page.text
    line = text.rfind("\n", graph.head_end, node.begin) + 1
    end = text.find("\n", line, node.end)
    end = node.end if end < 0 else end
    cells = (_cells(text, line, end, columns) or []) if columns else []
    if cells and end < node.end:  # the args or kwargs cell goes on in the lines below
        cells = [*cells[:3], (cells[3][0], node.end), (node.end, node.end)]
    return cells


def reads_of_row(graph: Graph, node: Node) -> list[Read]:
    """(name, offset, doubtful) of each bare name in the cells `args` and `kwargs`."""
    return _reads(graph, node, _columns(graph))


def _reads(graph: Graph, node: Node, columns: list[int]) -> list[Read]:
    cells = _row_cells(graph, node, columns)
    if len(cells) < 5:
        return []
    return [read for start, end in cells[3:5] for read in maybe_names(graph.page.text, start, end)]


def parts_of_row(graph: Graph, node: Node) -> Parts:
    """The cells of a row as parts of a node."""
    cells = _row_cells(graph, node, _columns(graph))
    if len(cells) < 5:
        return Parts()
    return Parts(opcode=cells[0], target=cells[2], args=(cells[3][0], max(cells[3][1], cells[4][1])))


def arguments_of_row(graph: Graph, node: Node) -> Arguments:
    """The elements of the cells `args` (a tuple) and `kwargs` (a dict with quoted keys)."""
    cells = _row_cells(graph, node, _columns(graph))
    if len(cells) < 5:
        return Arguments([], [])
    text = graph.page.text
    reads = frozenset(node.reads)
    (start, end), (key_start, key_end) = cells[3], cells[4]
    positional = python_arguments(text, start + 1, max(end - 1, start + 1), reads).positional
    keyword: list[tuple[str, Argument]] = []
    for a, b in elements(text, key_start + 1, max(key_end - 1, key_start + 1)):
        colon = text.find(": ", a, b)
        if colon > 0:
            keyword.append((text[a:colon].strip("'\""), argument(text, colon + 2, b, reads)))
    return Arguments(positional, keyword)
