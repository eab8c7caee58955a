"""`fxgraph capture`: runs a script as you would, and saves every graph that torch makes or that the script prints."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fxgraph.cli.live import interpreter_for
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.torchhost.capture import capture
from fxgraph.torchhost.saving import save
from fxgraph.torchhost.scripts import ScriptError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `capture` to the subcommands."""
    parser = commands.add_parser(
        "capture",
        help="run a script and save the graphs that torch makes",
        description=__doc__,
        usage="fxgraph capture [-h] [-o DIR] [--python EXE] SCRIPT [-- ARGS]",
        epilog="What stands behind -- goes to the script. The exit status is the script's own; 2 where it was not run.",
        allow_abbrev=False,
    )
    parser.add_argument("script", metavar="SCRIPT")
    parser.add_argument("-o", "--output", metavar="DIR", default="fxgraph-dumps", help="by default fxgraph-dumps")
    parser.add_argument("--python", metavar="EXE", help="the Python to run it with")
    parser.set_defaults(run=run, script_arguments=())


def run(arguments: argparse.Namespace) -> int:
    """Run the script and save its graphs; returns the script's exit status."""
    folder = Path(arguments.output)
    if not Path(arguments.script).is_file():
        return _complain(f"{arguments.script}: no such file")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ran = capture(interpreter_for(arguments.python), arguments.script, arguments.script_arguments)
    except ScriptError as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{folder}: {(error.strerror or str(error)).lower()}")
    for error_text in sorted(set(ran.errors)):
        _complain(f"a hook failed, some graphs may be missing: {error_text}")
    try:
        paths = save(folder, ran.graphs, arguments.script, ran.torch, ran.status)
    except OSError as error:
        _complain(f"{folder}: {(error.strerror or str(error)).lower()}")
        return ran.status or 2
    # The streams are the script's: a line of ours only where somebody watches.
    if sys.stderr.isatty():
        print(f"fxgraph: {count_of(len(paths), 'graph')} in {one_line(str(folder))}", file=sys.stderr)
    return ran.status


def _complain(message: str) -> int:
    print(f"fxgraph: {one_line(message)}", file=sys.stderr)
    return 2
