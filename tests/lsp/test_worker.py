import gc
import logging
import threading

from fxgraph.lsp.worker import Worker

SECRET = "%words_of_a_dump"


def test_jobs_run_in_order_and_those_that_can_wait_run_last():
    worker, order, gate, done = Worker("test"), [], threading.Event(), threading.Event()
    worker.soon(gate.wait)
    worker.later("findings", 0, lambda: (order.append("findings"), done.set()))
    worker.soon(lambda: order.append("first"))
    worker.soon(lambda: order.append("second"))
    gate.set()
    assert done.wait(10)
    assert order == ["first", "second", "findings"]
    worker.stop(10)


def test_a_later_job_replaces_one_under_the_same_key():
    worker, order, gate, done = Worker("test"), [], threading.Event(), threading.Event()
    worker.soon(gate.wait)
    worker.later("a", 0, lambda: order.append("old"))
    worker.later("b", 0, lambda: order.append("dropped"))
    worker.later("a", 0, lambda: (order.append("new"), done.set()))
    worker.drop("b")
    gate.set()
    assert done.wait(10)
    assert order == ["new"]
    worker.stop(10)


def test_a_job_that_fails_is_logged_and_the_next_one_runs(caplog):
    worker, done = Worker("test"), threading.Event()

    def fail():
        raise ValueError(SECRET)

    with caplog.at_level(logging.ERROR, "fxgraph"):
        worker.soon(fail)
        worker.soon(done.set)
        assert done.wait(10)
    assert "work in the background failed: ValueError" in caplog.text
    assert SECRET not in caplog.text
    worker.stop(10)


def test_a_stopped_worker_begins_nothing():
    worker, gate, ran = Worker("test"), threading.Event(), []
    worker.soon(gate.wait)
    worker.soon(lambda: ran.append(1))
    worker.stop(0)
    gate.set()
    worker.stop(10)
    assert ran == []


def test_the_collector_rests_while_any_worker_works():
    first, second = Worker("first"), Worker("second")
    gates = [threading.Event(), threading.Event()]
    seen = []
    done = [threading.Event(), threading.Event()]
    for worker, gate, end in zip((first, second), gates, done, strict=True):
        worker.soon(lambda gate=gate, end=end: (gate.wait(), seen.append(gc.isenabled()), end.set()))
    for gate, worker, end in zip(gates, (first, second), done, strict=True):
        gate.set()
        assert end.wait(10)
        worker.stop(10)
    assert seen == [False, False]
    assert gc.isenabled()
