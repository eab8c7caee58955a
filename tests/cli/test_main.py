import os
import subprocess
import sys
from pathlib import Path

import pytest

from fxgraph import __version__
from fxgraph.cli import COMMANDS, main

DUMP = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n"


def run(*words: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "fxgraph", *words]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **options)


def test_the_version(capsys):
    with pytest.raises(SystemExit) as exit_:
        main(["--version"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out == f"fxgraph {__version__}\n"


def test_the_help_names_every_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(f"\n    {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("words", [[], ["nope"], ["check"], ["check", "--format", "xml", "x"], ["explain"]])
def test_a_wrong_command_line_is_two(words):
    with pytest.raises(SystemExit) as exit_:
        main(words)
    assert exit_.value.code == 2


def test_a_dump_on_standard_input():
    done = run("inspect", "-", input=DUMP.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"-:1-3  graph (graph_str)")


def test_a_reader_that_goes_away():
    done = subprocess.run(
        f'"{sys.executable}" -m fxgraph inspect - | head -n 1',
        shell=True,
        input=(DUMP * 5000).encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == b"-:1-3  graph (graph_str)\n"
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("dump", [DUMP, DUMP * 5000])
def test_a_full_disk(dump):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fxgraph", "inspect", "-"],
            input=dump.encode(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"fxgraph: standard output: no space left on device\n")


def test_a_console_that_lacks_a_character():
    done = run(
        "inspect",
        "-",
        input=DUMP.replace("target=x", "target=😀").encode(),
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\U0001f600" in done.stdout


def test_no_command_but_serve_loads_the_protocol_and_none_loads_torch():
    code = (
        "import sys; from fxgraph.cli import main; main(['inspect', '-']);"
        "print([name for name in ('pygls', 'lsprotocol', 'torch', 'rich') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=DUMP.encode(), capture_output=True, timeout=120, check=False
    )
    assert done.stdout.splitlines()[-1] == b"[]"
