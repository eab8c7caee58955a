"""The command `fxgraph`: one file per subcommand, each with `add_parser(subparsers)` and `run(arguments) -> int`.

Exit status: 0; 1 from `check` alone, where a finding is a warning or worse; 2 where a file or an argument could not be
used (one line on stderr each, the other files are still done).
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from fxgraph import __version__

COMMANDS = ("check", "inspect", "explain", "ops", "capture", "serve")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    _never_fail_to_print()
    words = sys.argv[1:] if argv is None else list(argv)
    script_arguments: list[str] | None = None
    if "--" in words and _runs_a_script(words[: words.index("--")]):
        at = words.index("--")  # the script's own are behind it, which argparse must not take for ours
        words, script_arguments = words[:at], words[at + 1 :]
    if words[:1] == ["explain"] and len(words) == 2 and words[1].startswith("-:"):
        words.insert(1, "--")  # a place in standard input, no option
    try:
        # A command's module loads what the command needs: only the one that is asked for, else all, for the help.
        arguments = _parser([name for name in COMMANDS if name in words[:1]] or COMMANDS).parse_args(words)
        if script_arguments is not None:
            arguments.script_arguments = script_arguments
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`| head`) has gone.
        _print_no_more()
        return 0
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        _print_no_more()
        print(f"fxgraph: standard output: {os.strerror(error.errno or 0).lower()}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def _runs_a_script(words: Sequence[str]) -> bool:
    named = any(word == "--source" or word.startswith("--source=") for word in words)
    return words[:1] == ["capture"] or (words[:1] == ["inspect"] and named)


def _parser(names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fxgraph", description="Reads the text that PyTorch prints of its FX graphs.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"fxgraph {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in names:
        import_module(f"fxgraph.cli.{name}").add_parser(commands)
    return parser


#: What a full or broken disk answers.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def _print_no_more() -> None:
    """Python flushes what is left at exit, and would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _never_fail_to_print() -> None:
    """Dumps may hold characters that the console's encoding lacks: print those as escapes."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
