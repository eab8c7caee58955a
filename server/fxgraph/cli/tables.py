"""A table of nodes on a terminal, or as plain columns in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fxgraph.cli.terminal import one_line
from fxgraph.features.table import COLUMNS, Row

#: rich lays out some thousand rows a second: longer tables are printed in plain columns, which read as well.
_MOST_STYLED = 1000
#: In a pipe nothing is cut; but one target of ten thousand characters must not widen every line of the table.
_WIDEST = 100


def print_table(rows: Sequence[Row]) -> None:
    """Print the rows to standard output, each column as wide as it must be."""
    if sys.stdout.isatty() and len(rows) <= _MOST_STYLED:
        _print_styled(rows)
    else:
        _print_plain(rows)


def _print_plain(rows: Sequence[Row]) -> None:
    lines = [COLUMNS, *[tuple(map(one_line, row.cells)) for row in rows]]
    widths = [min(max(map(len, column)), _WIDEST) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join([cell.ljust(width) for cell, width in zip(line, widths, strict=True)]).rstrip())


def _print_styled(rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in COLUMNS:
        table.add_column(column, overflow="fold", justify="right" if column == "users" else "left")
    for row in rows:
        table.add_row(*[Text(one_line(cell)) for cell in row.cells], style="dim" if row.dead else None)
    Console().print(table)
