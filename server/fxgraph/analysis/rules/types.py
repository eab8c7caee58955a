"""Rules about printed types, held against those that torch computed: asked only where somebody has asked torch."""

from __future__ import annotations

from collections.abc import Iterator

from fxgraph.analysis.facts import Facts
from fxgraph.analysis.finding import INFORMATION, Report, Rule
from fxgraph.analysis.rules.places import name_span, target_words


def shape_disagrees(facts: Facts) -> Iterator[Report]:
    """A printed type is not the one that torch computes from the operands.

    A line was changed by hand, or a pass changed a node and kept the type that its metadata held before. Only told
    where types were computed (`fxgraph inspect --shapes propagate`, or in an editor once it has asked your torch for a
    type), the dump's header names the very release of torch that computed them (`# fxgraph: torch=2.13.0`), types of
    inputs are printed beside them, both types are plain numbers, and nothing in the graph changes the shape of a
    tensor in place.

    ```text
    # fxgraph: torch=2.13.0
    class GraphModule(torch.nn.Module):
        def forward(self, x: "f32[2, 3]"):
            t: "f32[2, 3]" = torch.ops.aten.t.default(x);  x = None
            return (t,)
    ```
    """
    graph = facts.graph
    for index, computed in sorted(facts.computed.items()):
        node = graph.nodes[index]
        message = f"`{node.name}` is printed as `{node.type}`, but torch computes `{computed}` for {target_words(node)}"
        yield Report(name_span(graph, node), node.name, message)


RULES = (Rule("FX501", "shape-disagrees", INFORMATION, True, False, frozenset(), shape_disagrees),)
