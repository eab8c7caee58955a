"""A value that a backward graph takes, looked for in the forward graph's file.

tlparse and TORCH_COMPILE_DEBUG write one file a graph. Files beside the dump are read only when somebody follows the
value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fxgraph.features.definition import Definition, name_span
from fxgraph.features.locate import What, locate
from fxgraph.features.saved import forward_of, is_saved, saved_in
from fxgraph.features.siblings import forward_names
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.files import decoded, is_binary
from fxgraph.lsp.uris import path_of

#: Bytes of the longest file that is read for this, and names of a folder that are looked at.
_LONGEST = 32 << 20
_MOST_NAMES = 10_000
_kept: dict[tuple[str, int, int], Snapshot | None] = {}
_SHARE = re.compile(r"[\\/]{2}")


class Elsewhere(NamedTuple):
    """A definition in another file: its URI, its text, and the place, whose `origin` lies in the text asked about."""

    uri: str
    snapshot: Snapshot
    definition: Definition


def is_saved_elsewhere(uri: str, snapshot: Snapshot, offset: int) -> bool:
    """Whether other files have to be read to tell where the thing at a document offset comes from."""
    place = locate(snapshot, offset)
    return (
        place is not None
        and place.what is What.DEFINITION
        and place.node is not None
        and is_saved(snapshot, place.graph, place.node)
        and forward_of(snapshot, place.graph) is None
        and _local_path(uri) is not None
    )


def saved_elsewhere(uri: str, snapshot: Snapshot, offset: int) -> Elsewhere | None:
    """The node in a file beside this one that saved the input of a backward graph at a document offset, or None."""
    place = locate(snapshot, offset)
    if place is None or place.node is None or not is_saved_elsewhere(uri, snapshot, offset):
        return None
    path = _local_path(uri)
    if path is None:
        return None
    for candidate in _forward_files(path):
        other = _snapshot(candidate)
        found = None if other is None else saved_in(other, snapshot, place.graph, place.node)
        if other is not None and found is not None:
            graph, node = found
            around = graph.page.span(node.begin, node.end)
            return Elsewhere(candidate.as_uri(), other, Definition(place.span, name_span(graph, node), around))
    return None


def _local_path(uri: str) -> Path | None:
    """The path of a file on this machine: a share is never asked, that would use the network."""
    path = path_of(uri)
    return Path(path) if path and not _SHARE.match(path) and "\0" not in path else None


def _forward_files(path: Path) -> Iterator[Path]:
    """Files that may hold the forward graph of the one in this file, the most likely first."""
    for name in forward_names(path.name, _names_in(path.parent)):
        yield path.with_name(name)
    if "backward" in path.parent.name:  # .../model__0_backward_2.0/fx_graph_readable.py
        for folder in forward_names(path.parent.name, _names_in(path.parent.parent)):
            yield path.parent.with_name(folder) / path.name


def _names_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, _MOST_NAMES)]
    except OSError:
        return []


def _snapshot(path: Path) -> Snapshot | None:
    """The text of a file, None where it holds none or is too long. The last one is kept until its file changes."""
    try:
        status = path.stat()
        if not path.is_file() or status.st_size > _LONGEST:
            return None
        state = (str(path), status.st_mtime_ns, status.st_size)
        if state not in _kept:
            data = path.read_bytes()
            _kept.clear()
            _kept[state] = None if is_binary(data) else Snapshot(decoded(data), str(path))
        return _kept.get(state)
    except OSError:
        return None
