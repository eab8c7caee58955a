"""Ten times the text takes ten times as long, where features look at records one by one."""

import re
import time

import pytest

from fxgraph.features import token_lines
from fxgraph.features.hierarchy import operands, users
from fxgraph.features.hints import ARGUMENT_NAMES, INPUTS, LAST_USES, hints
from fxgraph.features.lens import lenses
from fxgraph.features.selection import selections
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.tokens import runs
from reading.test_linear_time import check_ten_times

pytestmark = pytest.mark.alone
NAME = re.compile(r"\b[A-Za-z_]\w*")


def seconds(text: str) -> float:
    snapshot = Snapshot(text)
    for facts in snapshot.facts:
        _ = facts.links, facts.dead
    # what was learnt from the same text before would make a small one, which it holds whole, look too quick
    for known in (token_lines._PRINTED, token_lines._GENERATED):
        known.__init__()
    name = NAME.search(text, len(text) // 2)  # places of one kind in texts of all sizes
    places = (name.start() if name else len(text) // 2, len(text) - 1)
    begin = time.process_time()
    list(runs(snapshot))
    hints(snapshot, [INPUTS, LAST_USES, ARGUMENT_NAMES])
    lenses(snapshot)
    for offset in places:
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
