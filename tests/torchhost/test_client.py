"""The client against hosts that do not know torch: scripts that speak the protocol, or fail to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest

from fxgraph.torchhost import Choice, HostError, Limits, State, StoppedError, TorchHost

HELLO = 'print(\'{"hello": {"torch": "9.9", "python": "3", "counts": {}}}\', flush=True)'

HOST = Path(__file__).resolve().parents[2] / "server" / "fxgraph" / "torchhost" / "host"


def fake_python(folder: Path, body: str, name: str = "python") -> str:
    """An executable that takes the place of an interpreter: it gets the host's arguments and does what `body` says."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport sys, json, os, signal, time\n{dedent(body)}")
    path.chmod(0o755)
    return str(path)


def answering(folder: Path, answer: str, name: str = "python") -> str:
    """A host that says hello and then runs `answer` for each request `r`, with `say(message)` at hand."""
    loop = f"""
{HELLO}
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    r = json.loads(line)
    {answer}
"""
    return fake_python(folder, loop, name)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def make(request):
    """Makes a host for some executables and closes it at the end; `.lines` is its log."""

    def make(*paths: str, **options) -> TorchHost:
        lines: list[str] = []
        host = TorchHost([Choice(path, "a test's") for path in paths], log=lines.append, **options)
        host.lines = lines
        request.addfinalizer(host.close)
        return host

    return make


def test_not_started_before_the_first_question(make, tmp_path):
    started = tmp_path / "started"
    host = make(fake_python(tmp_path, f"open({str(started)!r}, 'w').close()"))
    assert host.state is State.OFF
    assert not started.exists()
    with pytest.raises(HostError, match="no torch to ask: .*its process ended \\(exit status 0\\)"):
        host.ask("schemas")
    assert started.exists()


def test_switched_off_no_process_is_started(make, tmp_path):
    def start(path: str):
        raise AssertionError("a process was started")

    host = make("/usr/bin/python3", enabled=False, start=start)
    for ask in (lambda: host.ask("schemas"), host.start):
        with pytest.raises(HostError, match="switched off"):
            ask()
    assert host.state is State.OFF


def test_answers_parts_and_errors(make, tmp_path):
    host = make(
        answering(
            tmp_path,
            'say(id=r["id"], part=1); say(id=r["id"], **({"answer": r} if r["ask"] == "a" else {"error": "no"}))',
        )
    )
    parts = []
    assert host.ask("a", {"x": 1}, progress=parts.append) == {"id": 1, "ask": "a", "x": 1}
    assert parts == [1]
    assert host.state is State.READY
    with pytest.raises(HostError, match=r"torch 9.9: no"):
        host.ask("b")
    assert host.state is State.READY


def test_answers_are_kept_by_content(make, tmp_path):
    host = make(answering(tmp_path, 'say(id=r["id"], answer={"n": r["id"]})'))
    assert [host.ask("a", {"x": x})["n"] for x in (1, 2, 1)] == [1, 2, 1]
    assert host.ask("a", {"x": 1}, keep=False)["n"] == 1


def test_the_next_interpreter_is_tried_and_each_step_logged(make, tmp_path):
    bad = fake_python(tmp_path, 'print(json.dumps({"error": "has no torch"}), flush=True)', "bad")
    good = answering(tmp_path, 'say(id=r["id"], answer={})', "good")
    host = make(str(tmp_path / "missing"), bad, good)
    assert host.ask("a") == {}
    assert host.lines == [
        f"torch: starting {tmp_path}/missing (a test's)",
        f"torch: {tmp_path}/missing: cannot be started: No such file or directory",
        f"torch: starting {bad} (a test's)",
        f"torch: {bad}: has no torch",
        f"torch: starting {good} (a test's)",
        "torch: 9.9 under Python 3 answers",
    ]


def test_no_interpreter_at_all(make):
    host = make()
    with pytest.raises(HostError, match="no torch to ask: no Python was found"):
        host.ask("a")
    assert host.state is State.FAILED


def test_packages_of_the_user_are_imported_before_the_first_question(make, tmp_path):
    answer = """
    if r["ask"] == "import":
        say(id=r["id"], answer={"imported": r["names"][:1], "failed": {r["names"][1]: "ImportError: no"}})
    else:
        say(id=r["id"], answer={"asked": r["ask"]})
"""
    host = make(answering(tmp_path, answer), imports=["demo", "gone"])
    assert host.ask("a") == {"asked": "a"}
    assert host.lines[-3:] == [
        "torch: 9.9 under Python 3 answers",
        "torch: imported demo, as fxgraph.torch.imports says",
        "torch: gone, of fxgraph.torch.imports, was not imported: ImportError: no",
    ]


