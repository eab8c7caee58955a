"""Trace a GPT of many layers and write its graphs: the joint graph in both forms, dynamo's as Python.

    python -m benchmarks.traced FOLDER [LAYERS]

300 layers give a joint graph of some 70,000 nodes, and a dynamo graph whose `def forward` is one line of some 290,000
characters. Takes minutes, once: see `inputs.py`.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

LAYERS = 300

JOINT_GRAPH = "joint.graph.fxgraph"
JOINT_READABLE = "joint.readable.py"
DYNAMO_READABLE = "dynamo.readable.py"
NAMES = (JOINT_GRAPH, JOINT_READABLE, DYNAMO_READABLE)


class Attention(nn.Module):
    """Attention with a causal mask, spelled out."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Mix a batch of sequences: (batch, length, width) in and out."""
        batch, length, width = x.shape
        q, k, v = self.qkv(x).split(width, dim=2)
        q, k, v = (z.view(batch, length, self.heads, -1).transpose(1, 2) for z in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(width // self.heads))
        mask = torch.tril(torch.ones(length, length, dtype=torch.bool, device=x.device))
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    """A transformer block."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width), nn.Dropout(0.1)
        )

    def forward(self, x: Tensor) -> Tensor:
        """(batch, length, width) in and out."""
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    """Token numbers (batch, length) in, logits out."""

    def __init__(self, layers: int, vocabulary: int = 64, width: int = 32, heads: int = 4, length: int = 16) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch, length) in, (batch, length, vocabulary) out."""
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


class _WrittenError(Exception):
    """All is written: nothing need be compiled."""


def trace(folder: Path, layers: int = LAYERS) -> None:
    """Write the files of `NAMES` into a folder."""
    from torch._dynamo.backends.common import aot_autograd
    from torch._inductor.decomposition import select_decomp_table

    def partition(joint: torch.fx.GraphModule, _inputs: Any, **_: Any) -> Any:
        folder.joinpath(JOINT_GRAPH).write_text(f"{joint.graph}\n", encoding="utf-8")
        _write_readable(folder / JOINT_READABLE, joint)
        raise _WrittenError

    def never(*_: Any) -> Any:
        raise AssertionError

    joint = aot_autograd(
        fw_compiler=never, bw_compiler=never, partition_fn=partition, decompositions=select_decomp_table()
    )

    def backend(graph: torch.fx.GraphModule, inputs: Any) -> Any:
        _write_readable(folder / DYNAMO_READABLE, graph)
        return joint(graph, inputs)

    torch.manual_seed(0)
    torch._dynamo.reset()
    model = Gpt(layers).train()
    try:
        torch.compile(model, backend=backend)(torch.randint(0, 64, (1, 16)))
    except Exception:
        if not all(folder.joinpath(name).is_file() for name in NAMES):
            raise


def _write_readable(path: Path, module: torch.fx.GraphModule) -> None:
    path.write_text(module.print_readable(print_output=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    trace(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else LAYERS)
