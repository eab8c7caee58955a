"""Abbreviations of dtypes, compared with the torch that is installed."""

import pytest

from fxgraph.features.hovers.types import DTYPES
from fxgraph.reading import nbytes, tensor_type

torch = pytest.importorskip("torch")
dtype_abbrs = pytest.importorskip("torch.utils._dtype_abbrs").dtype_abbrs


def test_every_abbreviation_has_its_bytes_and_its_name():
    assert len(dtype_abbrs) > 20
    for dtype, short in dtype_abbrs.items():
        kind = tensor_type(f"{short}[3, 5]")
        assert kind is not None and nbytes(kind) == 15 * dtype.itemsize, short
        assert getattr(torch, DTYPES[short]) == dtype
