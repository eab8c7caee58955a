import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.token_legend import LAST_USE, MODIFIERS, TYPES
from fxgraph.features.token_lines import Liner, Run
from fxgraph.features.token_records import Painter
from fxgraph.features.tokens import Token, tokens
from large import FORMS
from markers import Marked, marked
from reading.mutations import fixture_texts, mutate

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMPS = sorted(path for path in FIXTURES.glob("*/*") if path.suffix in (".fxgraph", ".log", ".py", ".txt"))


def check_tokens(source: str) -> None:
    """In the lines that have marks, the words are those marked: with their type, then their modifiers."""
    text = marked(source)
    line = text.snapshot.lines.line_of
    lines = {line(span.start) for span in text.spans()}
    found = [(token.span, words(token)) for token in tokens(text.snapshot) if line(token.span.start) in lines]
    assert shown(text, found) == shown(text, [(span, frozenset(label.split())) for span, label in text.marks])


def words(token: Token) -> frozenset[str]:
    return frozenset({token.type}) | token.modifiers


def shown(text: Marked, found: list) -> list[tuple[str, list[str]]]:
    return [(text.text[span.start : span.end], sorted(label)) for span, label in sorted(found)]


def test_a_record_of_print_graph():
    check_tokens("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
             ^ parameter definition
                                 ^^^^^^^^^^^ keyword input
                                                    ^ parameter
            %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%x, [-1], True), kwargs = {dtype: torch.float32})
             ^^^^^ variable definition
                                     ^^^^^^^^^^^^^ keyword callFunction
                                                          ^^^^^^^^^^^^^^ namespace
                                                                         ^^^ function
                                                                             ^^^^^^^^^^^ property overload
                                                                                                   ^ parameter lastUse
                                                                                                       ^^ number
                                                                                                            ^^^^ enumMember
                                                                                                                             ^^^^^ parameter
                                                                                                                                    ^^^^^^^^^^^^^ enumMember
            return sum_1
            ^^^^^^ keyword
                   ^^^^^ variable
    """)


def test_statements_of_generated_code():
    check_tokens("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                              ^ parameter definition
                                  ^^^^^^ type
                # File: model.py:3 in forward, code: y = self.fc(x)
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ comment
                w: "f32[2]" = self.w
                ^ property definition
                    ^^^^^^ type
                              ^^^^^^ property
                fc: "f32[2]" = self.fc(x)
                ^^ variable definition
                     ^^^^^^ type
                               ^^^^^^^ class
                                       ^ parameter
                y: "f32[2]" = torch.ops.aten.add.Tensor(fc, x, alpha = 2e-1);  x = None
                ^ variable definition
                    ^^^^^^ type
                              ^^^^^^^^^^^^^^ namespace
                                             ^^^ function
                                                 ^^^^^^ property overload
                                                        ^^ variable
                                                            ^ parameter lastUse
                                                               ^^^^^ parameter
                                                                       ^^^^ number
                                                                               ^ parameter freed
                z = y.view('a', size);  y = None
                ^ variable definition
                    ^ variable lastUse
                      ^^^^ method
                           ^^^ string
                                ^^^^ variable
                                        ^ variable freed
                s = z * 2
                ^ variable definition dead
                    ^ variable
                      ^ operator
                        ^ number
                return (fc, z, w)
    """)


def test_a_table():
    check_tokens("""
        opcode         name    target                   args       kwargs
        -------------  ------  -----------------------  ---------  --------
        placeholder    x       x                        ()         {}
        ^^^^^^^^^^^ keyword input
                       ^ parameter definition
                               ^ parameter
        call_function  neg     aten.neg.default         (x,)       {}
        ^^^^^^^^^^^^^ keyword callFunction
                       ^^^ variable definition
                               ^^^^ namespace
                                    ^^^ function
                                        ^^^^^^^ property overload
                                                         ^ parameter lastUse
        call_method    to      to                       (neg, 2)   {'copy': True}
        ^^^^^^^^^^^ keyword callMethod
                       ^^ variable definition
                               ^^ method
                                                         ^^^ variable lastUse
                                                              ^ number
                                                                    ^^^^^^ parameter
                                                                            ^^^^ enumMember
        output         output  output                   ((to,),)   {}
    """)


def test_names_in_strings_and_fragments_without_an_end():
    check_tokens("""
        %a : [num_users=1] = call_function[target=my.op](args = (%x, say %x to it), kwargs = {})
         ^ variable definition
                             ^^^^^^^^^^^^^ keyword callFunction
                                                  ^^ namespace
                                                     ^^ function
                                                                  ^ variable
    """)


