"""Offsets and spans as the protocol's positions and ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fxgraph.graph import Span

if TYPE_CHECKING:
    from fxgraph.features.lines import Encoding, LineIndex


class Wire(NamedTuple):
    """Converts between document offsets and the positions of one text in the session's encoding."""

    lines: LineIndex
    encoding: Encoding

    def position(self, offset: int) -> dict[str, int]:
        """A `Position`."""
        line, column = self.lines.position(offset, self.encoding)
        return {"line": line, "character": column}

    def range(self, span: Span) -> dict[str, dict[str, int]]:
        """A `Range`."""
        return {"start": self.position(span.start), "end": self.position(span.end)}

    def offset(self, line: int, column: int) -> int | None:
        """The document offset of a position; None below the last line."""
        return self.lines.offset(line, column, self.encoding) if line < len(self.lines) else None
