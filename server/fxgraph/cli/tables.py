"""A table of nodes on a terminal, or as plain columns in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain, islice

from fxgraph.cli.terminal import one_line
from fxgraph.features.table import COLUMNS, TOLD_COLUMNS, Row

#: rich lays out some thousand rows a second: longer tables are printed in plain columns, which read as well.
_MOST_STYLED = 1000
#: In a pipe nothing is cut; but one target of ten thousand characters must not widen every line of the table.
_WIDEST = 100


#: Between cells, while the widths of the columns are not known; `one_line` leaves none in a cell.
_BETWEEN = "\0"


def print_table(rows: Iterable[Row]) -> None:
    """Print the rows to standard output, each column as wide as it must be."""
    rows = iter(rows)
    first = list(islice(rows, _MOST_STYLED + 1))
    columns = TOLD_COLUMNS if first and len(first[0].cells) == len(TOLD_COLUMNS) else COLUMNS
    if sys.stdout.isatty() and len(first) <= _MOST_STYLED:
        _print_styled(columns, first)
    else:
        _print_plain(columns, chain(first, rows))


def _print_plain(columns: tuple[str, ...], rows: Iterable[Row]) -> None:
    widths = list(map(len, columns))
    lines = []  # one string each: a table of a whole model is large
    for row in rows:
        cells = list(map(one_line, row.cells))
        widths = list(map(max, widths, map(len, cells)))
        lines.append(_BETWEEN.join(cells))
    widths = [min(width, _WIDEST) for width in widths]
    for line in chain([_BETWEEN.join(columns)], lines):
        cells = line.split(_BETWEEN)
        print("  ".join([cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]).rstrip())


def _print_styled(columns: tuple[str, ...], rows: Iterable[Row]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold", justify="right" if column in ("users", "bytes") else "left")
    for row in rows:
        table.add_row(*[Text(one_line(cell)) for cell in row.cells], style="dim" if row.dead else None)
    Console().print(table)
