"""A script that is run again: where it runs, what it may do, and that it always ends. No torch is needed for this."""

import json
import os
import select
import signal
import subprocess
import sys
import threading

import pytest

from fxgraph.torchhost.rerun import MOST_OUTPUT, hash_of, rerun
from fxgraph.torchhost.scripts import ScriptError


@pytest.fixture
def run(tmp_path):
    """Runs a script of this text, which lies in a folder of its own, beside a module `sibling`."""

    def run_script(text, **options):
        folder = tmp_path / "project"
        folder.mkdir(exist_ok=True)
        (folder / "sibling.py").write_text("words = 'from the module beside it'")
        (folder / "net.py").write_text(text)
        return rerun(sys.executable, str(folder / "net.py"), **options)

    return run_script


def test_it_runs_as_the_user_would_run_it(run, tmp_path, monkeypatch):
    monkeypatch.setenv("FX_TEST_SEEN", "1")
    ran = run(
        "import json, os, sys, sibling\n"
        "print(json.dumps([os.getcwd(), sys.path[0], sys.argv, __name__, sibling.words, dict(os.environ)]))"
    )
    folder = str(tmp_path / "project")
    *told, environ = json.loads(ran.output)
    assert told == [folder, folder, [f"{folder}/net.py"], "__main__", "from the module beside it"]
    own = {name: value for name, value in os.environ.items() if name != "_"}
    assert {name: environ.get(name) for name in own} == own
    assert not [name for name in environ if name.startswith("FXGRAPH_JOB")]
    assert (ran.script, ran.torch, ran.graphs, ran.ended) == (f"{folder}/net.py", None, [], None)
    assert ran.sha256 == hash_of(ran.script) and len(ran.sha256) == 64


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("import sys; sys.exit(3)", "exit status 3"),
        ("raise ValueError('bad\\nnews')", "exit status 1: news"),
        ("import sys; sys.exit('no weights')", "exit status 1: no weights"),
        ("import os; os.kill(os.getpid(), 9)", "signal 9"),
        ("assert input() == ''", "exit status 1: EOFError: EOF when reading a line"),
        ("import sys; assert sys.stdin.read() == ''", None),
        ("import os; os.chdir('/'); print(open('net.py'))", "exit status 1: FileNotFoundError: [Errno 2] No such file or directory: 'net.py'"),
        ("def f(:", "exit status 1: SyntaxError: invalid syntax"),
    ],
)  # fmt: skip
def test_how_it_ended(run, text, ended):
    assert run(text).ended == ended


def test_output_is_capped(run):
    ran = run("import sys\nfor _ in range(100): print('x' * 999_999)\nprint('y' * 3_000_000, file=sys.stderr)")
    assert ran.printed == 100_000_000 and ran.ended is None
    assert len(ran.output) == MOST_OUTPUT


def test_it_is_stopped_with_all_that_it_has_started(run, tmp_path):
    stop = threading.Event()
    ran = run(
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'while True: pass'])\n"
        "open('child', 'w').write(str(child.pid))\n"
        "print('running', flush=True)\n"
        "while True: pass",
        stopped=stop,
        progress=lambda seconds, printed: stop.set() if printed else None,
    )
    assert ran.ended == "stopped" and ran.output == b"running\n"
    assert has_ended(int((tmp_path / "project" / "child").read_text()))


def test_a_child_that_it_leaves_behind_is_ended(run, tmp_path):
    ran = run(
        "import os, time\nchild = os.fork()\nif child == 0:\n    time.sleep(1000)\nopen('child', 'w').write(str(child))"
    )
    assert ran.ended is None
    assert has_ended(int((tmp_path / "project" / "child").read_text()))


def has_ended(pid):
    """Whether a process has ended; one that was killed a moment ago is waited for."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], 60)[0])
    finally:
        os.close(process)


def test_what_the_user_did_not_agree_to_is_not_run(run, tmp_path):
    first = run("pass")
    with pytest.raises(ScriptError, match=r"net\.py: has changed since it was shown$"):
        run("open('sprung', 'w')", expected=first.sha256)
    assert not (tmp_path / "project" / "sprung").exists()
    assert run("open('sprung', 'w')", expected=hash_of(first.script)).ended is None
    assert (tmp_path / "project" / "sprung").exists()


def test_what_is_not_there(tmp_path):
    with pytest.raises(ScriptError, match=f"^{tmp_path}/no.py: no such file or directory$"):
        rerun(sys.executable, str(tmp_path / "no.py"))
    script = tmp_path / "net.py"
    script.touch()
    with pytest.raises(ScriptError, match="^/no/python cannot be started: No such file or directory$"):
        rerun("/no/python", str(script))


def test_ctrl_c_in_a_terminal_stops_the_script_and_not_the_command(tmp_path):
    (tmp_path / "net.py").write_text(
        "import os, time\nopen('pid', 'w').write(str(os.getpid()))\nopen('runs', 'w')\nwhile True: time.sleep(1)"
    )
    (tmp_path / "net.fxgraph").write_text("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n")
    command = ["-m", "fxgraph", "inspect", "net.fxgraph", "--shapes", "source", "--source", "net.py"]
    python = ["--python", sys.executable]
    process = subprocess.Popen(
        [sys.executable, *command, *python], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "runs").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert err.splitlines()[0] == "fxgraph: net.py: stopped"
    assert "placeholder" in out and process.returncode == 2
    assert has_ended(int((tmp_path / "pid").read_text()))
