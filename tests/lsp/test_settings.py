import pytest

from fxgraph.lsp.settings import Settings, settings_of


@pytest.mark.parametrize(
    ("sent", "settings"),
    [
        (None, Settings()),
        ({}, Settings()),
        ({"rules": {}}, Settings()),
        ({"rules": {"select": None, "ignore": []}}, Settings()),
        ({"rules": {"ignore": ["fx201 ", "mixed-levels"]}}, Settings(None, frozenset({"FX201", "FX301"}))),
        ({"rules": {"select": ["FX2"]}}, Settings(frozenset({"FX201", "FX202", "FX203"}))),
        ({"fxgraph": {"rules": {"select": ["FX202"]}}}, Settings(frozenset({"FX202"}))),
        ({"inlayHints": {"types": None}}, Settings()),
        ({"inlayHints": {"types": False, "lastUses": True}}, Settings(hints=frozenset({"inputs", "lastUses"}))),
        ({"torch": {"enabled": "auto", "interpreter": " "}}, Settings()),
        ({"torch": {"enabled": False, "interpreter": "/e/python"}}, Settings(torch=False, python="/e/python")),
        ({"torch": {"imports": ["demo", "a.b", "demo"]}}, Settings(imports=("demo", "a.b"))),
        ({"somethingElse": 1, "rules": {"select": ["FX202"]}}, Settings(frozenset({"FX202"}))),
    ],
)
def test_settings(sent, settings):
    complaints: list[str] = []
    assert settings_of(sent, complaints.append) == settings
    assert not complaints


@pytest.mark.parametrize(
    ("sent", "settings", "complaint"),
    [
        ([], Settings(), "fxgraph must be an object, not list: the defaults hold"),
        (
            {"rules": {"ignore": ["FX201", "FX999"]}},
            Settings(None, frozenset({"FX201"})),
            "fxgraph.rules.ignore: no rule is called 'FX999'",
        ),
        ({"rules": "FX104"}, Settings(), "fxgraph.rules must be an object, not str: the defaults hold"),
        *[
            (
                {"torch": {"imports": wrong}},
                Settings(),
                "fxgraph.torch.imports must be a list of names of packages: none is imported",
            )
            for wrong in ("demo", ["demo", "os.system('x')"], ["../demo"], [3], ["a..b"], {"demo": 1})
        ],
        ({"inlayHints": True}, Settings(), "fxgraph.inlayHints must be an object, not bool: the defaults hold"),
        (
            {"inlayHints": {"inputs": "off"}},
            Settings(),
            "fxgraph.inlayHints.inputs must be true or false: the default holds",
        ),
        (
            {"torch": {"enabled": "on"}},
            Settings(torch=False),
            'fxgraph.torch.enabled must be true, false or "auto": nothing asks torch',
        ),
        (
            {"torch": {"enabled": True, "interpreter": ["python"]}},
            Settings(torch=False),
            "fxgraph.torch.interpreter must be a path: nothing asks torch",
        ),
        (
            {"symbols": {"folders": "yes"}},
            Settings(),
            "fxgraph.symbols.folders must be true or false: the default holds",
        ),
        (
            {"rules": {"select": "FX104"}},
            Settings(),
            "fxgraph.rules.select must be a list of rule codes: the default holds",
        ),
        (
            {"rules": {"select": ["FX202"], "ignore": [201]}},
            Settings(frozenset({"FX202"})),
            "fxgraph.rules.ignore must be a list of rule codes: the default holds",
        ),
    ],
)
def test_a_setting_of_a_wrong_type_is_told_and_its_default_holds(sent, settings, complaint):
    complaints: list[str] = []
    assert settings_of(sent, complaints.append) == settings
    assert complaints == [complaint]
