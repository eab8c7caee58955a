"""What `make run` shows: a dump's findings, its outline and one hover, then how the server gets into an editor.

Usage: tour.py DUMP
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(sys.executable).with_name("fxgraph")
ROWS = 40


def main() -> int:
    """Shows the dump that the command line names; returns the exit status."""
    dump = str(Path(sys.argv[1]).expanduser())
    if Path(dump).is_dir():
        print(
            f"{dump}: a directory, this shows one file; for all in it: {PROGRAM} check {shlex.quote(dump)}",
            file=sys.stderr,
        )
        return 2
    if not Path(dump).is_file():
        print(f"{dump}: no such file", file=sys.stderr)
        return 2
    show("What is wrong with it", "check", "--exit-zero", dump)
    show("What is in it", "inspect", dump)
    line = interesting_line(dump)
    if line is not None:
        show("What the editor shows under the cursor", "explain", f"{dump}:{line}")
    print(SETUP.format(version=version(), program=PROGRAM, neovim=ROOT / "neovim"))
    return 0


def show(title: str, *arguments: str) -> None:
    """Runs fxgraph and prints the command and what it says; of long output the first rows."""
    print(f"\n== {title}:  fxgraph {shlex.join(arguments)}\n", flush=True)
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    rows = done.stdout.rstrip().splitlines()
    print("\n".join(rows[:ROWS]) or "(nothing)")
    if len(rows) > ROWS:
        print(f"... and {len(rows) - ROWS} lines more")


def interesting_line(dump: str) -> int | None:
    """The line of the first finding about a node, else of the node with the most users; None where there is no node."""
    done = subprocess.run([PROGRAM, "inspect", "--json", dump], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode:
        return None
    read = json.loads(done.stdout)
    for finding in read["findings"]:
        if finding["name"] and finding["severity"] != "information":
            return int(finding["line"])
    calls = [n for graph in read["graphs"] for n in graph["nodes"] if n["opcode"].startswith("call_")]
    if not calls:
        return None
    return int(max(calls, key=lambda node: len(node["users"]))["line"])


def version() -> str:
    """The version of fxgraph that is installed here."""
    from importlib.metadata import version as installed

    return installed("fxgraph")


SETUP = """
== Your turn

Your dump:  make run DUMP=path/to/dump
Terminal:   {program} --help
VS Code:    make vsix && code --install-extension vscode-extension/fxgraph-{version}.vsix
Neovim:     vim.opt.runtimepath:append('{neovim}')
            vim.lsp.config('fxgraph', {{ cmd = {{ '{program}', 'serve' }} }})
            vim.lsp.enable('fxgraph')

Then open a file that ends in .fxgraph, a copy of this one for a start."""


if __name__ == "__main__":
    sys.exit(main())
