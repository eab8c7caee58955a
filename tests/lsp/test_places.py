"""Parameters of the questions that editors ask at every move are taken without the converter, to the same end."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.protocol import default_converter

from fxgraph.lsp.places import of_place

URI = "file:///net.fxgraph"
PLAIN = {"textDocument": {"uri": URI}, "position": {"line": 3, "character": 2**31 - 1}}


@pytest.mark.parametrize(
    ("method", "request_type"),
    [
        ("textDocument/definition", types.DefinitionRequest),
        ("textDocument/hover", types.HoverRequest),
        ("textDocument/documentHighlight", types.DocumentHighlightRequest),
    ],
)
def test_plain_parameters(method, request_type):
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": PLAIN}
    assert of_place(method, PLAIN) == default_converter().structure(message, request_type).params


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        [],
        {"textDocument": {"uri": URI}},
        PLAIN | {"workDoneToken": 1},
        PLAIN | {"textDocument": None},
        PLAIN | {"textDocument": {"uri": 3}},
        PLAIN | {"textDocument": {"uri": URI, "version": 1}},
        PLAIN | {"position": None},
        PLAIN | {"position": {"line": -1, "character": 0}},
        PLAIN | {"position": {"line": 0, "character": 2**31}},
        PLAIN | {"position": {"line": True, "character": 0}},
        PLAIN | {"position": {"line": 1.0, "character": 0}},
        PLAIN | {"position": {"line": 1, "column": 0}},
    ],
)
def test_other_parameters_are_left_to_the_converter(parameters):
    assert of_place("textDocument/hover", parameters) is None


def test_other_methods_are_left_to_the_converter():
    assert of_place("textDocument/references", PLAIN) is None