@pytest.mark.parametrize("path", DUMPS[::5], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_last_uses_are_where_torch_frees(path):
    snapshot = Snapshot(path.read_bytes().decode(), str(path))
    for facts in snapshot.facts:
        graph = facts.graph
        if graph.form not in ("code", "readable") or not graph.is_whole or not any(node.frees for node in graph.nodes):
            continue
        painter = Painter(facts)
        for node in graph.nodes:
            pieces = painter.pieces(node)
            last = {graph.page.text[at : at + length] for at, length, _, modifiers in pieces if modifiers & LAST_USE}
            assert last == set(node.frees) - {node.name}, graph.page.text[node.begin : node.end]


def test_records_put_together_from_known_stretches_are_told_as_all_others():
    """Each record from what the records of all other files taught, and then from its own words."""
    known = 0
    for path in DUMPS[::3]:
        for facts in Snapshot(path.read_bytes().decode(), str(path)).facts:
            run, painter = Liner(facts).run, Painter(facts)
            for node in facts.graph.nodes:
                told = sorted(painter.pieces(node))
                for found in (run(node), run(node, told), run(node)):
                    if found is not None:
                        known += 1
                        assert expanded(found) == told, (path.name, node)
    assert known > 3_000


@pytest.mark.parametrize("form", FORMS)
def test_big_graphs_are_told_as_record_by_record(form):
    told = known = 0
    for facts in Snapshot(FORMS[form](2_000)).facts:
        pieces, run = Painter(facts).pieces, Liner(facts).run
        for node in facts.graph.nodes:
            words = sorted(pieces(node))
            found = run(node) or run(node, words)
            assert found is None or expanded(found) == words
            told += 1
            known += found is not None
    assert form == "tabular" or known > 0.9 * told


def test_a_name_inside_of_another_word_is_no_read():
    """The words of `f(a, ` are known from the line above: behind it `a` would be found in `alpha`."""
    check_tokens("""
        def forward(self, a, b):
            c = torch.add(b, a);  b = None
            ^ variable definition
                ^^^^^ namespace
                      ^^^ function
                          ^ parameter lastUse
                             ^ parameter
                                  ^ parameter freed
            d = torch.add(c, alpha = a);  c = a = None
            ^ variable definition
                ^^^^^ namespace
                      ^^^ function
                          ^ variable lastUse
                             ^^^^^ parameter
                                     ^ parameter lastUse
                                          ^ variable freed
                                              ^ parameter freed
            e = torch.add(d, 'd');  d = None
            ^ variable definition
                ^^^^^ namespace
                      ^^^ function
                          ^ variable lastUse
                             ^^^ string
                                    ^ variable freed
            return e
    """)


def test_numbers_as_python_prints_them():
    check_tokens("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                y: "f32[2]" = torch.clamp(x, -1.5e-05, max = 1e+30);  x = None
                ^ variable definition
                    ^^^^^^ type
                              ^^^^^ namespace
                                    ^^^^^ function
                                          ^ parameter lastUse
                                             ^^^^^^^^ number
                                                       ^^^ parameter
                                                             ^^^^^ number
                                                                      ^ parameter freed
                return (y,)
    """)


def test_a_device():
    check_tokens("""
        graph():
            %full : [num_users=1] = call_function[target=torch.full](args = ([2], -inf), kwargs = {device: cuda:0})
             ^^^^ variable definition
                                    ^^^^^^^^^^^^^ keyword callFunction
                                                         ^^^^^ namespace
                                                               ^^^^ function
                                                                              ^ number
                                                                                  ^^^^ enumMember
                                                                                                   ^^^^^^ parameter
                                                                                                           ^^^^^^ enumMember
            return (full,)
    """)


def expanded(run: Run) -> list[tuple[int, ...]]:
    at, last, end, words = run
    numbers = list(map(int, words.split(",")))
    found = []
    for place in range(0, len(numbers), 5):
        found.append((at, *numbers[place : place + 3]))
        at += numbers[place + 4] if place + 4 < len(numbers) else 0
    assert (found[-1][0], found[-1][0] + found[-1][1]) == (last, end)
    return found


def check_order(snapshot: Snapshot, found: list[Token]) -> None:
    """Ascending, never overlapping, none empty, each inside its line."""
    behind = 0
    for token in found:
        assert behind <= token.span.start < token.span.end
        behind = token.span.end
        line = snapshot.lines.line_of(token.span.start)
        assert token.span.end <= snapshot.lines.line_end(line)
        assert token.type in TYPES
        assert token.modifiers <= set(MODIFIERS)


@pytest.mark.parametrize("path", DUMPS[::9], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_words_are_in_order_and_a_range_has_those_of_its_lines(path):
    snapshot = Snapshot(path.read_bytes().decode(), str(path))
    found = tokens(snapshot)
    check_order(snapshot, found)
    lines = snapshot.lines
    for first in range(0, len(lines), max(len(lines) // 7, 1)):
        start, end = lines.starts[first], lines.line_end(min(first + 5, len(lines) - 1))
        inside = [token for token in found if start <= token.span.start and token.span.end <= end]
        some = tokens(snapshot, start, end)
        check_order(snapshot, some)
        assert set(inside) <= set(some) <= set(found)


TEXTS = fixture_texts(8_000)


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
@example(random.Random(628))  # stray braces
@example(random.Random(1435))
def test_words_of_damaged_dumps_are_in_order(chance):
    text = mutate(chance, chance.choice(TEXTS), chance.choice(TEXTS))
    snapshot = Snapshot(text)
    found = tokens(snapshot)
    check_order(snapshot, found)
    for facts in snapshot.facts:
        run, painter = Liner(facts).run, Painter(facts)
        for known, told in ((run(node), sorted(painter.pieces(node))) for node in facts.graph.nodes):
            assert known is None or expanded(known) == told
    start = chance.randint(0, len(text))
    some = tokens(snapshot, start, chance.randint(start, len(text)))
    check_order(snapshot, some)
