"""The hover of a source comment."""

from __future__ import annotations

from fxgraph.features.markdown import code
from fxgraph.reading import SourceLine


def source_text(source: SourceLine) -> str:
    """`model.py:46` in `forward`: `return x + 1`."""
    text = f"Source: {code(f'{source.path}:{source.line}')}"
    if source.function:
        text += f" in {code(source.function)}"
    return f"{text}: {code(source.code, 200)}" if source.code else text
