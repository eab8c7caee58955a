"""Dumps on the disk: which files may be some, and their text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

#: What is read of a directory: a dump may lie in any of these. A file that somebody names may be called anything.
SUFFIXES = frozenset({"", ".err", ".fxgraph", ".log", ".md", ".out", ".py", ".stderr", ".stdout", ".txt"})

#: Directories that hold no dumps of the user's.
SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})

#: tlparse writes this file into each report. What lies there under these names is the text of its other files again.
_OF_TLPARSE = "compile_directory.json"
_AGAIN_IN_TLPARSE = frozenset({"payloads", "raw.log"})

#: The folder that tlparse makes for a compilation, `-_0_0_0`; its files end in a number that counts on.
_COMPILATION = re.compile(r"[-!\d]+(?:_[-!\d]+)+")
_COUNTED = re.compile(r"_(\d+)\.\w+$")
_NUMBER = re.compile(r"(\d+)")

#: A NUL this early means a binary file.
_LOOKED_AT = 1 << 16


def dumps_below(top: str, unlistable: Callable[[OSError], None]) -> Iterator[Path]:
    """The files of a folder and the folders in it that may hold dumps, in the order in which torch wrote them, else of
    their names; what tlparse wrote twice is left out.
    """
    for folder, folders, names in os.walk(top, onerror=unlistable):
        skipped = SKIPPED | _AGAIN_IN_TLPARSE if _OF_TLPARSE in names else SKIPPED
        folders[:] = sorted((name for name in folders if name not in skipped and name[0] != "."), key=_natural)
        names = [name for name in names if name not in skipped]
        for name in sorted(names, key=_written if _COMPILATION.fullmatch(Path(folder).name) else _natural):
            path = Path(folder, name)
            if not name.startswith(".") and path.suffix.lower() in SUFFIXES and path.is_file():
                yield path


class Kept:
    """What was made of files, for as long as they are the same on the disk: the newest, up to a sum of bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0
        self._made: dict[Path, tuple[tuple[int, int], object]] = {}

    def get(self, path: Path, make: Callable[[bytes], object]) -> object:
        """What `make` gives for a file's bytes, now or when the file was the same. Raises OSError."""
        stat = path.stat()
        state = (stat.st_mtime_ns, stat.st_size)
        known = self._made.pop(path, None)
        if known is not None:
            self._bytes -= known[0][1]
        made = known[1] if known is not None and known[0] == state else make(path.read_bytes())
        self._made[path] = state, made
        self._bytes += state[1]
        while self._bytes > self._most and len(self._made) > 1:
            oldest = next(iter(self._made))
            self._bytes -= self._made.pop(oldest)[0][1]
        return made


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that puts `graph_9` before `graph_10`."""
    return tuple((1, int(word), "") if word.isdecimal() else (0, 0, word) for word in _NUMBER.split(name))


def _written(name: str) -> tuple[int, str]:
    """A key that puts the files of a compilation in the order in which torch wrote them."""
    match = _COUNTED.search(name)
    return int(match[1]) if match else 0, name


def decoded(data: bytes) -> str:
    """Bytes as text, never failing. A byte order mark decides and is taken away, as editors do: PowerShell's `>` writes
    UTF-16. What is not UTF-8 becomes replacement characters.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def is_binary(data: bytes) -> bool:
    """Whether this is no text."""
    return not data.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" in data[:_LOOKED_AT]
