"""Which interpreters are tried, in which order."""

import sys

from fxgraph.torchhost import choices


def python_in(folder):
    (folder / "bin").mkdir(parents=True)
    path = folder / "bin" / "python"
    path.touch(mode=0o755)
    return str(path)


def test_order_and_log(tmp_path, monkeypatch):
    selected, venv, workspace = (python_in(tmp_path / name) for name in ("selected", "venv", "project/.venv"))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    lines = []
    environ = {"VIRTUAL_ENV": str(tmp_path / "venv"), "CONDA_PREFIX": str(tmp_path / "gone")}
    found = choices(selected=selected, environ=environ, folder=str(tmp_path / "project"), log=lines.append)
    assert [choice.path for choice in found] == [selected, venv, workspace, sys.executable]
    assert lines == [
        f"torch: the Python environment selected in the editor: {selected}",
        f"torch: VIRTUAL_ENV: {venv}",
        f"torch: CONDA_PREFIX: {tmp_path}/gone/bin/python does not exist",
        f"torch: the .venv of the workspace: {workspace}",
        f"torch: the interpreter that runs fxgraph: {sys.executable}",
        "torch: python3 on PATH: none",
    ]


def test_a_workspace_that_is_not_trusted_is_not_named(tmp_path):
    workspace = python_in(tmp_path / ".venv")
    assert workspace not in [choice.path for choice in choices(environ={})]


def test_the_one_that_was_named_is_the_only_one(tmp_path):
    path = python_in(tmp_path / "mine")
    for named in (path, str(tmp_path / "mine")):
        (choice,) = choices(named=named, environ={"VIRTUAL_ENV": str(tmp_path)})
        assert choice.path == path
        assert choice.only
    assert choices(named="no-such-python", environ={})[0].path == "no-such-python"


def test_none_is_tried_twice():
    prefix = sys.prefix
    found = choices(environ={"VIRTUAL_ENV": prefix, "CONDA_PREFIX": prefix})
    assert len({choice.path for choice in found}) == len(found)
