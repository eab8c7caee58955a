"""Changes of a text, as lists: several edits, one behind the other, as edits of the first text that stand apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """`inserted` characters in place of [start, end), which are offsets in the text before."""

    start: int
    end: int
    inserted: int

    def joined(self, following: Edit) -> Edit:
        """The edit and one behind it in the same text, as one edit that also replaces what stands between."""
        between = following.start - self.end
        return Edit(self.start, following.end, self.inserted + between + following.inserted)

    @property
    def by(self) -> int:
        """How many characters the text grows by."""
        return self.inserted - (self.end - self.start)


def followed_by(edits: Sequence[Edit], edit: Edit) -> list[Edit]:
    """Edits, ascending and apart, and one more of the text that they leave: as edits of the text before all of them."""
    found: list[Edit] = []
    by = 0  # of the edits in front
    place = 0
    while place < len(edits) and edits[place].end + by + edits[place].by < edit.start:
        found.append(edits[place])
        by += edits[place].by
        place += 1
    start, end, grown = edit.start - by, edit.end - by, edit.by
    # those that touch it become one with it
    while place < len(edits) and edits[place].start + by <= edit.end:
        one = edits[place]
        start = min(start, one.start)
        by += one.by
        end = max(one.end, edit.end - by)
        grown += one.by
        place += 1
    found.append(Edit(start, end, end - start + grown))
    found.extend(edits[place:])
    return found
