"""Reading never fails, and what it says fits the text: real dumps spoiled in every way.

`make test` tries the same few thousand texts each time. `make fuzz` tries new ones for FXGRAPH_FUZZ_SECONDS and prints
the seed of one that fails; `FXGRAPH_FUZZ_SEED=<seed>` tries it alone.
"""

from __future__ import annotations

import os
import random
import time

from reading.invariants import check_read
from reading.mutations import fixture_texts, mutate

CASES = 4000
SECONDS = float(os.environ.get("FXGRAPH_FUZZ_SECONDS", "0"))
SEED = os.environ.get("FXGRAPH_FUZZ_SEED")


def test_fixtures_as_they_are():
    for text in fixture_texts():
        check_read(text)


def test_mutated_fixtures():
    texts = fixture_texts()
    if SEED is not None:
        check_mutated(int(SEED), texts)
    elif SECONDS:
        first, tried, begin = random.SystemRandom().randrange(10**9), 0, time.monotonic()
        while time.monotonic() - begin < SECONDS:
            check_mutated(first + tried, texts)
            tried += 1
        print(f"{tried} texts")
    else:
        for seed in range(CASES):
            check_mutated(seed, texts)


def check_mutated(seed: int, texts: list[str]) -> None:
    chance = random.Random(seed)
    text = mutate(chance, chance.choice(texts), chance.choice(texts))
    try:
        check_read(text)
    except Exception as error:
        raise AssertionError(f"FXGRAPH_FUZZ_SEED={seed}: {text[:2000]!r}") from error
