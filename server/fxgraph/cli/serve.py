"""`fxgraph serve`: the language server, on standard input and output or on a port. Editors start it."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import re
import sys

from fxgraph.cli.terminal import one_line, reason

_ADDRESS = re.compile(r"(\[[^\]]+\]|[^:\[\]]*):(\d{1,5})")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `serve` to the subcommands."""
    parser = commands.add_parser("serve", help="run the language server", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "--tcp", metavar="HOST:PORT", type=address, help="wait for one client there; port 0 is any free"
    )
    parser.add_argument("--log-file", metavar="F", help="write the log there instead of standard error")
    parser.set_defaults(run=run)


def address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; an IPv6 host stands in brackets, no host means this machine alone.

    Raises argparse.ArgumentTypeError where it is none.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found[2]) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")
    return found[1].strip("[]") or "127.0.0.1", int(found[2])


def run(arguments: argparse.Namespace) -> int:
    """Serve one client; returns the exit status."""
    # Only here: no other command may load the protocol's libraries.
    from fxgraph.lsp import logs, streams

    try:
        logs.set_up(arguments.log_file)
        if arguments.tcp is None:
            if sys.stdin.isatty():
                print("fxgraph serve speaks the Language Server Protocol: an editor starts it", file=sys.stderr)
            connection = streams.standard_streams()
        else:
            listening = streams.listen(*arguments.tcp)
            host, port = listening.getsockname()[:2]
            print(f"listening on {host}:{port}", file=sys.stderr, flush=True)
            connection = streams.accept(listening)
    except OSError as error:
        print(f"fxgraph: {_complaint(arguments, error)}", file=sys.stderr)
        return 2
    # What is loaded stays: the collector need not walk over it, neither now nor later.
    gc.disable()
    from fxgraph.lsp.server import Server

    gc.freeze()
    gc.enable()

    # A question must not wait 5 ms, Python's default, for each turn beside a thread that reads or judges.
    sys.setswitchinterval(2e-4)
    server = Server()
    status = server.serve(connection)
    if not server.close():
        # Python would wait for the thread, or stumble over it while it takes itself down.
        logging.shutdown()
        os._exit(status)
    return status


def _complaint(arguments: argparse.Namespace, error: OSError) -> str:
    """What the system refused, and why."""
    if error.filename is not None and error.filename == arguments.log_file:
        why = "its folder does not exist" if isinstance(error, FileNotFoundError) else reason(error)
        return f"cannot write the log to {one_line(arguments.log_file)}: {why}"
    if arguments.tcp is not None:
        host, port = arguments.tcp
        return f"cannot listen on {one_line(host)}:{port}: {reason(error).partition(' (')[0]}"
    return reason(error)
