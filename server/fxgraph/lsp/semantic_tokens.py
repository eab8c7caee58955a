"""Words of a dump as LSP's semantic tokens: five numbers each, relative to the token before (LSP 3.17).

A graph of 100,000 nodes takes four million numbers: they are kept in an array, and written as text piece by piece.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from fxgraph.features.lines import width
from fxgraph.features.tokens import Run, runs
from fxgraph.lsp.protocol import Raw
from fxgraph.lsp.wire import Wire

if TYPE_CHECKING:
    from fxgraph.lsp.answers import Question

#: Above so many lines a document's tokens are told by range only: VS Code stops colouring there, too.
MOST_LINES = 300_000
#: Numbers that are written together.
_AT_ONCE = 50_000
#: Numbers of one token.
_EACH = 5


class Kept(NamedTuple):
    """The tokens last told of a document: what a delta starts from."""

    result_id: str  # a `Question.state`
    numbers: array[int]


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
    start, removed, inserted = difference(before.numbers, told.numbers)
    pieces = [f'{{"resultId":"{told.result_id}","edits":[']
    if removed or inserted:
        pieces.append(f'{{"start":{start},"deleteCount":{removed},"data":[')
        pieces += _text(told.numbers, start, start + inserted)
        pieces.append("]}")
    return Raw([*pieces, "]}"])


def in_range(question: Question) -> Any:
    """Answers `textDocument/semanticTokens/range`. Costs what stands in the range, not the document."""
    wire, asked = question.wire, question.parameters.range
    start = wire.offset(asked.start.line, asked.start.character)
    end = wire.offset(asked.end.line, asked.end.character)
    if start is None:
        return {"data": []}
    found = runs(question.snapshot, start, len(question.snapshot.text) if end is None else end, question.pause)
    numbers = encode(found, wire)
    return Raw(['{"data":[', *_text(numbers, 0, len(numbers)), "]}"])


def encode(found: Iterable[Run], wire: Wire) -> array[int]:
    """The numbers of ascending runs, columns and lengths in the session's encoding."""
    lines, starts, text = wire.lines, wire.lines.starts, wire.lines.text
    plain = wire.encoding == "utf-32" or text.isascii()
    numbers = array("I")
    some: list[int] = []
    line = told = -1  # the line of this run, and of the run before
    start = following = 0  # where the line begins, and the next one
    at = column = 0  # the last token of the line: its offset, and its column in the session's encoding
    simple = plain
    for offset, run in found:
        if offset >= following:
            line = bisect_right(starts, offset, max(line, 0)) - 1
            start = at = starts[line]
            column = 0
            following = starts[line + 1] if line + 1 < len(starts) else len(text) + 1
            simple = plain or lines.line_text(line).isascii()
        if simple:
            some += (line - max(told, 0), offset - start - column)
            some += run
            column = offset - start + sum(run[4::_EACH])
        else:
            some += (line - max(told, 0), width(text[at:offset], wire.encoding))
            some += _wide(text, offset, run, wire)
            at = offset + sum(run[4::_EACH])
        told = line
        if len(some) >= _AT_ONCE:
            numbers.extend(array("I", some))
            some.clear()
    numbers.extend(array("I", some))
    return numbers


def _wide(text: str, offset: int, run: list[int], wire: Wire) -> list[int]:
    """A run of a line with characters that take more than one unit, in the session's units."""
    run = run.copy()
    for place in range(0, len(run), _EACH):
        run[place] = width(text[offset : offset + run[place]], wire.encoding)
        if place + 4 < len(run):
            distance = run[place + 4]
            run[place + 4] = width(text[offset : offset + distance], wire.encoding)
            offset += distance
    return run


def difference(old: array[int], new: array[int]) -> tuple[int, int, int]:
    """Where two lists of tokens differ: (start, how many numbers go, how many of the new ones come), whole tokens."""
    shorter = min(len(old), len(new))
    front = _common(old, new, shorter, 0, 0, 1)
    back = _common(old, new, shorter - front, len(old), len(new), -1)
    return front, len(old) - front - back, len(new) - front - back


def _common(old: array[int], new: array[int], most: int, old_at: int, new_at: int, step: int) -> int:
    """How many numbers of whole tokens are the same from these places on, forwards or (step -1) backwards."""
    a, b = memoryview(old), memoryview(new)
    count = 0
    for size in (_AT_ONCE, _EACH):  # blocks first: comparing bytes is a hundred times faster than numbers
        while count + size <= most:
            if step > 0:
                left, right = a[old_at + count :][:size], b[new_at + count :][:size]
            else:
                left, right = a[: old_at - count][-size:], b[: new_at - count][-size:]
            if left.tobytes() != right.tobytes():
                break
            count += size
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
    pieces = [f'{{"resultId":"{told.result_id}","data":[', *_text(told.numbers, 0, len(told.numbers)), "]}"]
    return Raw(pieces)


def _text(numbers: array[int], start: int, end: int) -> Iterator[str]:
    for begin in range(start, end, _AT_ONCE):
        some = str(numbers[begin : min(begin + _AT_ONCE, end)].tolist())[1:-1].replace(" ", "")
        yield f",{some}" if begin > start else some
