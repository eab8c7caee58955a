"""What the sessions in every editor share: the dump they open, and the lines of the README that set them up."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]

# The string that is not ASCII puts bytes, UTF-16 units and characters out of step; `%relu` has two users, and nobody
# reads `%abs_1`.
DUMP = dedent("""\
    graph():
        %x : [num_users=2] = placeholder[target=x]
        %relu : [num_users=3] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
        %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%relu,), kwargs = {})
        %abs_1 : [num_users=0] = call_function[target=torch.ops.aten.abs.default](args = (%x,), kwargs = {})
        %einsum : [num_users=1] = call_function[target=torch.ops.aten.einsum.default](args = (é😀, [%relu, %neg]), kwargs = {})
        return (einsum,)
    """)


def place(words: str, inside: str) -> tuple[int, str]:
    """Where `inside` is in words that stand once in the dump: the line, from 1, and what stands before it there."""
    assert DUMP.count(words) == 1, words
    before = DUMP[: DUMP.index(words) + words.index(inside)]
    return before.count("\n") + 1, before.rpartition("\n")[2]


def readme_snippet(language: str) -> str:
    """The one fenced block of this language in the README."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1, f"the README shows {len(blocks)} blocks of {language}"
    return blocks[0]
