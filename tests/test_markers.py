from fxgraph.graph import Span
from markers import marked


def test_cursor_and_marks_are_taken_out():
    text = marked("""
        ab c|d efgh ij
        ^^ first    ^^ second
           ^
        gh
    """)
    assert text.text == "ab cd efgh ij\ngh\n"
    assert text.cursor == 4
    assert text.show(text.spans("first")) == [(1, "ab")]
    assert text.show(text.spans("second")) == [(1, "ij")]
    assert text.spans("") == [Span(3, 4)]
