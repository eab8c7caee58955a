"""Prints the sample dump of the walkthrough and of the README's pictures: a small transformer, exported by torch 2.13.

    python vscode-extension/samples/make.py > vscode-extension/samples/transformer.fxgraph

Two passes as people write them have been over its graph, and both have forgotten something: one puts its own GELU in
place of some ATen ones and leaves calls of torch behind (a graph of mixed levels), one puts `view` in place of a
`reshape` and leaves the old node (a dead node). Paths of this machine are replaced; nothing else is edited.
"""

import re
import sysconfig

import torch
from torch import Tensor, nn
from torch.nn import functional

HOME = "/home/user/proj"


class Layer(nn.Module):
    """Attention and an MLP, each with its norm and its residual."""

    def __init__(self, width: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (self.split(part) for part in self.qkv(self.norm_1(x)).chunk(3, dim=-1))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(x.shape))
        return x + self.down(functional.gelu(self.up(self.norm_2(x))))

    def split(self, part: Tensor) -> Tensor:
        return part.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class Transformer(nn.Module):
    """Embedding, layers, and a head that gives a number for each word."""

    def __init__(self, layers: int = 6, width: int = 64, words: int = 1000) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def put(graph: torch.fx.Graph, old: torch.fx.Node, function: object, arguments: tuple) -> None:
    """A call that takes the place of a node; the node stays."""
    with graph.inserting_after(old):
        new = graph.call_function(function, arguments)
    new.meta = dict(old.meta)
    old.replace_all_uses_with(new)


def main() -> None:
    torch.manual_seed(0)
    program = torch.export.export(Transformer().eval(), (torch.zeros(2, 16, dtype=torch.long),))
    graph = program.graph_module.graph
    gelus = graph.find_nodes(op="call_function", target=torch.ops.aten.gelu.default)
    put(graph, gelus[0], functional.gelu, gelus[0].args)
    graph.erase_node(gelus[0])
    reshape = graph.find_nodes(op="call_function", target=torch.ops.aten.reshape.default)[0]
    put(graph, reshape, torch.ops.aten.view.default, reshape.args)
    program.graph_module.recompile()
    text = str(program).replace(sysconfig.get_path("purelib"), f"{HOME}/.venv/lib/python3.11/site-packages")
    text = re.sub(r"# File: \S*/make\.py:", f"# File: {HOME}/transformer.py:", text)
    print(text.rstrip())


main()
