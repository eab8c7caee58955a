"""The files that a command line names, read one after another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.files import decoded, dumps_below, is_binary


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
        for path in dumps_below(top, self._unlistable):
            data = self._bytes_of_walked(path)
            if data is not None and not is_binary(data):
                yield Input(str(path), decoded(data), walked=True)

    def _bytes_of_walked(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except OSError as error:
            self.complain(f"{path}: {_reason(error)}")
            return None

    def _unlistable(self, error: OSError) -> None:
        self.complain(f"{error.filename}: {_reason(error)}")


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
    if is_binary(data):
        raise UnusableError("is a binary file")
    return decoded(data)


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return (error.strerror or type(error).__name__).lower()
