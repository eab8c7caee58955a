"""One graph of a document written in another form: what a read-only view beside the dump shows."""

from __future__ import annotations

from collections.abc import Callable

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views.bare import bare_text
from fxgraph.features.views.printed import as_printed
from fxgraph.features.views.readable import as_readable
from fxgraph.features.views.sheet import as_sheet
from fxgraph.features.views.written import Pause, Written, nothing
from fxgraph.graph import Graph

#: Kind of view -> what writes it.
VIEWS: dict[str, Callable[[Snapshot, Graph, Pause], Written]] = {
    "graph_str": as_printed,
    "readable": as_readable,
    "table": as_sheet,
    "bare": bare_text,
}

__all__ = ["VIEWS", "Pause", "Written", "nothing"]
