"""Words of a dump as LSP's semantic tokens: five numbers each, relative to the token before (LSP 3.17).

A graph of 100,000 nodes takes four million numbers: they are text from the start, most of it made once for many tokens.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from fxgraph.features.lines import width
from fxgraph.features.token_lines import Run
from fxgraph.features.tokens import runs
from fxgraph.lsp.protocol import Raw
from fxgraph.lsp.wire import Wire

if TYPE_CHECKING:
    from fxgraph.lsp.answers import Question

#: Above so many lines a document's tokens are told by range only: VS Code stops colouring there, too.
MOST_LINES = 300_000
#: Runs that are put together at once.
_AT_ONCE = 4_000
#: Numbers of one token.
_EACH = 5


class Kept(NamedTuple):
    """The tokens last told of a document: what a delta starts from."""

    result_id: str  # a `Question.state`
    data: str  # the numbers with commas between them


def full(question: Question) -> Any:
    """Answers `textDocument/semanticTokens/full`: null where the document has too many lines."""
    told = _all_tokens(question)
    return None if told is None else _whole(told)


def delta(question: Question) -> Any:
    """Answers `textDocument/semanticTokens/full/delta`: one edit, or everything where the client's state is lost."""
    before = question.kept.get("tokens")
    told = _all_tokens(question)
    if told is None:
        return None
    if not isinstance(before, Kept) or before.result_id != question.parameters.previous_result_id:
        return _whole(told)
    start, removed, inserted = difference(before.data, told.data)
    edits = f'{{"start":{start},"deleteCount":{removed},"data":[{inserted}]}}' if removed or inserted else ""
    return Raw([f'{{"resultId":"{told.result_id}","edits":[', edits, "]}"])


def in_range(question: Question) -> Any:
    """Answers `textDocument/semanticTokens/range`. Costs what stands in the range, not the document."""
    wire, asked = question.wire, question.parameters.range
    start = wire.offset(asked.start.line, asked.start.character)
    end = wire.offset(asked.end.line, asked.end.character)
    if start is None:
        return {"data": []}
    found = runs(question.snapshot, start, len(question.snapshot.text) if end is None else end, question.pause)
    return Raw(['{"data":[', encode(found, wire), "]}"])


def encode(found: Iterable[Run], wire: Wire) -> str:
    """The numbers of ascending runs, columns and lengths in the session's encoding, with commas between them."""
    lines, starts, text = wire.lines, wire.lines.starts, wire.lines.text
    plain = wire.encoding == "utf-32" or text.isascii()
    pieces: list[str] = []
    some: list[str] = []
    line = told = 0  # the line of this run, and of the run before
    following = 0  # where the next line begins
    at = 0  # where the last token of the line begins, or the line
    simple = plain
    for first, last, _, words in found:
        if first >= following:
            line = bisect_right(starts, first, line) - 1
            at = starts[line]
            following = starts[line + 1] if line + 1 < len(starts) else len(text) + 1
            simple = plain or lines.line_text(line).isascii()
        if simple:
            some.append(f"{line - told},{first - at},{words}")
        else:
            some.append(f"{line - told},{width(text[at:first], wire.encoding)},{_wide(text, first, words, wire)}")
        told, at = line, last
        if len(some) >= _AT_ONCE:
            pieces.append(",".join(some))
            some.clear()
    return ",".join(pieces + some)


def _wide(text: str, offset: int, words: str, wire: Wire) -> str:
    """A run of a line with characters that take more than one unit, in the session's units."""
    run = list(map(int, words.split(",")))
    for place in range(0, len(run), _EACH):
        run[place] = width(text[offset : offset + run[place]], wire.encoding)
        if place + 4 < len(run):
            distance = run[place + 4]
            run[place + 4] = width(text[offset : offset + distance], wire.encoding)
            offset += distance
    return ",".join(map(str, run))


def difference(old: str, new: str) -> tuple[int, int, str]:
    """Where the numbers of two lists of tokens differ: (start, how many of the old ones go, the new ones that come)."""
    old, new = old and f"{old},", new and f"{new},"
    shorter = min(len(old), len(new))
    front = _common(old, new, shorter, from_end=False)
    numbers = old.count(",", 0, front)
    for _ in range(numbers % _EACH + 1):  # back to behind the last whole token
        front = old.rfind(",", 0, max(front, 0))
    front += 1
    back = _common(old, new, shorter - front, from_end=True)
    begins = all(len(data) == back or data[-back - 1] == "," for data in (old, new))
    commas = old.count(",", len(old) - back)
    for _ in range(commas % _EACH or (0 if begins else min(commas, _EACH))):  # on to the first whole token
        back = len(old) - 1 - old.index(",", len(old) - back)
    removed = old.count(",", front, len(old) - back)
    return numbers - numbers % _EACH, removed, new[front : max(len(new) - back - 1, front)]


def _common(old: str, new: str, most: int, *, from_end: bool) -> int:
    """How many characters, of at most so many, are the same at the begin or the end."""
    count, size = 0, 1 << 16
    while size:
        if count + size > most:
            same = False
        elif from_end:
            same = old[len(old) - count - size : len(old) - count] == new[len(new) - count - size : len(new) - count]
        else:
            same = old.startswith(new[count : count + size], count)
        if same:
            count += size
        else:
            size >>= 1
    return count


def _all_tokens(question: Question) -> Kept | None:
    """All tokens of the document as it was asked about, or None where it has too many lines."""
    if len(question.snapshot.lines) > MOST_LINES:
        return None
    kept = question.kept.get("tokens")
    if isinstance(kept, Kept) and kept.result_id == question.state:
        return kept
    told = Kept(question.state, encode(runs(question.snapshot, pause=question.pause), question.wire))
    if question.client.token_deltas:
        question.kept["tokens"] = told
    return told


def _whole(told: Kept) -> Raw:
    return Raw([f'{{"resultId":"{told.result_id}","data":[', told.data, "]}"])
