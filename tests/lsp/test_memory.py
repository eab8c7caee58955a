import gc
import weakref

from fxgraph.features.hover import hover
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.symbols import symbols
from fxgraph.graph import Node
from fxgraph.lsp.documents import Change, Documents

TEXT = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    %lost : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    return relu
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        # File: net.py:3 in forward, code: return x.relu()
        relu: "f32[2]" = x.relu();  x = None
        return (relu,)
"""


def nodes_alive() -> int:
    return sum(type(thing) is Node for thing in gc.get_objects())


def test_a_version_that_was_replaced_goes_without_the_collector():
    def use(snapshot: Snapshot) -> weakref.ref[Snapshot]:
        assert len(snapshot.dump.graphs) == 2
        assert snapshot.findings()
        assert symbols(snapshot)
        for offset in range(len(TEXT)):
            hover(snapshot, offset)
        return weakref.ref(snapshot)

    gc.freeze()  # what other tests have left
    documents = Documents()
    document = documents.open("file:///w/net.fxgraph", TEXT, 1)
    gc.disable()
    try:
        before = use(document.current.snapshot)
        assert nodes_alive() >= 7
        documents.change(document.uri, [Change("y", (0, 0), (0, 0))], 2, "utf-16")
        assert before() is None
        now = document.current.snapshot.dump  # its reading may look at the older dump, and lets it go
        assert nodes_alive() == sum(len(graph.nodes) for graph in now.graphs)
    finally:
        gc.enable()
        gc.unfreeze()
