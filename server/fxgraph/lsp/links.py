"""Where the link of a dump leads: looked up on the disk only when somebody follows it."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from lsprotocol import types

from fxgraph.lsp.uris import path_of

_SHARE = re.compile(r"[\\/]{2}")


def folders_of(parameters: dict[str, Any]) -> list[str]:
    """Paths of the folders that an `initialize` request opens."""
    folders = parameters.get("workspaceFolders")
    uris = [folder.get("uri") for folder in folders if isinstance(folder, dict)] if isinstance(folders, list) else []
    uris = uris or [parameters.get("rootUri")]
    return [path for uri in uris if isinstance(uri, str) and (path := path_of(uri))]


def resolve_link(link: types.DocumentLink, folders: list[str]) -> types.DocumentLink:
    """The link with its target: the file itself, or the one of that name below a folder of the workspace or the dump's.

    Where there is no such file the link stays without a target, and the editor says so.
    """
    data: Any = link.data
    path, line, uri = str(data["path"]), int(data["line"]), str(data["uri"])
    found = existing_file(path, [*folders, *_folder_of(uri)])
    if found is not None:
        link.target = f"{found.as_uri()}#L{line}"
        link.data = None
    return link


def existing_file(path: str, folders: list[str]) -> Path | None:
    """The file that a dump names, or None. A share of another machine is never asked: that would use the network."""
    if _SHARE.match(path) or "\0" in path or len(path) > 4096:
        return None
    is_absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()
    candidates = [Path(path)] if is_absolute else [Path(folder) / path for folder in folders]
    for candidate in candidates:
        try:
            if candidate.is_file():
                return candidate.resolve()
        except (OSError, ValueError):
            continue
    return None


def _folder_of(uri: str) -> list[str]:
    path = path_of(uri)
    return [str(Path(path).parent)] if path else []
