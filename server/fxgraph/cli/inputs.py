"""The files that a command line names, read one after another."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fxgraph.cli.terminal import reason
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.files import decoded, dumps_below, is_binary

#: Bytes of the longest text that is read: a pipe may never end.
MOST = 1 << 30
_PIECE = 1 << 20


class UnusableError(Exception):
    """A file cannot be used; the message says why, without its name."""


class BinaryError(UnusableError):
    """It holds no text."""


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
        except UnusableError as why:
            self.complain(f"{path}: {why}")
            return None

    def complain(self, message: str) -> None:
        """Say in one line what could not be used."""
        self.complaints.append(message)
        print(f"fxgraph: {message}", file=sys.stderr)

    def _walk(self, top: str) -> Iterator[Input]:
        for path in dumps_below(top, self._unlistable):
            data = self._bytes_of_walked(path)
            if data is not None:
                yield Input(str(path), decoded(data), walked=True)

    def _bytes_of_walked(self, path: Path) -> bytes | None:
        """None, without a word, where it is binary."""
        try:
            return _bytes_of(path)
        except BinaryError:
            return None
        except UnusableError as why:
            self.complain(f"{path}: {why}")
        except OSError as error:
            self.complain(f"{path}: {reason(error)}")
        return None

    def _unlistable(self, error: OSError) -> None:
        self.complain(f"{error.filename}: {reason(error)}")


def folder_of(item: Input) -> Path:
    """The absolute folder that a text lies in; for standard input the working directory."""
    here = Path.cwd()
    return here if item.label == "-" else Path(os.path.normpath(here / item.label)).parent


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`, with its line ends as they are. Raises UnusableError."""
    try:
        return decoded(_bounded(sys.stdin.buffer) if path == "-" else _bytes_of(Path(path)))
    except OSError as error:
        raise UnusableError(reason(error)) from None
    except ValueError:  # a NUL in the path
        raise UnusableError("no such file") from None


def _bytes_of(path: Path) -> bytes:
    """All bytes of a file or a pipe. Raises OSError, UnusableError for a device: one may never end."""
    with path.open("rb") as stream:
        mode = os.fstat(stream.fileno()).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
            raise UnusableError("is neither a file nor a pipe")
        return _bounded(stream)


def _bounded(stream: BinaryIO) -> bytes:
    """What a stream holds. Raises UnusableError where it is longer than MOST bytes, or binary by its beginning."""
    pieces: list[bytes] = []
    length = 0
    while piece := stream.read(_PIECE):
        if not pieces and is_binary(piece):
            raise BinaryError("is a binary file")
        pieces.append(piece)
        length += len(piece)
        if length > MOST:
            raise UnusableError(f"is longer than {MOST >> 20:,} MiB")
    return b"".join(pieces)
