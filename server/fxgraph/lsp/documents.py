"""The open documents: one snapshot each, replaced at every change.

Texts are kept here and not in pygls' workspace, which splits the whole text into lines for each position it converts
and copies it once per edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fxgraph.lsp.uris import name_of, path_of

if TYPE_CHECKING:  # the first snapshot loads the readers: not before a document is opened
    from fxgraph.features.lines import Encoding
    from fxgraph.features.snapshot import Snapshot
    from fxgraph.reading.edits import Edit

#: More edits than this in one message go through a list of lines: each costs a line then, not the whole text.
_FEW = 2

#: Characters that are copied together.
_AT_ONCE = 1 << 20

_LINES = re.compile("[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


class Change(NamedTuple):
    """One edit of a `didChange`: `text` in place of what stands from `start` to `end`.

    Both are (line, column) from 0, columns in the session's encoding. Without them `text` replaces everything.
    """

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


class Version(NamedTuple):
    """One version of a document. `serial` is never used twice in a session, other than the editor's version number."""

    serial: int
    snapshot: Snapshot


class Document:
    """An open document.

    current  its newest version, replaced as a whole: the worker may look at any moment
    read     serial of the newest version whose graphs are known
    judged   serial of the newest version whose findings are known
    last_judged  that version
    kept     what an answer leaves for the next one of its kind
    """

    __slots__ = ("current", "judged", "kept", "last_judged", "name", "read", "uri")

    def __init__(self, uri: str, current: Version) -> None:
        self.uri = uri
        self.name = name_of(uri)
        self.current = current
        self.read = 0
        self.judged = 0
        self.last_judged: Version | None = None
        self.kept: dict[str, object] = {}

    def take_as_judged(self, version: Version) -> None:
        """Take note that the findings of a version are known; it is newer than those whose findings were."""
        self.last_judged = version
        self.judged = version.serial


