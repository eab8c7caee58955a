"""One host under the torch of the tests for all tests of a run: torch takes seconds to import."""

import sys

import pytest

from fxgraph.torchhost import TorchHost, choices


@pytest.fixture(scope="session")
def torch_host():
    host = TorchHost(choices(named=sys.executable))
    yield host
    host.close()
