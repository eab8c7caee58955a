"""Semantic tokens over the wire: full, range and delta, in the columns of the session."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxgraph.features.lines import LineIndex
from fxgraph.features.token_legend import MODIFIERS, TYPES
from fxgraph.lsp.semantic_tokens import difference, encode
from fxgraph.lsp.wire import Wire
from lsp.raw_client import RawClient

TEXT = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %f : [num_users=1] = call_function[target=my.🔥.op](args = (🔥, %x, 2), kwargs = {})
    return f
"""

DELTAS = {"textDocument": {"semanticTokens": {"requests": {"full": {"delta": True}, "range": True}}}}


def told(data: list[int], text: str, encoding: str = "utf-16-le") -> list[tuple[int, str, str]]:
    """Each token as (line, its text, its type): what an editor makes of the numbers."""
    unit = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[encoding]
    lines = text.split("\n")
    found = []
    line = column = 0
    for place in range(0, len(data), 5):
        down, right, length, kind, _ = data[place : place + 5]
        column = right if down else column + right
        line += down
        raw = lines[line].encode(encoding)[column * unit : (column + length) * unit]
        found.append((line, raw.decode(encoding), TYPES[kind]))
    return found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_in_lines_with_wide_characters(encoding):
    with RawClient(capabilities={"general": {"positionEncodings": [encoding]}}) as client:
        uri = client.open(TEXT)
        answer = client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
    python = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    assert told(answer["data"], TEXT, python) == [
        (1, "x", "parameter"),
        (1, "placeholder", "keyword"),
        (1, "x", "parameter"),
        (2, "f", "variable"),
        (2, "call_function", "keyword"),
        (2, "my.🔥.op", "function"),
        (2, "x", "parameter"),
        (2, "2", "number"),
        (3, "return", "keyword"),
        (3, "f", "variable"),
    ]


def test_a_session_of_full_range_and_delta():
    with RawClient(capabilities=DELTAS) as client:
        provider = client.initialized["capabilities"]["semanticTokensProvider"]
        assert provider["legend"] == {"tokenTypes": list(TYPES), "tokenModifiers": list(MODIFIERS)}
        assert (provider["full"], provider["range"]) == ({"delta": True}, True)
        uri = client.open(TEXT)
        document = {"textDocument": {"uri": uri}}
        full = client.ask("textDocument/semanticTokens/full", document)

        line = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 99}}
        some = client.ask("textDocument/semanticTokens/range", {**document, "range": line})
        assert told(some["data"], TEXT) == [one for one in told(full["data"], TEXT) if one[0] == 1]

        def delta(previous: str) -> dict:
            return client.ask("textDocument/semanticTokens/full/delta", {**document, "previousResultId": previous})

        same = delta(full["resultId"])
        assert same["edits"] == []
        place = {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 6}}
        client.edit(uri, 2, {"range": place, "text": "%long"})
        changed = delta(same["resultId"])
        [edit] = changed["edits"]
        assert (edit["start"], edit["deleteCount"]) == (15, 10)  # the name, and the distance to the next word
        data = full["data"].copy()
        data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
        now = TEXT.replace("%f", "%long")
        assert told(data, now) == told(client.ask("textDocument/semanticTokens/full", document)["data"], now)
        assert "data" in delta("a state that nobody knows")

        assert client.quit()[0] == 0


def test_a_document_of_too_many_lines_is_told_by_range_only():
    with RawClient(capabilities=DELTAS) as client:
        uri = client.open(TEXT + "\n" * 300_000)
        document = {"textDocument": {"uri": uri}}
        assert client.ask("textDocument/semanticTokens/full", document) is None
        line = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 99}}
        some = client.ask("textDocument/semanticTokens/range", {**document, "range": line})
        assert told(some["data"], TEXT) == [(3, "return", "keyword"), (3, "f", "variable")]


def check_difference(old: list[int], new: list[int], expected: tuple[int, int, int] | None = None) -> None:
    """What the edit says makes the new list of the old one; it takes away and brings as many numbers as expected."""
    start, removed, inserted = difference(numbers_as_text(old), numbers_as_text(new))
    some = [int(number) for number in inserted.split(",")] if inserted else []
    assert old[:start] + some + old[start + removed :] == new
    assert start % 5 == removed % 5 == len(some) % 5 == 0
    assert expected is None or (start, removed, len(some)) == expected


def numbers_as_text(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], [], (0, 0, 0)),
        ([1] * 10, [1] * 10, (10, 0, 0)),
        ([1] * 10, [1] * 15, (10, 0, 5)),
        ([], [1] * 5, (0, 0, 5)),
        ([1] * 5, [], (0, 5, 0)),
        ([1] * 5 + [2] * 5 + [3] * 5, [1] * 5 + [3] * 5, (5, 5, 0)),
        ([1, 1, 1, 1, 1, 2, 2, 2, 2, 2], [1, 1, 1, 1, 9, 2, 2, 2, 2, 2], (0, 5, 5)),
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 11], (0, 5, 5)),
        ([1, 1, 1, 1, 1], [21, 1, 1, 1, 1], (0, 5, 5)),
        ([12, 1, 1, 1, 1], [2, 1, 1, 1, 1, 12, 1, 1, 1, 1], (0, 0, 5)),
    ],
)
def test_the_difference_of_two_lists(old, new, expected):
    check_difference(old, new, expected)
    check_difference(new, old, (expected[0], expected[2], expected[1]))


def test_the_difference_of_long_lists():
    old = list(range(100_000))
    for at in (0, 5, 49_995, 50_000, 99_995):
        new = [*old[:at], 7, 7, 7, 7, 7, *old[at:]]
        check_difference(old, new, (at, 0, 5))
        check_difference(new, old, (at, 5, 0))


TOKENS = st.lists(st.lists(st.sampled_from([0, 1, 11, 21, 12]), min_size=5, max_size=5), max_size=4)


@given(TOKENS, TOKENS, TOKENS, TOKENS)
def test_the_difference_of_lists_that_look_alike(front, old, new, back):
    check_difference(*([one for token in front + middle + back for one in token] for middle in (old, new)))


def test_lines_that_hold_several_runs():
    index = LineIndex("aé bb\n\ncc é dd\n")
    found = [(0, 0, 2, "2,4,0"), (3, 3, 5, "2,4,0"), (7, 12, 14, "2,4,0,0,5,2,4,0")]
    assert encode(iter(found), Wire(index, "utf-8")) == "0,0,3,4,0,0,4,2,4,0,2,0,2,4,0,0,6,2,4,0"
