"""The session's torch without a server: what it keeps of versions, and what it stops."""

import gc
import threading
import weakref

import pytest

from fxgraph.features.hints import TYPES, hints
from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.live import LiveTorch, Setup
from torchhost.test_client import answering

TEXT = """\
# fxgraph: inputs=x:f32[2,3]
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
"""
ANSWER = """
    nodes = [[0, 1, {"type": "f32[2, 3]"}]]
    if r["ask"] == "propagate":
        say(id=r["id"], part={"nodes": nodes, "done": 1})
        answer = {"nodes": nodes, "device": "cpu", "equal_symbols": False}
    else:
        answer = {"name": r["name"], "higher_order": False, "overloads": []}
    say(id=r["id"], answer=answer)
"""


@pytest.fixture
def live(tmp_path):
    """Torch by a script; `.told` is set when it has told something."""
    told = threading.Event()
    live = LiveTorch(lambda uri, snapshot: told.set(), lambda title, stop: None)
    live.told_something = told
    live.use(Setup(True, named=answering(tmp_path, ANSWER)))
    yield live
    live.close()


def test_a_version_that_was_replaced_goes_without_the_collector(live):
    def use() -> weakref.ref[Snapshot]:
        snapshot = Snapshot(TEXT)
        graph = snapshot.dump.graphs[0]
        live.told("file:///net", snapshot, graph, wanted=True)
        assert live.told_something.wait(60)
        assert snapshot.known_types is not None
        assert snapshot.known_types(graph) == ({1: "f32[2, 3]"}, "propagated by torch 9.9")
        return weakref.ref(snapshot)

    gc.disable()
    try:
        snapshot = use()
        live.close()  # the thread may be asking for operators yet, of the same version
        assert snapshot() is None
    finally:
        gc.enable()


def test_what_an_edit_made_useless_is_not_asked(live):
    old, new = Snapshot(TEXT), Snapshot(TEXT.replace("2,3", "2,4"))
    live.edited("file:///net")  # what follows waits for a pause of the editor
    live.told("file:///net", old, old.dump.graphs[0], wanted=True)
    live.edited("file:///net")
    live.told("file:///net", new, new.dump.graphs[0], wanted=True)
    assert live.told_something.wait(60)
    assert old.known_types is None
    assert new.known_types is not None


SLOW = """
    if r["ask"] == "propagate" and "[2, 3]" in line:
        while True:
            say(id=r["id"], part={"nodes": [], "done": 1})
            time.sleep(0.05)
"""


def test_a_long_work_that_an_edit_made_useless_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("fxgraph.lsp.live._STALE_AT_LEAST", 0)
    told, began = [], threading.Event()
    done = threading.Event()

    def changed(uri: str, snapshot: Snapshot) -> None:
        told.append(snapshot)
        done.set()

    live = LiveTorch(changed, lambda title, stop: began.set())
    live.use(Setup(True, named=answering(tmp_path, SLOW + ANSWER)))
    old, new = Snapshot(TEXT), Snapshot(TEXT.replace("2,3", "2,4"))
    try:
        live.told("file:///net", old, old.dump.graphs[0], wanted=True)
        assert began.wait(60)
        live.edited("file:///net")
        live.told("file:///net", new, new.dump.graphs[0], wanted=True)
        assert done.wait(60)
        assert told == [new]
    finally:
        live.close()


PARTS = """
    if r["ask"] == "propagate":
        say(id=r["id"], part={"nodes": [[0, 1, {"type": "f32[2, 3]"}]], "done": 1})
        time.sleep(600)
"""


def test_what_is_computed_so_far_is_shown_while_torch_computes(tmp_path, monkeypatch):
    monkeypatch.setattr("fxgraph.lsp.live.SHOWN_EVERY", 0)
    told = threading.Event()
    live = LiveTorch(lambda uri, snapshot: told.set(), lambda title, stop: None)
    live.use(Setup(True, named=answering(tmp_path, PARTS)))
    snapshot = Snapshot(TEXT)
    (graph,) = snapshot.dump.graphs
    try:
        live.told("file:///net", snapshot, graph, wanted=True)
        assert told.wait(60)
        assert [(hint.text, hint.ground) for hint in hints(snapshot, {TYPES})] == [
            (": f32[2, 3]", "propagated by torch 9.9")
        ]
        assert live.told("file:///net", snapshot, graph, wanted=True).line == (
            "torch is computing (1 of 3 nodes): its type comes later."
        )
    finally:
        live.close()
