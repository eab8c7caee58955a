import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxgraph.features.markdown import bullets, capped, code, plain, prose


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("relu", "`relu`"),
        ("a`b", "``a`b``"),
        ("`b`", "`` `b` ``"),
        ("a``b", "```a``b```"),
        ("", "` `"),
        ("a\nb\r\n\tc", "`a b c`"),
        ("[x](command:evil)", "`[x](command:evil)`"),
        ("<img src=x>", "`<img src=x>`"),
        ("\x1b[31mred", "`[31mred`"),
        ("x\u202ey", "`x y`"),
    ],
)
def test_text_of_a_dump_cannot_leave_its_code_span(text, span):
    assert code(text) == span


def test_long_text_is_cut():
    assert code("x" * 500, 20) == "`" + "x" * 17 + "...`"


@given(st.text(st.sampled_from("a` \n*[]()<>"), max_size=30))
def test_a_code_span_ends_only_at_its_own_fence(text):
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    inside = span[len(fence) : -len(fence)]
    assert span.endswith(fence)
    assert "\n" not in span
    assert all(len(run) != len(fence) for run in _runs(inside))


def _runs(text):
    run = ""
    for sign in text + " ":
        if sign == "`":
            run += sign
        elif run:
            yield run
            run = ""


def test_sentences_that_quote_a_dump():
    assert prose("5 aten operators and 2 prims") == "5 aten operators and 2 prims"
    assert prose("the input `l_x_`, and more") == "the input `l_x_`, and more"
    assert prose("the input l_x_, and") == "the input `l_x_`, and"
    assert prose("see [this](http://x) now") == "see `[this](http://x`) now"
    assert prose("an open ` tick") == "an open  tick"


def test_lists_are_capped():
    assert capped(["a", "b", "c"], 2) == ["a", "b", "c"]
    assert capped(["a", "b", "c", "d"], 2) == ["a", "b", "and 2 more"]
    assert bullets(["a", "b"]) == "- a\n- b"


def test_plain_text_has_no_marks():
    assert plain("**`**rest`**") == "**rest"
    assert plain("**`relu`** is `` `x` ``, ``a`b``") == "relu is `x`, a`b"
