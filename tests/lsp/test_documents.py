"""Edits as LSP describes them, against a slow reference that counts code units one character at a time."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.documents import Change, Documents, changed

ENCODINGS = ("utf-8", "utf-16", "utf-32")

texts = st.text(st.sampled_from("ab%\r\n\té€🔥\x0c\x85\u2028\ud800"), max_size=30)
positions = st.tuples(st.integers(0, 8), st.integers(0, 12))
edits = st.builds(Change, texts, positions, positions)
replacements = texts.map(Change)
batches = st.lists(edits | replacements, min_size=1, max_size=6)


def units(character: str, encoding: str) -> int:
    if encoding == "utf-32":
        return 1
    return len(character.encode(encoding + "-le" if encoding == "utf-16" else encoding, "surrogatepass")) // (
        2 if encoding == "utf-16" else 1
    )


def reference_offset(text: str, position: tuple[int, int], encoding: str) -> int:
    line, column = position
    at = 0
    while line > 0:
        while at < len(text) and text[at] not in "\r\n":
            at += 1
        if at == len(text):
            return at
        at += 2 if text[at : at + 2] == "\r\n" else 1
        line -= 1
    while at < len(text) and text[at] not in "\r\n" and units(text[at], encoding) <= column:
        column -= units(text[at], encoding)
        at += 1
    return at


def reference(text: str, changes: list[Change], encoding: str) -> str:
    for change in changes:
        if change.start is None:
            text = change.text
            continue
        start = reference_offset(text, change.start, encoding)
        end = max(reference_offset(text, change.end, encoding), start)
        text = text[:start] + change.text + text[end:]
    return text


@given(texts, batches, st.sampled_from(ENCODINGS))
@example("a\rb", [Change("\n", (1, 0), (1, 0))] * 3, "utf-16")
@example("a\nb\n\n", [Change("\r", (0, 1), (0, 1))] * 4, "utf-8")
@example("a\r\nb", [Change("", (0, 1), (1, 0))] * 4, "utf-8")
def test_edits_leave_the_text_that_lsp_says(text, changes, encoding):
    after = changed(Snapshot(text, None, 1), changes, 2, encoding)
    assert after.text == reference(text, changes, encoding)
    assert after.version == 2
    assert after.lines.starts == Snapshot(after.text).lines.starts


@given(texts, batches, st.sampled_from(ENCODINGS))
def test_a_batch_is_the_same_as_one_edit_after_the_other(text, changes, encoding):
    one_by_one = Snapshot(text, None, 1)
    for change in changes:
        one_by_one = changed(one_by_one, [change], 2, encoding)
    assert changed(Snapshot(text, None, 1), changes, 2, encoding).text == one_by_one.text


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_a_column_counts_in_the_encoding_of_the_session(encoding, column):
    after = changed(Snapshot("🔥b", None, 1), [Change("a", (0, column), (0, column))], 2, encoding)
    assert after.text == "🔥ab"


def test_a_place_outside_the_text_is_its_nearest_end():
    after = changed(
        Snapshot("ab\ncd", None, 1), [Change("!", (0, 99), (0, 99)), Change("?", (9, 9), (9, 9))], 2, "utf-16"
    )
    assert after.text == "ab!\ncd?"


def test_an_end_in_front_of_its_start_inserts():
    after = changed(Snapshot("abc", None, 1), [Change("!", (0, 2), (0, 1))], 2, "utf-16")
    assert after.text == "ab!c"


def test_documents_are_opened_changed_and_closed():
    documents = Documents()
    opened = documents.open("file:///w/net.fxgraph", "ab", 1)
    first = opened.current
    assert (first.snapshot.text, first.snapshot.path, first.snapshot.version) == ("ab", "/w/net.fxgraph", 1)

    documents.change("file:///w/net.fxgraph", [Change("c", (0, 2), (0, 2))], 2, "utf-16")
    assert (opened.current.snapshot.text, opened.current.snapshot.version) == ("abc", 2)
    assert first.snapshot.text == "ab"

    again = documents.open("file:///w/net.fxgraph", "ab", 1)
    assert again.current.serial > opened.current.serial > first.serial
    assert list(documents) == [again]

    assert documents.close("file:///w/net.fxgraph")
    assert not documents.close("file:///w/net.fxgraph")
    assert documents.get("file:///w/net.fxgraph") is None
    assert documents.change("file:///w/net.fxgraph", [Change("c")], 3, "utf-16") is None


def test_edits_in_lines_of_their_own_stay_apart():
    text = "".join(f"line {number}\n" for number in range(9))
    changes = [Change("x", (line, 2), (line, 4)) for line in (5, 1, 3)]
    assert changed(Snapshot(text, None, 1), changes, 2, "utf-16").text == reference(text, changes, "utf-16")
