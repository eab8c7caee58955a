"""All that is known of one graph, each fact worked out when first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from fxgraph.analysis import liveness
from fxgraph.analysis.gaps import has_gap
from fxgraph.analysis.level import Level, level_of
from fxgraph.analysis.names import Definitions, Links, definitions_of, link
from fxgraph.analysis.purity import effect_of
from fxgraph.analysis.signs import sign_of_dynamo
from fxgraph.analysis.stage import Stage, stage_of
from fxgraph.graph import Dump, Graph, Node


class Build(NamedTuple):
    """What an installed torch has.

    torch      its version
    overloads  by packet, `aten.sum`: the schemas of its overloads by name, none where it has no such packet. Packets
               that are not here were not asked for
    """

    torch: str
    overloads: Mapping[str, Mapping[str, str]]


class Facts:
    """What is known of a graph.

    graph   the graph
    path    the file's name where known: evidence for level and stage
    parent  the facts of the graph that holds this one, or None

    `computed` has, by index of the node, the types that torch computed and that differ from the printed ones: empty
    until somebody who asked torch fills it. `build` is the torch that was asked, or None.
    """

    def __init__(self, graph: Graph, path: str | None = None, parent: Facts | None = None) -> None:
        self.graph = graph
        self.path = path
        self.parent = parent
        self.computed: dict[int, str] = {}
        self.build: Build | None = None

    @cached_property
    def definitions(self) -> Definitions:
        """The node that a name means, as in `links`, for a tenth of its cost."""
        links: Links | None = self.__dict__.get("links")
        return definitions_of(self.graph) if links is None else links.definitions

    @cached_property
    def links(self) -> Links:
        """Definitions and users."""
        return link(self.graph)

    def take_names(self, older: Facts) -> None:
        """Take over what is known of names from an older version of the graph with the same names and reads."""
        links: Links | None = older.__dict__.get("links")
        definitions: Definitions | None = older.__dict__.get("definitions")
        if links is not None:
            self.__dict__["links"] = links.of(self.graph)
        elif definitions is not None:
            self.__dict__["definitions"] = Definitions(self.graph.nodes, definitions.places)

    @cached_property
    def level(self) -> Level:
        """The level of the stack, with the nodes that tell."""
        return level_of(self.graph, self.path, dynamo=self.parent is not None and self.parent.is_of_dynamo)

    @cached_property
    def stage(self) -> Stage | None:
        """Which step of the stack made it, or None where nothing proves one."""
        return stage_of(self.graph, self.level, self.path)

    @cached_property
    def is_of_dynamo(self) -> bool:
        """Whether this graph, or one that holds it, shows that dynamo made it."""
        inherited = self.parent is not None and self.parent.is_of_dynamo
        return inherited or sign_of_dynamo(self.graph, self.path) is not None

    @cached_property
    def unused(self) -> frozenset[int]:
        """Indices of the nodes without a reader in this text; inputs count, the output node does not."""
        return liveness.unused(self.graph, self.links)

    @cached_property
    def dead(self) -> frozenset[int]:
        """Indices of the nodes that can be left out: known to be pure, and no node that is not dead reads them."""
        graph = self.graph
        found = liveness.dead(graph, self.links, self.unused, lambda node: effect_of(graph, node) is None)
        return frozenset() if found and self.has_gap else found

    @cached_property
    def has_gap(self) -> bool:
        """Whether a line inside the graph says that others were left out."""
        return has_gap(self.graph)

    @cached_property
    def effects(self) -> dict[int, str]:
        """By index: what protects a node from being dead, as words behind "it". Nodes known to be pure have none."""
        found = ((node.index, effect_of(self.graph, node)) for node in self.graph.nodes)
        return {index: effect for index, effect in found if effect is not None}

    def effect(self, node: Node) -> str | None:
        """The words of `effects` for one node."""
        return effect_of(self.graph, node)


def facts_of(dump: Dump) -> list[Facts]:
    """The facts of every graph of a dump, by `Graph.index`; a nested graph's facts know those of its parent."""
    found: list[Facts] = []
    for graph in dump.graphs:
        parent = found[graph.parent] if graph.parent is not None and graph.parent < len(found) else None
        found.append(Facts(graph, dump.path, parent))
    return found
