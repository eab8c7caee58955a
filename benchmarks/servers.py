"""The servers that are compared, and where they are found."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

GRAPH, READABLE, MLIR = "print(graph)", "readable", "MLIR"


class Server(NamedTuple):
    """A server for documents in one notation; `command` is None where it is not installed.

    name      the head of its column
    notation  what it is asked about
    """

    name: str
    notation: str
    command: list[str] | None
    version: str = ""


#: fxgraph's two columns, and the one that all are compared with.
FXGRAPH_GRAPH, FXGRAPH_READABLE, PEER = "fxgraph, print(graph)", "fxgraph, readable", "mlir-lsp-server"
EMPTY = "empty pygls server"


def servers() -> list[Server]:
    """All servers, installed or not, in the order of the table."""
    fxgraph = [sys.executable, "-m", "fxgraph", "serve"]
    version = _version([sys.executable, "-m", "fxgraph", "--version"])
    return [
        Server(FXGRAPH_GRAPH, GRAPH, fxgraph, version),
        Server(FXGRAPH_READABLE, READABLE, fxgraph, version),
        _found(PEER, MLIR, [PEER, *(f"{PEER}-{number}" for number in range(30, 15, -1))], []),
        _found("ty", READABLE, ["ty"], ["server"]),
        _found("pyrefly", READABLE, ["pyrefly"], ["lsp"]),
        _found("pylsp", READABLE, ["pylsp"], []),
        Server(EMPTY, "", [sys.executable, str(Path(__file__).with_name("empty_server.py"))]),
    ]


def _found(name: str, notation: str, programs: list[str], arguments: list[str]) -> Server:
    program = next((path for path in map(shutil.which, programs) if path), None)
    if program is None:
        return Server(name, notation, None)
    version = _version([program, "--version"])
    return Server(
        name, notation, [program, *arguments], version if version.startswith(f"{name} ") else f"{name}: {version}"
    )


def _version(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    lines = [line.strip() for line in done.stdout.splitlines() if any(letter.isdigit() for letter in line)]
    return lines[0] if lines else ""
