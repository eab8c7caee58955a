"""Questions about all open dumps, and about a folder: `workspace/symbol` and the command `fxgraph.find`.

    fxgraph.find  [{filter, uri?, folder?, limit?}]  ->  {locations: [{uri, range, name, detail, kind, graph}], total,
                                                          files, complete}

The filter is that of `fxgraph inspect --where`: `target=aten.mm, dtype=f16, dead`. It is asked of one open dump
(`uri`), of a folder's files (`folder`, a `file:` URI; open documents count as the editor holds them), else of all open
dumps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types

from fxgraph.features.filters import Filter, parse_filters
from fxgraph.features.find import Found, named_like, nodes_where
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.client import Client
from fxgraph.lsp.files import Kept, decoded, dumps_below, is_binary
from fxgraph.lsp.names import FIND
from fxgraph.lsp.outline import KINDS
from fxgraph.lsp.protocol import INVALID_PARAMS, Refusal
from fxgraph.lsp.uris import path_of
from fxgraph.lsp.wire import Wire

#: LSP 3.17: the request failed, in a way the user should read about.
REQUEST_FAILED = -32803

#: So many bytes of a folder's files are not read again for the next question.
KEPT_BYTES = 8 << 20
#: So many symbols an editor is sent; it asks again as the user types on.
MOST_SYMBOLS = 500
#: So many locations at most, unless the client asks for another number.
MOST_LOCATIONS = 10_000

Json = dict[str, Any]
#: An open document: its URI and its newest version.
Open = tuple[str, Snapshot]


class Search(NamedTuple):
    """What `fxgraph.find` was asked for. `folder` is a path."""

    filters: list[Filter]
    uri: str | None
    folder: str | None
    limit: int


def search_of(parameters: types.ExecuteCommandParams) -> Search:
    """The search in a command's arguments. Raises Refusal, with a sentence for the user."""
    if parameters.command != FIND:
        raise Refusal(INVALID_PARAMS, f"{parameters.command[:100]} is no command of fxgraph")
    given: Any = (parameters.arguments or [None])[0]
    words = given.get("filter") if isinstance(given, dict) else None
    if not isinstance(words, str) or not words.strip():
        raise Refusal(INVALID_PARAMS, "a filter is needed")
    uri, folder, limit = given.get("uri"), given.get("folder"), given.get("limit")
    if isinstance(folder, str):
        folder = path_of(folder)
        if folder is None or folder.startswith("//"):
            raise Refusal(INVALID_PARAMS, "the folder must be a file: URI of this machine")
    try:
        filters = parse_filters([words])
    except ValueError as error:
        raise Refusal(REQUEST_FAILED, str(error)) from None
    most = limit if isinstance(limit, int) and limit > 0 else MOST_LOCATIONS
    return Search(filters, uri if isinstance(uri, str) else None, folder if isinstance(folder, str) else None, most)


def find(
    search: Search, documents: list[Open], client: Client, report: Callable[[int, int, str], None], kept: Kept
) -> Json:
    """The answer to `fxgraph.find`.

    `report` is called with the number of files done, of all, and the next one's name; what it raises ends the search.
    `kept` holds the files of folders between two questions.
    """
    locations: list[Json] = []
    total = files = 0
    if search.folder is not None:
        sources = of_folders([search.folder], documents, report, kept)
    else:
        wanted = [one for one in documents if search.uri in (None, one[0])]
        sources = _of_documents(wanted, report)
    for uri, snapshot in sources:
        files += 1
        found = nodes_where(snapshot, search.filters)
        total += len(found)
        if not found:
            continue
        wire = Wire(snapshot.lines, client.encoding)
        for one in found[: search.limit - len(locations)]:
            place = {"uri": uri, "range": wire.range(one.span)}
            locations.append({**place, "name": one.name, "detail": one.detail, "kind": one.kind, "graph": one.graph})
    return {"locations": locations, "total": total, "files": files, "complete": total == len(locations)}


def _of_documents(documents: list[Open], report: Callable[[int, int, str], None]) -> Iterator[Open]:
    for place, (uri, snapshot) in enumerate(documents):
        report(place, len(documents), uri.rpartition("/")[2])
        yield uri, snapshot


def of_folders(
    folders: Iterable[str], documents: list[Open], report: Callable[[int, int, str], None], kept: Kept
) -> Iterator[Open]:
    """The dumps of folders: open ones as the editor holds them, the others from the disk."""
    opened = {name: (uri, snapshot) for uri, snapshot in documents if (name := path_of(uri)) is not None}
    paths = list(dict.fromkeys(path for folder in folders for path in dumps_below(folder, lambda _: None)))
    for place, path in enumerate(paths):
        report(place, len(paths), path.name)
        known = opened.get(path.as_posix())
        if known is not None:
            yield known
            continue
        try:
            snapshot = kept.get(path, partial(_dump_of, path))
        except OSError:
            continue
        if isinstance(snapshot, Snapshot):
            yield path.as_uri(), snapshot


def _dump_of(path: Path, data: bytes) -> Snapshot | None:
    """The dump in a file's bytes; None where it holds no graph."""
    snapshot = None if is_binary(data) else Snapshot(decoded(data), str(path))
    return snapshot if snapshot is not None and snapshot.dump.graphs else None


def symbols_like(query: str, documents: Iterable[Open], client: Client, pause: Callable[[], None]) -> list[Json]:
    """The answer to `workspace/symbol`: a name or a part of it; or a filter, which has a `=` in it."""
    made: list[Json] = []
    for uri, snapshot in documents:
        pause()
        left = MOST_SYMBOLS - len(made)
        wire = Wire(snapshot.lines, client.encoding)
        made += [_symbol(uri, wire, found) for found in _named(snapshot, query, left)]
        if len(made) >= MOST_SYMBOLS:
            break
    return made


def _named(snapshot: Snapshot, query: str, limit: int) -> list[Found]:
    if "=" not in query:
        return named_like(snapshot, query, limit)
    try:
        return nodes_where(snapshot, parse_filters([query]))[:limit]
    except ValueError:  # not typed to its end
        return []


def _symbol(uri: str, wire: Wire, found: Found) -> Json:
    location = {"uri": uri, "range": wire.range(found.span)}
    container = found.detail if found.kind == "graph" else f"{found.detail} in {found.graph}"
    return {"name": found.name or "?", "kind": KINDS[found.kind], "location": location, "containerName": container}
