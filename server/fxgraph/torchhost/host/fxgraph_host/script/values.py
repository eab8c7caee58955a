"""What is known of the values of a graph's nodes, as `fxgraph_host.tensors.describe` tells it."""

import sys


class _Symbols:
    """Symbols are called here as the script's own torch calls them."""

    def text(self, value):
        return str(value)


def known_types(graph):
    """Descriptions by name of the node, from `meta`; a node that has no value there is left out."""
    found = {}
    for node in graph.nodes:
        if node.op != "output":
            told = described(node.meta.get("val", node.meta.get("example_value")))
            if told:
                found[node.name] = told
    return found


def described(value):
    """The description of a value, empty where there is nothing to tell."""
    write = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # no files of this Python in the folder of fxgraph
    try:
        from fxgraph_host.tensors import describe
    finally:
        sys.dont_write_bytecode = write
    return describe(value, _Symbols())