class Documents:
    """The open documents by URI. Changed by the thread that reads the protocol only."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}
        self._serial = 0

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._documents.values()))

    def get(self, uri: str) -> Document | None:
        """The document, or None where it is not open."""
        return self._documents.get(uri)

    def open(self, uri: str, text: str, version: int) -> Document:
        """A document that the editor opened; one that was open already is replaced."""
        from fxgraph.features.snapshot import Snapshot

        document = Document(uri, self._version(Snapshot(text, path_of(uri), version)))
        self._documents[uri] = document
        return document

    def change(self, uri: str, changes: Sequence[Change], version: int, encoding: Encoding) -> Document | None:
        """The document after a `didChange`; None where it is not open."""
        document = self._documents.get(uri)
        if document is not None:
            document.current = self._version(changed(document.current.snapshot, changes, version, encoding))
        return document

    def close(self, uri: str) -> bool:
        """Forget a document. Whether it was open."""
        return self._documents.pop(uri, None) is not None

    def _version(self, snapshot: Snapshot) -> Version:
        self._serial += 1
        return Version(self._serial, snapshot)


def changed(snapshot: Snapshot, changes: Sequence[Change], version: int, encoding: Encoding) -> Snapshot:
    """The snapshot after these edits, each of which speaks of the text that the one before it left.

    A place behind the end of a line counts as the line's end, one below the last line as the text's end, and an end
    in front of its start as the start: a client that miscounts loses an edit, never the session.
    """
    if len(changes) > _FEW:
        inserted = _in_lines_of_their_own(snapshot, changes, encoding)
        if inserted is not None:
            text = _with(snapshot.text, inserted)
            return snapshot.edited(text, [edit for edit, _ in inserted], version)
        text, edits = _edited_by_lines(snapshot, changes, encoding)
        return snapshot.edited(text, edits, version) if edits else snapshot.replaced(text, version)
    from fxgraph.reading.edits import Edit

    for change in changes:
        if change.start is None or change.end is None:
            snapshot = snapshot.replaced(change.text, version)
            continue
        start = snapshot.lines.offset(*change.start, encoding)
        end = max(snapshot.lines.offset(*change.end, encoding), start)
        edit = Edit(start, end, len(change.text))
        snapshot = snapshot.edited(_with(snapshot.text, [(edit, change.text)]), [edit], version)
    return snapshot


def _in_lines_of_their_own(
    snapshot: Snapshot, changes: Sequence[Change], encoding: Encoding
) -> list[tuple[Edit, str]] | None:
    """The changes as edits of the old text, ascending, with what they insert; None where one may move another one.

    That is where two are in the same line, or where line ends come or go.
    """
    from fxgraph.reading.edits import Edit

    if "\r" in snapshot.text:  # without what stands behind it, it can become one line end with a line feed
        return None
    lines = snapshot.lines
    found: dict[int, tuple[Edit, str]] = {}
    for text, place, behind in changes:
        if place is None or behind is None or "\n" in text or "\r" in text:
            return None
        line = place[0]
        if behind[0] != line or line in found or not 0 <= line < len(lines):
            return None
        start = lines.offset(*place, encoding)
        found[line] = Edit(start, max(lines.offset(*behind, encoding), start), len(text)), text
    return [edit for _, edit in sorted(found.items())]


def _with(text: str, inserted: Sequence[tuple[Edit, str]]) -> str:
    """The text after edits, ascending and apart. It grows in place: a third text beside the two would take memory."""
    if not inserted:
        return text
    made = text[: inserted[0][0].start]
    stops = [*(edit.start for edit, _ in inserted[1:]), len(text)]
    for (edit, piece), stop in zip(inserted, stops, strict=True):
        made += piece
        for begin in range(edit.end, stop, _AT_ONCE):
            made += text[begin : min(begin + _AT_ONCE, stop)]
    return made


def _edited_by_lines(snapshot: Snapshot, changes: Sequence[Change], encoding: Encoding) -> tuple[str, list[Edit]]:
    """The text after many edits, and the lines that they changed as edits; none where one replaced everything."""
    lines = _LINES.findall(snapshot.text)
    origins: list[int] | None = list(range(len(lines)))  # numbers of the lines that are still whole, else -1
    for change in changes:
        if change.start is None or change.end is None:
            lines, origins = _LINES.findall(change.text), None
            continue
        first, head = _place(lines, change.start, encoding)
        last, tail = max(_place(lines, change.end, encoding), (first, head))
        middle = (lines[first][:head] if first < len(lines) else "") + change.text
        if last < len(lines):
            middle += lines[last][tail:]
        stop = last + 1
        # Without its own line end the last line runs on; and `\r` and `\n` that come together make one line end.
        if stop < len(lines) and (not middle.endswith(("\r", "\n")) or _meet(middle, lines[stop])):
            middle += lines[stop]
            stop += 1
        if first > 0 and _meet(lines[first - 1], middle):
            first -= 1
            middle = lines[first] + middle
        lines[first:stop] = made = _LINES.findall(middle)
        if origins is not None:
            origins[first:stop] = [-1] * len(made)
    return "".join(lines), _edits(lines, origins, snapshot) if origins is not None else []


def _edits(lines: list[str], origins: list[int], snapshot: Snapshot) -> list[Edit]:
    """The stretches of lines that are no longer what they were."""
    from fxgraph.reading.edits import Edit

    starts, length = snapshot.lines.starts, len(snapshot.text)
    found: list[Edit] = []
    expected = inserted = 0  # the next old line, and how many characters stand in front of it now

    def close(following: int) -> None:
        start, end = (starts[line] if line < len(starts) else length for line in (expected, following))
        if inserted or end > start:
            found.append(Edit(start, end, inserted))

    for place, origin in enumerate(origins):
        if origin != expected or inserted:
            if origin < 0:
                inserted += len(lines[place])
                continue
            close(origin)
            inserted = 0
        expected = origin + 1
    close(len(starts))
    return found


def _meet(line: str, following: str) -> bool:
    return line.endswith("\r") and following.startswith("\n")


def _place(lines: list[str], position: tuple[int, int], encoding: Encoding) -> tuple[int, int]:
    """Line and column in characters of a position; behind the last line: (number of lines, 0)."""
    from fxgraph.features.lines import LineIndex

    line, column = position
    if line >= len(lines):
        # The empty line behind a last line end is not in the list.
        ends = not lines or lines[-1].endswith(("\n", "\r"))
        return (len(lines), 0) if ends else (len(lines) - 1, len(lines[-1]))
    return line, LineIndex(lines[line].rstrip("\r\n"), [0]).offset(0, column, encoding)
