"""Work grows with the size of a dump and no faster; an answer about one place costs the same at any size.

Ratios of processor time, never seconds, and the best of five: other work on the machine makes the large dump's share
worse. Both sizes of one ratio are measured one right behind the other, for a machine's pace changes.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from functools import cache, partial

import pytest

from fxgraph.analysis import check, facts_of
from fxgraph.features.definition import definition
from fxgraph.features.folding import folds
from fxgraph.features.highlights import highlights
from fxgraph.features.hover import hover
from fxgraph.features.references import references
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.symbols import symbols
from fxgraph.features.tokens import tokens
from fxgraph.lsp.documents import Change, changed
from fxgraph.reading import read
from large import FORMS

pytestmark = pytest.mark.alone

SMALL, LARGE = 1_000, 10_000
ROUNDS = 5
LINEAR = 15  # at most so many times as much for ten times the size
FLAT = 2  # at most so many times as much where the size should not count
ASKED = 100

#: Makes a work for a size; what it does before it returns the work is not measured.
Prepare = Callable[[int], Callable[[], object]]

text_of = cache(lambda form, size: FORMS[form](size))


@cache
def snapshot_of(form: str, size: int) -> Snapshot:
    """A text that was read, linked and judged."""
    snapshot = Snapshot(text_of(form, size))
    assert all(facts.links for facts in snapshot.facts)
    assert snapshot.findings() is not None
    return snapshot


@pytest.fixture(scope="module", autouse=True)
def _let_go() -> Iterator[None]:
    yield
    snapshot_of.cache_clear()
    text_of.cache_clear()


@pytest.fixture(autouse=True)
def _collector_without_others() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def check_growth(limit: float, prepare: Prepare) -> None:
    """A work takes less than `limit` times as much processor time at the large size."""
    ratios: list[float] = []
    while len(ratios) < ROUNDS and not any(ratio < limit for ratio in ratios):
        small = min(seconds(prepare(SMALL)) for _ in range(3))
        ratios.append(seconds(prepare(LARGE)) / small)
    assert min(ratios) < limit, f"{[round(ratio, 1) for ratio in ratios]} times as much"


def seconds(work: Callable[[], object]) -> float:
    """Processor time."""
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def test_the_guard_sees_quadratic_work():
    with pytest.raises(AssertionError, match="times as much"):
        check_growth(LINEAR, lambda size: lambda: sum(range(size * size // 50)))


@pytest.mark.parametrize("form", FORMS)
def test_reading(form):
    check_growth(LINEAR, lambda size: partial(read, text_of(form, size)))


@pytest.mark.parametrize("form", ["print(graph)", "readable", "tabular", "many graphs", "one line"])
def test_links_and_findings(form):
    def prepare(size: int) -> Callable[[], object]:
        dump = snapshot_of(form, size).dump
        return lambda: check(dump, facts_of(dump))

    check_growth(LINEAR, prepare)


@pytest.mark.parametrize("form", ["print(graph)", "readable", "tabular", "many graphs"])
@pytest.mark.parametrize("whole", [symbols, folds, tokens], ids=["outline", "folding", "tokens"])
def test_questions_about_everything(form, whole):
    check_growth(LINEAR, lambda size: partial(whole, snapshot_of(form, size)))


def screen_tokens(snapshot: Snapshot, place: int) -> object:
    return tokens(snapshot, place, place + 2_000)


@pytest.mark.parametrize("form", ["print(graph)", "readable", "tabular", "log"])
@pytest.mark.parametrize("question", [definition, hover, references, highlights, screen_tokens])
def test_questions_about_a_place_do_not_grow(form, question):
    chosen = random.Random(1)

    def prepare(size: int) -> Callable[[], object]:
        snapshot = snapshot_of(form, size)
        low, high = len(snapshot.text) // 10, len(snapshot.text) * 9 // 10
        places = [chosen.randrange(low, high) for _ in range(ASKED)]
        question(snapshot, places[0])  # what is looked up once for the whole text
        return lambda: [question(snapshot, place) for place in places]

    check_growth(FLAT, prepare)


@pytest.mark.parametrize("form", ["print(graph)", "readable", "log"])
@pytest.mark.parametrize("count", [1, 50])
def test_edits_in_one_message(form, count):
    chosen = random.Random(1)

    def prepare(size: int) -> Callable[[], object]:
        snapshot = snapshot_of(form, size)
        lines = [chosen.randrange(10, len(snapshot.lines) - 10) for _ in range(count)]
        edits = [Change(" ", (line, 10**6), (line, 10**6)) for line in lines]
        return lambda: definition(changed(snapshot, edits, 2, "utf-16"), len(snapshot.text) // 2)

    check_growth(LINEAR, prepare)
