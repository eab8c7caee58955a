"""One line on standard error that tells how far something is, where somebody watches."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fxgraph.cli.terminal import one_line

#: Seconds between two looks.
_EVERY = 0.5


@contextmanager
def progress_line(words: Callable[[], str]) -> Iterator[None]:
    """Show what `words` says as long as the block lasts: at most twice a second, and only where it has changed."""
    if not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_show, args=(words, ended), name="fxgraph progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _show(words: Callable[[], str], ended: threading.Event) -> None:
    shown = ""
    while not ended.wait(_EVERY):
        text = one_line(words())
        if text != shown:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            shown = text
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
