"""The rules as a whole: their table, their page, and which of them are asked."""

import importlib.util
import re
from pathlib import Path

import pytest

from analysis.checks import check_findings, facts_of
from fxgraph.analysis import RULES, check
from fxgraph.reading import read
from markers import marked

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_of_rules():
    table = {code: (rule.name, rule.severity, rule.default_on) for code, rule in RULES.items()}
    assert table == {
        "FX001": ("unreadable-line", "information", True),
        "FX002": ("cut-graph", "information", True),
        "FX101": ("undefined-name", "error", True),
        "FX102": ("used-before-definition", "error", True),
        "FX103": ("redefined-name", "error", True),
        "FX104": ("wrong-user-count", "warning", True),
        "FX105": ("read-after-free", "error", True),
        "FX201": ("dead-node", "hint", True),
        "FX202": ("unused-with-effect", "information", False),
        "FX203": ("unused-input", "information", False),
        "FX301": ("mixed-levels", "warning", True),
        "FX401": ("unknown-overload", "warning", True),
        "FX402": ("schema-mismatch", "warning", True),
        "FX501": ("shape-disagrees", "information", True),
    }
    assert {code for code, rule in RULES.items() if rule.whole_only} == {
        "FX101", "FX104", "FX201", "FX202", "FX203", "FX301",
    }  # fmt: skip


def test_the_pages_of_rules_and_settings_are_up_to_date():
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "scripts" / "generate_docs.py")
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    for page, text in (("rules.md", generator.rules_page()), ("settings.md", generator.settings_page())):
        assert (ROOT / "docs" / page).read_text(encoding="utf-8") == text, "run: python scripts/generate_docs.py"


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_the_example_of_a_rule_shows_it(rule):
    (example,) = re.findall(r"```text\n(.*?)```", re.sub("^    ", "", rule.doc, flags=re.MULTILINE), re.DOTALL)
    dump = read(example)
    facts = facts_of(dump)
    if rule.code == "FX501":  # torch is not asked here
        facts[0].computed = {1: "f32[3, 2]"}
    found = {finding.code for finding in check(dump, facts, select=set(RULES))}
    assert rule.code in found


SOURCE = """
    graph():
        %x : [num_users=2] = placeholder[target=x]
         ^ FX104
        %mask : [num_users=0] = placeholder[target=mask]
         ^ FX203
        return x
"""


def test_select_and_ignore():
    check_findings(SOURCE, select={"FX104", "FX203"})
    dump = read(marked(SOURCE).text)

    def codes(select=None, ignore=None):
        return [finding.code for finding in check(dump, facts_of(dump), select, ignore)]

    assert codes() == ["FX104"]
    assert codes(ignore={"FX104"}) == []
    assert codes(select={"FX203"}) == ["FX203"]
    assert codes(select={"FX203", "FX104"}, ignore={"FX104"}) == ["FX203"]
    assert codes(select=set()) == []
    assert codes(select={"FX999"}) == []
