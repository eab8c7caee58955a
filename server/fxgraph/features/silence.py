"""Comments in a dump that silence findings of one line: `# fxgraph: ignore[FX104]`.

Such a comment stands at the end of the line it speaks of, or on a line of its own above it. It names rules as the
command line does, separated by commas; without a bracket it means every rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from fxgraph.analysis import RULES, Finding, codes_of
from fxgraph.features.lines import LineIndex
from fxgraph.graph import Span
from fxgraph.reading import SILENCE

#: What may stand in front of a comment on a line of its own: the prefix that torch's logs give each line.
_LOG_PREFIX = re.compile(r"\s*(?:\[rank\d+\]:)?[VIWEC]\d{4} [^\n]*\]\s*\Z")


class Silence(NamedTuple):
    """One comment.

    span   where it stands, in document offsets
    line   the line it speaks of, from 0
    codes  the rules it silences there
    """

    span: Span
    line: int
    codes: frozenset[str]


def silences(lines: LineIndex) -> list[Silence]:
    """All such comments of a text, in its order."""
    text = lines.text
    if "fxgraph:" not in text:
        return []
    found = []
    for match in SILENCE.finditer(text):
        line = lines.line_of(match.start())
        before = text[lines.starts[line] : match.start()]
        is_alone = not before.strip() or _LOG_PREFIX.match(before) is not None
        found.append(Silence(Span(*match.span()), line + is_alone, _codes(match[1])))
    return found


def _codes(words: str | None) -> frozenset[str]:
    if words is None:
        return frozenset(RULES)
    return frozenset(code for word in words.split(",") for code in codes_of(word))


def without_silenced(lines: LineIndex, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that no comment silences."""
    codes: dict[int, frozenset[str]] = {}
    for silence in silences(lines):
        codes[silence.line] = codes.get(silence.line, frozenset()) | silence.codes
    if not codes:
        return list(findings)
    none: frozenset[str] = frozenset()
    return [found for found in findings if found.code not in codes.get(lines.line_of(found.span.start), none)]
