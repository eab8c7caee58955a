"""The folder that runs under the user's Python: old syntax, the standard library and torch only."""

import ast
import sys
from pathlib import Path

import pytest

import fxgraph.torchhost

HOST = Path(fxgraph.torchhost.__file__).with_name("host")
FILES = sorted(HOST.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_python_3_9_can_read_it(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_imports_the_standard_library_and_torch_only(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    assert names <= {*sys.stdlib_module_names, "torch", "fxgraph_host"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_executes_no_text(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert called.isdisjoint({"eval", "exec", "compile", "__import__", "sympify", "parse_expr"})
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert attributes.isdisjoint({"sympify", "parse_expr", "system", "popen", "loads_pickle"})
