import json

import pytest

from fxgraph.cli import main

STALE = """graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=3] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (relu,)
"""
DEAD = """graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=0] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (x,)
"""


@pytest.fixture
def stale(tmp_path):
    path = tmp_path / "stale.fxgraph"
    path.write_text(STALE)
    return str(path)


def test_findings_for_people(stale, capsys):
    assert main(["check", stale]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{stale}:3:6: warning FX104: ")
    assert lines[-1] == "1 finding in 1 graph: 1 warning"


def test_a_hint_alone_does_not_fail(tmp_path, capsys):
    path = tmp_path / "dead.fxgraph"
    path.write_text(DEAD.replace("users=1", "users=2"))
    assert main(["check", str(path)]) == 0
    assert "hint FX201" in capsys.readouterr().out


def test_exit_zero(stale):
    assert main(["check", "--exit-zero", stale]) == 0


def test_json_is_one_object_for_each_file(stale, tmp_path, capsys):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert main(["check", "--format", "json", stale, str(empty)]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    (found,) = first["findings"]
    assert (first["file"], found["code"], found["line"], found["column"], found["name"]) == (
        stale,
        "FX104",
        3,
        6,
        "relu",
    )
    assert (found["graph"], found["severity"]) == (0, "warning")
    assert "graphs" not in first
    assert second == {"file": str(empty), "findings": []}


@pytest.mark.parametrize("codes", ["FX104", "fx104", "FX1", "wrong-user-count", "FX2, FX104"])
def test_select(stale, codes):
    assert main(["check", "--select", codes, stale]) == 1
    assert main(["check", "--ignore", codes, stale]) == 0


def test_select_another(stale):
    assert main(["check", "--select", "FX101", stale]) == 0


@pytest.mark.parametrize("codes", ["FX999", "X", "", "FX104,nope"])
def test_a_wrong_code_names_the_known_ones(stale, capsys, codes):
    assert main(["check", "--select", codes, stale]) == 2
    err = capsys.readouterr().err
    assert "FX101, FX102, FX103" in err
    assert err.count("\n") == 1


def test_no_file_is_two_and_the_other_is_still_done(stale, capsys):
    assert main(["check", "gone.txt", stale]) == 2
    out, err = capsys.readouterr()
    assert "FX104" in out
    assert err == "fxgraph: gone.txt: no such file\n"


def test_a_directory_without_dumps(tmp_path, capsys):
    (tmp_path / "notes.md").write_text("no graph here")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no findings in 0 graphs\n"


def test_control_codes_of_a_dump_do_not_reach_the_terminal(tmp_path, capsys):
    path = tmp_path / "evil.fxgraph"
    path.write_text(STALE.replace("aten.relu", "aten.\x1b]0;evil\x07relu"))
    main(["check", str(path)])
    assert "\x1b" not in capsys.readouterr().out
