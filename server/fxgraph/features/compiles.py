"""Graphs of a log put together by compilation: those with one rank and one compile id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fxgraph.graph import Graph, Span


class Compile(NamedTuple):
    """One compilation: its graphs in the order of the text, nested ones left out, and the stretch they take up.

    Lines of other compilations may stand between.
    """

    rank: int | None
    process: str | None
    compile_id: str
    graphs: list[Graph]
    span: Span

    @property
    def name(self) -> str:
        """`[0/1]`, with the rank where the log tells one."""
        if self.rank is not None:
            return f"rank {self.rank} [{self.compile_id}]"
        return f"[{self.compile_id}]" if self.process is None else f"process {self.process} [{self.compile_id}]"


def compiles_of(graphs: Sequence[Graph]) -> list[Compile]:
    """The compilations of a dump, in the order of their first graphs; none where no graph tells its compile id."""
    groups: dict[tuple[int | None, str | None, str], list[Graph]] = {}
    for graph in graphs:
        if graph.compile_id is not None and graph.parent is None:
            groups.setdefault((graph.rank, graph.process, graph.compile_id), []).append(graph)
    several = len({process for rank, process, _ in groups if rank is None}) > 1
    ends = _ends(graphs)
    return [
        Compile(
            rank,
            process if several else None,
            compile_id,
            members,
            Span(members[0].span().start, max(ends[member.index] for member in members)),
        )
        for (rank, process, compile_id), members in groups.items()
    ]


def _ends(graphs: Sequence[Graph]) -> list[int]:
    """By graph: the document offset behind it and everything nested in it."""
    ends = [graph.span().end for graph in graphs]
    for graph in reversed(graphs):
        if graph.parent is not None:
            ends[graph.parent] = max(ends[graph.parent], ends[graph.index])
    return ends
