"""Which script a dump proposes, and where it may lie."""

import pytest

from fxgraph.torchhost.scripts import ScriptError
from fxgraph.torchhost.sources import beside, proposed


def test_the_same_stem():
    assert beside("dumps/net.fxgraph") == "dumps/net.py"
    assert beside("net.symbolic.txt") == "net.py"


def test_a_header_counts_more_than_a_script_beside(tmp_path):
    for name in ("net.py", "model.py"):
        (tmp_path / name).touch()
    dump = str(tmp_path / "net.fxgraph")
    assert proposed(dump, None) == (str(tmp_path / "net.py"), False)
    assert proposed(dump, "./model.py") == (str(tmp_path / "model.py"), True)


def test_a_path_outside_is_not_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr("pathlib.Path.is_file", lambda path: pytest.fail(f"looked at {path}"))
    for named in ("../x.py", "/etc/x.py", "//host/share/x.py", "a/../../x.py"):
        with pytest.raises(ScriptError, match="lies outside of the workspace"):
            proposed(str(tmp_path / "work" / "net.fxgraph"), named, [str(tmp_path / "work")])
    with pytest.raises(ScriptError, match="lies outside of the workspace"):
        proposed(str(tmp_path / "net.fxgraph"), "x.py", [])  # no folder is open


def test_a_workspace_that_is_reached_by_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "net.py").touch()
    (tmp_path / "work").symlink_to(tmp_path / "real")
    found = proposed(str(tmp_path / "work" / "net.fxgraph"), None, [str(tmp_path / "work")])
    assert found.script == str(tmp_path / "real" / "net.py")


@pytest.mark.parametrize("named", ["x" * 5000, "a\0b.py", "gone.py", "."])
def test_names_that_lead_nowhere(tmp_path, named):
    with pytest.raises(ScriptError, match="no such file"):
        proposed(str(tmp_path / "net.fxgraph"), named)
