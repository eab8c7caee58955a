"""What a document's URI says about its file name. Nothing is opened here.

A path is evidence for level and stage, and its last part names the document in the log. It is read the same on every
operating system: a client may run elsewhere than the server (`--tcp`, a container, a test).
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

_DRIVE = re.compile(r"/[A-Za-z]:(?:[/\\]|\Z)")


def path_of(uri: str) -> str | None:
    """The path of a `file:` URI, with forward slashes; None for other schemes and for what is no URI.

    Escapes are undone (`file:///c%3A/a%20b.py` is `c:/a b.py`), drive letters lose the slash in front of them, and a
    host makes a share (`file://host/share/x`). For `untitled:` and other schemes the path means nothing on a disk.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:  # a malformed host, `file://[`
        return None
    if parts.scheme.lower() != "file":
        return None
    # urlsplit takes `?` and `#` out; unescaped they cannot be part of a path.
    path = unquote(parts.path)
    host = unquote(parts.netloc)
    if host and host.lower() != "localhost":
        return f"//{host}{path}"
    return path[1:] if _DRIVE.match(path) else path


def name_of(uri: str) -> str:
    """The last part of the path of any URI, unescaped: what a log may say about a document."""
    path = uri.partition("#")[0].partition("?")[0]
    last = re.split(r"[/\\]", unquote(path))[-1]
    return last.removeprefix("untitled:") or "document"
