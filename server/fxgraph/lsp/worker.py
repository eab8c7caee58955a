"""Threads for what takes longer than a keystroke: reading a text, judging it, long answers.

The thread that reads the protocol stays free meanwhile: it takes edits, cancels, and answers what is known already.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from fxgraph.lsp.logs import log_exception

log = logging.getLogger(__name__)

Job = Callable[[], None]


_at_work = 0
_at_work_lock = threading.Lock()


@contextmanager
def without_collector() -> Iterator[None]:
    """No garbage collection inside, and none ever of what was made inside.

    The collector walks over every object of a graph again and again while they are made, which costs more than making
    them. What a document consists of holds no cycles (a test sees to it) and goes with its last reference.
    """
    global _at_work
    with _at_work_lock:
        _at_work += 1
        if _at_work == 1:
            gc.collect()  # little to look at: all that came before is frozen, too
            gc.disable()
    try:
        yield
    finally:
        with _at_work_lock:
            _at_work -= 1
            if _at_work == 0:
                gc.freeze()
                gc.enable()


class Worker:
    """One thread that runs jobs in order; jobs that can wait run when no other is left and their time has come.

    `makes_much` is for jobs that make many objects; not for those that mostly wait.
    """

    def __init__(self, name: str, *, makes_much: bool = True) -> None:
        self._around: Callable[[], AbstractContextManager[None]] = without_collector if makes_much else nullcontext
        self._changed = threading.Condition()
        self._soon: deque[Job] = deque()
        self._later: dict[Hashable, tuple[float, Job]] = {}
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def soon(self, job: Job) -> None:
        """Run a job behind those already given."""
        with self._changed:
            self._soon.append(job)
            self._changed.notify()

    def later(self, key: Hashable, delay: float, job: Job) -> None:
        """Run a job in `delay` seconds or when there is time; it replaces one under the same key that has not begun."""
        with self._changed:
            self._later[key] = (time.monotonic() + delay, job)
            self._changed.notify()

    def drop(self, key: Hashable) -> None:
        """Forget a job given to `later`, if it has not begun."""
        with self._changed:
            self._later.pop(key, None)

    def stop(self, timeout: float) -> bool:
        """Begin no further job, and wait this many seconds at most for the one that runs. Whether it has ended."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            with self._around():
                try:
                    job()
                except Exception as error:
                    log_exception(log, "work in the background failed", error)
            del job  # it holds a snapshot

    def _next(self) -> Job | None:
        with self._changed:
            while not self._stopped:
                if self._soon:
                    return self._soon.popleft()
                wait = None
                if self._later:
                    key, (due, _) = min(self._later.items(), key=lambda item: item[1][0])
                    wait = due - time.monotonic()
                    if wait <= 0:
                        return self._later.pop(key)[1]
                self._changed.wait(wait)
        return None
