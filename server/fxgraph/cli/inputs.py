"""The files that a command line names, read one after another."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fxgraph.features.snapshot import Snapshot

#: What is read of a directory: a dump may lie in any of these. A file named on the command line may be called anything.
SUFFIXES = frozenset({"", ".fxgraph", ".log", ".md", ".out", ".py", ".txt"})

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


class UnusableError(Exception):
    """A file cannot be used; the message says why, without its name."""


class Input(NamedTuple):
    """A text that was read. `label` is its path as the user wrote it, `-` for standard input; `walked` says that its
    directory was named rather than the file itself.
    """

    label: str
    text: str
    walked: bool

    def snapshot(self) -> Snapshot:
        """Its first and only version."""
        return Snapshot(self.text, None if self.label == "-" else self.label)


class Inputs:
    """Iterate over it to read the files. What cannot be read gives a line on stderr, and one of `complaints`."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = list(paths)
        self.complaints: list[str] = []

    @property
    def failed(self) -> bool:
        """Whether something could not be used."""
        return bool(self.complaints)

    def __iter__(self) -> Iterator[Input]:
        for path in self.paths:
            if path != "-" and Path(path).is_dir():
                yield from self._walk(path)
            else:
                text = self.read(path)
                if text is not None:
                    yield Input(path, text, walked=False)

    def read(self, path: str) -> str | None:
        """The text of one file, or None once the reason has been told."""
        try:
            return read_text(path)
        except UnusableError as reason:
            self.complain(f"{path}: {reason}")
            return None

    def complain(self, message: str) -> None:
        """Say in one line what could not be used."""
        self.complaints.append(message)
        print(f"fxgraph: {message}", file=sys.stderr)

    def _walk(self, top: str) -> Iterator[Input]:
        for folder, folders, names in os.walk(top, onerror=self._unlistable):
            skipped = SKIPPED | _AGAIN_IN_TLPARSE if _OF_TLPARSE in names else SKIPPED
            folders[:] = sorted((name for name in folders if name not in skipped and name[0] != "."), key=_natural)
            names = [name for name in names if name not in skipped]
            for name in sorted(names, key=_written if _COMPILATION.fullmatch(Path(folder).name) else _natural):
                path = Path(folder, name)
                if name.startswith(".") or path.suffix.lower() not in SUFFIXES or not path.is_file():
                    continue
                data = self._bytes_of_walked(path)
                if data is not None and not _is_binary(data):
                    yield Input(str(path), decoded(data), walked=True)

    def _bytes_of_walked(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except OSError as error:
            self.complain(f"{path}: {_reason(error)}")
            return None

    def _unlistable(self, error: OSError) -> None:
        self.complain(f"{error.filename}: {_reason(error)}")


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that puts `graph_9` before `graph_10`."""
    return tuple((1, int(word), "") if word.isdecimal() else (0, 0, word) for word in _NUMBER.split(name))


def _written(name: str) -> tuple[int, str]:
    """A key that puts the files of a compilation in the order in which torch wrote them."""
    match = _COUNTED.search(name)
    return int(match[1]) if match else 0, name


def folder_of(item: Input) -> Path:
    """The absolute folder that a text lies in; for standard input the working directory."""
    here = Path.cwd()
    return here if item.label == "-" else Path(os.path.normpath(here / item.label)).parent


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`, with its line ends as they are. Raises UnusableError."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise UnusableError(_reason(error)) from None
    except ValueError:  # a NUL in the path
        raise UnusableError("no such file") from None
    if _is_binary(data):
        raise UnusableError("is a binary file")
    return decoded(data)


def decoded(data: bytes) -> str:
    """Bytes as text, never failing. A byte order mark decides and is taken away, as editors do: PowerShell's `>` writes
    UTF-16. What is not UTF-8 becomes replacement characters.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def _is_binary(data: bytes) -> bool:
    return not data.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" in data[:_LOOKED_AT]


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return (error.strerror or type(error).__name__).lower()