def test_an_import_that_ends_the_host_is_said(make, tmp_path):
    host = make(answering(tmp_path, "os._exit(3)"), imports=["demo"])
    with pytest.raises(HostError, match=r"while it imported demo: its process ended \(exit status 3\)"):
        host.ask("a")


def test_a_crash_answers_the_question_and_backs_off(make, tmp_path):
    clock = Clock()
    host = make(answering(tmp_path, 'print("Fatal", file=sys.stderr); os._exit(3)'), clock=clock)
    with pytest.raises(HostError, match=r"^torch 9.9 gave no answer: its process ended \(exit status 3: Fatal\)$"):
        host.ask("a")
    assert host.state is State.FAILED
    with pytest.raises(HostError, match="Fatal.*tried again in 1 s at the earliest"):
        host.ask("b")
    clock.now += 1
    with pytest.raises(HostError, match="Fatal\\)$"):
        host.ask("b")
    with pytest.raises(HostError, match="tried again in 2 s"):
        host.ask("c")
    clock.now += 1000
    with pytest.raises(HostError, match="Fatal\\)$"):  # what ended it once is not asked again
        host.ask("a")
    assert sum(line.startswith("torch: starting") for line in host.lines) == 2


def test_killed_from_outside(make, tmp_path):
    host = make(answering(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)"))
    with pytest.raises(HostError, match="its process ended \\(signal SIGKILL\\)"):
        host.ask("a")


def test_a_host_that_hangs(make, tmp_path):
    host = make(answering(tmp_path, "time.sleep(1000)"), limits=Limits(answer=0.3))
    with pytest.raises(HostError, match="^torch 9.9 gave no answer: no answer within 0.3 s$"):
        host.ask("a")
    assert host.state is State.FAILED


def test_a_host_that_never_says_hello(make, tmp_path):
    host = make(fake_python(tmp_path, "time.sleep(1000)"), limits=Limits(start=0.3))
    with pytest.raises(HostError, match="no answer within 0.3 s"):
        host.ask("a")


def test_stopped_by_the_user_is_no_failure(make, tmp_path):
    host = make(answering(tmp_path, 'say(id=r["id"], part=1); time.sleep(1000)'), clock=Clock())
    stopped = threading.Event()
    with pytest.raises(StoppedError):
        host.ask("a", stopped=stopped, progress=lambda part: stopped.set())
    with pytest.raises(StoppedError):  # at once again: no back-off
        host.ask("a", stopped=stopped)


def test_too_much_memory(make, tmp_path):
    pytest.importorskip("resource")
    host = make(answering(tmp_path, "hold = bytearray(200 << 20); time.sleep(1000)"), limits=Limits(memory=100 << 20))
    with pytest.raises(HostError, match="it held [0-9]+ MB, more than 100 MB"):
        host.ask("a")


def test_closed_while_busy(make, tmp_path):
    host = make(answering(tmp_path, 'say(id=r["id"], part=1); time.sleep(1000)'))
    with pytest.raises(StoppedError):
        host.ask("a", progress=lambda part: threading.Thread(target=host.close).start())
    with pytest.raises(HostError, match="switched off"):
        host.ask("a")


def test_what_it_starts_ends_with_it(make, tmp_path):
    child = "import subprocess; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)']);"
    before = set(threading.enumerate())
    host = make(answering(tmp_path, f'{child} say(id=r["id"], answer={{}})'))
    host.ask("a")
    assert len(set(threading.enumerate()) - before) == 2
    host.close()  # the child holds the pipes, too: if it were left over, the threads at the other ends would be
    assert set(threading.enumerate()) <= before


def test_lines_that_are_no_protocol_end_it(make, tmp_path):
    host = make(fake_python(tmp_path, "print('hello', flush=True); time.sleep(1000)"), limits=Limits(start=5))
    with pytest.raises(HostError, match="spoke"):
        host.ask("a")


@pytest.mark.skipif(os.name != "posix", reason="the system has no limit of processor time")
def test_a_host_in_a_call_that_never_comes_back_ends_without_anybody(tmp_path):
    program = (
        f"import sys; sys.path.insert(0, {str(HOST)!r})\n"
        "from fxgraph_host import serve\n"
        "serve.MOST_SECONDS = 1\n"
        "serve._bound_processor_time()\n"
        "7 ** 9999999999\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGXCPU
