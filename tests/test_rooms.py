"""The rooms of the package: imports point downwards only, and each process loads what it may and no more."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import fxgraph
from lsp.raw_client import RawClient, at

PACKAGE = Path(fxgraph.__file__).parent

#: From the top down: a room may import from itself and from those behind it.
ROOMS = ("cli", "lsp", "features", "torchhost", "analysis", "ops", "reading", "graph", "")

#: Libraries that only one room may import.
KEPT = {"pygls": "lsp", "lsprotocol": "lsp", "rich": "cli"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(module: str) -> str:
    """`lsp` for `fxgraph.lsp.server`, an empty name for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__main__" else ""


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """The modules that a source names in any import, wherever it stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            # `from fxgraph import reading` names a room, too.
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_downwards(path):
    room = room_of(name_of(path))
    if name_of(path) == "fxgraph.__main__":
        room = "cli"
    allowed = ROOMS[ROOMS.index(room) :]
    for module in imports(path):
        top = module.split(".")[0]
        if top == "fxgraph" and room_of(module) in ROOMS:
            assert room_of(module) in allowed, f"{room} imports {module}"
        assert KEPT.get(top, room) == room, f"{room} imports {module}"
        assert top != "torch" or "/torchhost/host/" in path.as_posix(), f"{path} imports torch"


def test_every_file_lies_in_a_known_room():
    assert {room_of(name_of(path)) for path in MODULES} <= set(ROOMS)


#: Runs before the rest of a process's code: at its end it tells on standard error what it has loaded.
REPORT = "import atexit, sys; atexit.register(lambda: print(' '.join(sys.modules), file=sys.stderr))\n"

DUMP = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
"""


def loaded(log: str) -> set[str]:
    """The top-level modules that a process has told of."""
    return {name.split(".")[0] for name in log.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "arguments", [["check", "-"], ["inspect", "-"], ["inspect", "--json", "-"], ["ops", "aten.sum"]]
)
def test_the_command_line_loads_neither_the_protocol_nor_torch(arguments):
    command = [sys.executable, "-c", f"{REPORT}from fxgraph.cli import main; main({arguments})"]
    done = subprocess.run(command, input=DUMP, capture_output=True, text=True, check=True)
    modules = loaded(done.stderr)
    assert "fxgraph" in modules
    assert not modules & {"pygls", "lsprotocol", "attrs", "cattrs", "torch", "numpy"}


def test_the_server_never_loads_torch():
    command = (sys.executable, "-c", f"{REPORT}from fxgraph.cli import main; main(['serve'])")
    with RawClient(command) as client:
        uri = client.open(DUMP)
        client.wait_for("textDocument/publishDiagnostics")
        for column in (5, 10, 30, 50, 85):
            for method in ("definition", "hover", "documentHighlight"):
                client.ask(f"textDocument/{method}", at(uri, 2, column))
        client.ask("textDocument/hover", at(uri, 0, 0))
        client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        modules = loaded(client.quit()[1])
    assert "pygls" in modules
    assert not modules & {"torch", "numpy", "rich"}


def test_the_server_answers_initialize_before_it_loads_the_readers():
    code = "import fxgraph.cli.serve, fxgraph.lsp.server, fxgraph.lsp.logs, fxgraph.lsp.streams"
    done = subprocess.run([sys.executable, "-c", REPORT + code], capture_output=True, text=True, check=True)
    rooms = {name.split(".")[1] for name in done.stderr.split() if name.startswith("fxgraph.")}
    assert rooms <= {"cli", "lsp", "graph"}
