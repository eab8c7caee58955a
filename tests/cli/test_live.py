"""What the commands that ask torch do where it is none, and where they are ended."""

import os
import signal
import sys
import time

import pytest

from fxgraph.cli import main
from fxgraph.cli.live import ended_by_signals
from fxgraph.cli.progress import progress_line


def test_a_program_that_is_no_python(capsys):
    assert main(["ops", "aten.sum", "--python", "/bin/cat"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("fxgraph: no torch to ask: /bin/cat: the host does not start under it: its process ended")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_signal_ends_the_command_as_an_exit_does():
    closed = []
    with pytest.raises(SystemExit) as caught, ended_by_signals():
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            raise AssertionError("not ended")
        finally:
            closed.append(True)
    assert (caught.value.code, closed) == (128 + signal.SIGTERM, [True])
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


class Terminal:
    """A screen that keeps what is written to it."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.written.append(text)

    def flush(self) -> None:
        pass


def test_progress_is_written_only_where_it_has_changed(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("fxgraph.cli.progress._EVERY", 0.001)
    looks = []

    def words():
        looks.append(True)
        return "one\nline" if len(looks) < 5 else "another"

    with progress_line(words):
        deadline = time.monotonic() + 10
        while len(looks) < 9 and time.monotonic() < deadline:
            pass
    assert "".join(screen.written) == "\r\x1b[Kone line\r\x1b[Kanother\r\x1b[K"
