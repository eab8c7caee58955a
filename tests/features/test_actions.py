import re
from collections import Counter
from pathlib import Path

import pytest

from fxgraph.features.actions import Action, corrected_counts, quick_fixes
from fxgraph.features.config import DEFAULTS, Choice
from fxgraph.features.config_edit import ignoring
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Span
from markers import marked

FIXTURES = Path(__file__).parents[2] / "fixtures"


def apply(text: str, action: Action) -> str:
    for edit in sorted(action.edits, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def offered(snapshot: Snapshot, offset: int, choice: Choice = DEFAULTS) -> dict[str, Action]:
    actions = quick_fixes(snapshot, Span(offset, offset), snapshot.findings(choice), choice)
    return {action.title: action for action in actions}


WRONG = """
graph():
    %x : [num_users=1] = placeholder[target=x]
    %re|lu : [num_users=3] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    %add : [num_users=7] = call_function[target=torch.add](args = (%relu, 1), kwargs = {})
    return add
"""


def test_what_is_offered_at_a_wrong_count():
    text = marked(WRONG)
    actions = offered(text.snapshot, text.cursor)
    assert list(actions) == [
        "Correct the user count of relu to 1",
        "Correct all 2 wrong user counts of this graph",
        "Silence FX104 on this line",
    ]
    assert [action.preferred for action in actions.values()] == [True, False, False]
    one = apply(text.text, actions["Correct the user count of relu to 1"])
    assert one == text.text.replace("users=3", "users=1")
    every = apply(text.text, actions["Correct all 2 wrong user counts of this graph"])
    assert every == one.replace("users=7", "users=1")
    silent = apply(text.text, actions["Silence FX104 on this line"])
    assert "args = (%x,), kwargs = {})  # fxgraph: ignore[FX104]\n" in silent


def test_two_graphs_offer_the_whole_file():
    text = marked(WRONG)
    both = text.text + "\n" + text.text
    actions = offered(Snapshot(both), text.cursor)
    assert "Correct all 4 wrong user counts of this file" in actions
    assert Snapshot(apply(both, actions["Correct all 4 wrong user counts of this file"])).findings() == []


def test_nothing_is_offered_elsewhere():
    text = marked(WRONG)
    assert offered(text.snapshot, text.at("return")) == {}
    assert offered(text.snapshot, text.cursor, Choice(ignore=frozenset({"FX104"}))) == {}


def test_correcting_leaves_silenced_counts_alone():
    text = marked(WRONG).text.replace("1), kwargs = {})", "1), kwargs = {})  # fxgraph: ignore[FX104]")
    action = corrected_counts(Snapshot(text), DEFAULTS)
    assert apply(text, action) == text.replace("users=3", "users=1")
    assert corrected_counts(Snapshot(apply(text, action)), DEFAULTS) is None


def test_a_comment_that_is_there_gets_another_code():
    text = marked("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %re|lu : [num_users=3] = call_function[target=torch.relu](args = (%x,), kwargs = {})  # fxgraph: ignore[FX2]
            return relu
    """)
    [_, silence] = offered(text.snapshot, text.cursor).values()
    assert "ignore[FX2, FX104]\n" in apply(text.text, silence)


HEADS = {
    "class <lambda>(torch.nn.Module):": "# fxgraph: ignore[FX301]\nclass <lambda>(torch.nn.Module):",
    "  graph():": "  # fxgraph: ignore[FX301]\n  graph():",
}


def test_above_a_head_the_comment_has_its_own_line():
    text = marked("""
        class G(torch.nn.Module):
            def forward(self, x):
                a = torch.ops.aten.neg.default(x);  x = None
                b = torch.ops.aten.exp.default(a);  a = None
                c = b.relu();  b = None
                return (c,)
    """)
    actions = offered(text.snapshot, 0)
    assert list(actions) == ["Silence FX301 on this line"]
    silent = apply(text.text, actions["Silence FX301 on this line"])
    assert silent.startswith("# fxgraph: ignore[FX301]\nclass G")
    assert [found.severity for found in Snapshot(silent).findings()] == ["warning"]


def test_a_head_in_a_log_has_no_line_above():
    log = """\
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__aot_graphs]  class G(torch.nn.Module):
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__aot_graphs]     def forward(self, x):
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__aot_graphs]         a = torch.ops.aten.neg.default(x);  x = None
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__aot_graphs]         b = torch.ops.aten.exp.default(a);  a = None
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__aot_graphs]         c = b.relu();  b = None
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__aot_graphs]         return (c,)
"""
    snapshot = Snapshot(log)
    assert offered(snapshot, log.index("class G")) == {}
    assert list(offered(snapshot, log.index("c = b"))) == ["Silence FX301 on this line"]


# Every action, over real dumps that were spoiled: its findings are gone, and there is no other one.

SPOILED = {
    "counts": lambda text: re.sub(r"num_users=(\d)\]", lambda match: f"num_users={int(match[1]) + 2}]", text, count=9),
    "a line less": lambda text: "".join(text.splitlines(keepends=True)[:9] + text.splitlines(keepends=True)[10:]),
    "a line twice": lambda text: "".join(text.splitlines(keepends=True)[:9] + text.splitlines(keepends=True)[8:]),
    "no end": lambda text: text[: int(len(text) * 0.8)],
    "carriage returns": lambda text: re.sub(r"num_users=2\]", "num_users=5]", text, count=2).replace("\n", "\r\n"),
    "comments": lambda text: "".join(f"#   {line}" for line in text.replace("users=2", "users=3").splitlines(True)),
}
DUMPS = [path for path in sorted(FIXTURES.glob("2.*/*")) if path.suffix in (".fxgraph", ".py", ".txt", ".log")][::9]


def summary(snapshot: Snapshot) -> Counter[tuple[str, str | None, int]]:
    return Counter((found.code, found.name, found.graph) for found in snapshot.findings())


@pytest.mark.parametrize("spoil", SPOILED)
def test_every_action_takes_its_findings_away_and_brings_none(spoil):
    tried = Counter()
    for path in DUMPS:
        text = SPOILED[spoil](path.read_bytes().decode())
        snapshot = Snapshot(text, str(path))
        before = summary(snapshot)
        for found in snapshot.findings()[:3]:
            for action in quick_fixes(
                snapshot, Span(found.span.start, found.span.start), snapshot.findings(), DEFAULTS
            ):
                assert found in action.findings
                tried[action.title.split()[0]] += 1
                after = summary(Snapshot(apply(text, action), str(path)))
                fixed = Counter((done.code, done.name, done.graph) for done in action.findings)
                new = after - (before - fixed)
                # A node whose count is corrected to none may turn out to be dead, which its count has hidden.
                zero = {edit.text for edit in action.edits} >= {"0"}
                assert {code for code, _, _ in new} <= ({"FX201"} if zero else set()), (path, action.title)
    assert tried["Silence"] > 3
    assert (tried["Correct"] > 3) == (spoil != "no end")


# The project's pyproject.toml.


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[tool.fxgraph]\nignore = ["FX104"]\n'),
        ("[project]\nname = 'a'\n", "[project]\nname = 'a'\n\n[tool.fxgraph]\nignore = [\"FX104\"]\n"),
        ("[a]", '[a]\n\n[tool.fxgraph]\nignore = ["FX104"]\n'),
        ("[tool.fxgraph]", '[tool.fxgraph]\nignore = ["FX104"]\n'),
        (
            '[tool.fxgraph]  # rules\nselect = ["FX1"]\n[z]\nignore = []\n',
            '[tool.fxgraph]  # rules\nignore = ["FX104"]\nselect = ["FX1"]\n[z]\nignore = []\n',
        ),
        ("[tool.fxgraph]\nignore = [ ]\n", '[tool.fxgraph]\nignore = ["FX104" ]\n'),
        ("[tool.fxgraph]\nignore = [\n  'FX2',\n]\n", "[tool.fxgraph]\nignore = [\"FX104\", \n  'FX2',\n]\n"),
    ],
)
def test_ignoring_a_rule_in_the_project(before, after):
    at, inserted = ignoring(before, "FX104")
    assert before[:at] + inserted + before[at:] == after


@pytest.mark.parametrize(
    "text",
    [
        "[tool.fxgraph]\nignore = ['FX1']\n",  # it is ignored already
        "[tool]\nfxgraph = { ignore = ['FX2'] }\n",
        "tool.fxgraph.ignore = ['FX2']\n",
        "[tool.fxgraph\n",
        "text = '''\n[tool.fxgraph]\n'''\n",
    ],
)
def test_a_file_that_cannot_be_edited_safely_is_left_alone(text):
    assert ignoring(text, "FX104") is None
