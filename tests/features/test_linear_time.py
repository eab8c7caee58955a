"""Ten times the text takes ten times as long, where features look at records one by one."""

import time

import pytest

from fxgraph.features.hierarchy import operands, users
from fxgraph.features.hints import ARGUMENT_NAMES, INPUTS, LAST_USES, hints
from fxgraph.features.lens import lenses
from fxgraph.features.selection import selections
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.tokens import runs
from reading.test_linear_time import check_ten_times

pytestmark = pytest.mark.alone


def seconds(text: str) -> float:
    snapshot = Snapshot(text)
    for facts in snapshot.facts:
        _ = facts.links, facts.dead
    begin = time.process_time()
    list(runs(snapshot))
    hints(snapshot, [INPUTS, LAST_USES, ARGUMENT_NAMES])
    lenses(snapshot)
    for offset in (len(text) // 2, len(text) - 1):
        selections(snapshot, offset)
        operands(snapshot, offset)
        users(snapshot, offset)
    return time.process_time() - begin


@pytest.mark.parametrize(
    "name",
    [
        "slices",
        "objects",
        "other numbers between all operands",
        "return names",
        "joined parameters",
        "cells",
        "records with strings",
        "statements with strings",
        "logged graphs",
        "graphs",
    ],
)
def test_ten_times_the_text(name: str):
    check_ten_times(name, seconds)
