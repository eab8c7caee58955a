from pathlib import PurePath

import pytest

from fxgraph.analysis import RULES
from fxgraph.features.config import DEFAULTS, Choice, Projects, choice_in, combined
from markers import marked

WHOLE = """
[project]
name = "model"

[tool.fxgraph]
select = ["FX1", "mixed-levels"]
ignore = ["FX104"]

[tool.fxgraph.severities]
dead-node = "warning"
FX3 = "error"
"""


def read_choice(text):
    complaints = []
    return choice_in(text, complaints.append), complaints


def test_a_whole_table():
    choice, complaints = read_choice(WHOLE)
    assert choice is not None
    assert choice.select == {"FX101", "FX102", "FX103", "FX104", "FX105", "FX301"}
    assert choice.ignore == {"FX104"}
    assert dict(choice.severities) == {"FX201": "warning", "FX301": "error"}
    assert complaints == []


@pytest.mark.parametrize("text", ["", "[tool.ruff]\nline-length = 120\n", "# fxgraph is used here\n", "[fxgraph]\n"])
def test_no_table_is_no_choice(text):
    assert read_choice(text) == (None, [])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[tool.fxgraph]\nselect = 'FX1'", "tool.fxgraph.select must be a list of rule codes: the default holds"),
        ("[tool.fxgraph]\nignore = [1]", "tool.fxgraph.ignore must be a list of rule codes: the default holds"),
        ("[tool.fxgraph]\nignore = ['nope']", "tool.fxgraph.ignore: no rule is called 'nope'"),
        ("[tool]\nfxgraph = 3", "tool.fxgraph must be a table: the defaults hold"),
        ("[tool.fxgraph]\nselct = []", "tool.fxgraph.selct is not known; known are ignore, select, severities"),
        ("[tool.fxgraph]\nseverities = []", "tool.fxgraph.severities must be a table: the defaults hold"),
        (
            "[tool.fxgraph.severities]\nFX104 = 'fatal'",
            "tool.fxgraph.severities.FX104 must be one of error, warning, information, hint",
        ),
        ("[tool.fxgraph.severities]\nnope = 'error'", "tool.fxgraph.severities: no rule is called 'nope'"),
    ],
)
def test_a_wrong_entry_is_told_and_the_default_holds(text, complaint):
    choice, complaints = read_choice(text)
    assert complaints == [complaint]
    assert choice in (None, DEFAULTS)


def test_broken_toml_is_one_complaint():
    choice, complaints = read_choice("[tool.fxgraph\n")
    assert choice is None
    assert len(complaints) == 1
    assert complaints[0].startswith("not TOML (")


class Disk:
    """Files by path, and how often each was looked for."""

    def __init__(self, **files):
        self.files = {PurePath("/", *name.split("__"), "pyproject.toml"): text for name, text in files.items()}
        self.asked = []
        self.complaints = []
        self.projects = Projects(self.read, self.complaints.append)

    def read(self, path):
        self.asked.append(path)
        return self.files.get(path)


def test_the_nearest_table_counts_and_a_file_without_one_is_passed_by():
    disk = Disk(w="[tool.fxgraph]\nignore = ['FX104']", w__a="[tool.ruff]", w__a__b="[tool.fxgraph]\nignore = ['FX2']")
    assert disk.projects.choice_for(PurePath("/w/a/b/c")).ignore == {"FX201", "FX202", "FX203"}
    assert disk.projects.choice_for(PurePath("/w/a/x")).ignore == {"FX104"}
    assert disk.projects.choice_for(PurePath("/elsewhere")) == DEFAULTS
    assert len(disk.asked) == len(set(disk.asked))


def test_a_complaint_names_the_file():
    disk = Disk(w="[tool.fxgraph]\nselect = 1")
    disk.projects.choice_for(PurePath("/w/a"))
    disk.projects.choice_for(PurePath("/w/b"))
    assert disk.complaints == ["/w/pyproject.toml: tool.fxgraph.select must be a list of rule codes: the default holds"]


def test_who_selects_names_every_rule():
    project = Choice(frozenset({"FX1"}), frozenset({"FX104"}), (("FX104", "error"),))
    chosen = combined(project, frozenset({"FX104"}), None)
    assert chosen == Choice(frozenset({"FX104"}), frozenset(), project.severities)
    assert combined(project, None, frozenset({"FX2"})).ignore == {"FX104", "FX2"}
    assert combined(project, None, None) == project


MIXED = """
graph():
    %x : [num_users=1] = placeholder[target=x]
    %a : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %b : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%a,), kwargs = {})
    %c : [num_users=1] = call_method[target=relu](args = (%b,), kwargs = {})
    return (c,)
"""


@pytest.mark.parametrize("severity", ["error", "hint"])
def test_a_severity_replaces_the_rules_own(severity):
    snapshot = marked(MIXED).snapshot
    own = [found.severity for found in snapshot.findings()]
    assert sorted(own) == ["information", "warning"]
    changed = [found.severity for found in snapshot.findings(Choice(severities=(("FX301", severity),)))]
    # what the rule tells more mildly, the remark at the head, stays as mild
    expected = {"information": max("information", severity, key=["error", "information", "hint"].index)}
    assert changed == [expected.get(before, severity) for before in own]


def test_every_rule_has_a_severity_that_can_be_chosen():
    assert {rule.severity for rule in RULES.values()} <= {"error", "warning", "information", "hint"}
