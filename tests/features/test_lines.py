import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxgraph.features.lines import LineIndex
from fxgraph.reading import Edit

TEXT = "graph():\r\n  %é😀x\rreturn\x0c\u2028x\n\nend"


def test_lines_end_where_lsp_says():
    index = LineIndex(TEXT)
    assert [index.line_text(line) for line in range(len(index))] == [
        "graph():",
        "  %é😀x",
        "return\x0c\u2028x",
        "",
        "end",
    ]


@pytest.mark.parametrize(
    ("encoding", "column"),
    [("utf-32", 5), ("utf-16", 6), ("utf-8", 9)],
)
def test_columns_behind_wide_characters(encoding, column):
    index = LineIndex(TEXT)
    x = TEXT.index("x")
    assert index.position(x, encoding) == (1, column)
    assert index.offset(1, column, encoding) == x


@pytest.mark.parametrize(("encoding", "column"), [("utf-16", 5), ("utf-8", 6), ("utf-8", 8)])
def test_a_column_inside_a_character_goes_back_to_its_start(encoding, column):
    index = LineIndex(TEXT)
    assert index.offset(1, column, encoding) == TEXT.index("😀")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_outside_the_text(encoding):
    index = LineIndex(TEXT)
    assert index.offset(0, 400, encoding) == 8
    assert index.offset(1, 400, encoding) == index.line_end(1)
    assert index.offset(99, 0, encoding) == len(TEXT)
    assert index.offset(4, 99, encoding) == len(TEXT)
    assert index.position(10_000, encoding) == (4, 3)


def test_an_empty_text_has_one_line():
    index = LineIndex("")
    assert (len(index), index.position(0), index.offset(0, 5), index.line_text(0)) == (1, (0, 0), 0, "")


def test_a_lone_surrogate_has_a_place():
    index = LineIndex("a\ud800b")
    assert index.position(2, "utf-16") == (0, 2)
    assert index.offset(0, 2, "utf-16") == 2
    assert index.offset(0, 4, "utf-8") == 2


ANY_TEXT = st.text(st.sampled_from("ab\r\n\x0c\u2028é😀"), max_size=40)


@given(ANY_TEXT)
def test_there_and_back(text):
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        for encoding in ("utf-8", "utf-16", "utf-32"):
            back = index.offset(*index.position(offset, encoding), encoding)
            # Between `\r` and `\n` there is no position: it is the line's end.
            assert back == offset or (text[back:offset] == "\r" and text[offset] == "\n")


@given(ANY_TEXT, ANY_TEXT, st.integers(0, 40), st.integers(0, 40))
def test_an_edit_gives_the_same_lines_as_a_new_index(old, inserted, start, length):
    start = min(start, len(old))
    end = min(start + length, len(old))
    new = old[:start] + inserted + old[end:]
    assert LineIndex(old).edited(new, [Edit(start, end, len(inserted))]).starts == LineIndex(new).starts
