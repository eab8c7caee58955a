"""A session with the server that `fxgraph serve` starts: the keys a user presses, and what they show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors.common import DUMP, place


def at(words: str, inside: str) -> list[int]:
    """Line and byte column, both from 1, as Neovim shows them."""
    line, before = place(words, inside)
    return [line, len(before.encode()) + 1]


STEPS = [
    {"key": "definition", "does": "definition", "at": at("[%relu, %neg]", "neg")},
    {"key": "definition_from_return", "does": "definition", "at": at("return (einsum", "einsum")},
    {"key": "references", "does": "references", "at": at("%relu : [", "relu")},
    {"key": "node", "does": "hover", "at": at("%neg : [", "neg")},
    {"key": "target", "does": "hover", "at": at("torch.ops.aten.neg.default", "neg")},
    {"key": "highlights", "does": "highlights", "at": at("[%relu, %neg]", "neg")},
    {"key": "symbols", "does": "symbols", "at": (1, 1)},
    {"key": "edit", "does": "edit", "at": (3, 1), "text": DUMP.splitlines()[2].replace("num_users=3", "num_users=2")},
]

# Modules that the server imports: of these names in the workspace none may run.
PLANTED = ("fxgraph.py", "pygls.py", "attr.py", "lsprotocol.py", "sitecustomize.py", "usercustomize.py", "json.py")


@pytest.fixture(scope="module")
def seen(run_neovim, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    workspace = tmp_path_factory.mktemp("workspace")
    (workspace / ".git").mkdir()
    folder = workspace / "dumps of é"
    folder.mkdir()
    file = folder / "net.fxgraph"
    file.write_text(DUMP, encoding="utf-8")
    witness = workspace / "ran"
    for name in PLANTED:
        for where in (workspace, folder):
            (where / name).write_text(f"open({str(witness)!r}, 'a').write(__file__)")
    seen = run_neovim("session.lua", file, FXGRAPH_TEST_FINDINGS="FX104 FX201", FXGRAPH_TEST_STEPS=json.dumps(STEPS))
    seen["ran"] = witness.read_text() if witness.exists() else None
    assert seen.get("problem") is None
    assert Path(seen["root"]) == workspace
    return seen


def test_nothing_of_the_workspace_runs(seen) -> None:
    assert seen["ran"] is None


def test_columns_are_bytes(seen) -> None:
    assert seen["encoding"] == "utf-8"


def test_findings(seen) -> None:
    found = {d["code"]: d for d in seen["diagnostics"]}
    assert set(found) == {"FX104", "FX201"}
    assert (found["FX104"]["line"], found["FX104"]["severity"]) == (3, "WARN")
    assert (found["FX201"]["line"], found["FX201"]["severity"], found["FX201"]["unnecessary"]) == (5, "HINT", True)
    assert not found["FX104"]["unnecessary"]


def test_findings_follow_an_edit(seen) -> None:
    assert [d["code"] for d in seen["edit"]] == ["FX201"]


def test_definition(seen) -> None:
    assert seen["definition"] == at("%neg : [", "neg")
    assert seen["definition_from_return"] == at("%einsum : [", "einsum")


def test_references(seen) -> None:
    places = [at("%relu : [", "relu"), at("(%relu,)", "relu"), at("[%relu, %neg]", "relu")]
    assert [row[:2] for row in seen["references"]] == places


def test_highlights(seen) -> None:
    definition, use = at("%neg : [", "neg"), at("[%relu, %neg]", "neg")
    assert sorted(seen["highlights"]) == [[*definition, "LspReferenceWrite"], [*use, "LspReferenceRead"]]


def test_hovers(seen) -> None:
    assert "call_function" in seen["node"]
    assert "`relu`" in seen["node"]
    assert "aten.neg" in seen["target"]
    assert "Tensor self" in seen["target"]


def test_symbols(seen) -> None:
    rows = [" ".join(row[2].split()) for row in seen["symbols"]]
    for name in ("x", "relu", "neg", "abs_1", "einsum"):
        assert any(name in row.split() for row in rows), f"{name} is not in {rows}"


def test_settings(run_neovim, tmp_path: Path) -> None:
    file = tmp_path / "net.fxgraph"
    file.write_text(DUMP, encoding="utf-8")
    setting = "lua vim.lsp.config('fxgraph', { settings = { fxgraph = { rules = { ignore = { 'FX104' } } } } })"
    seen = run_neovim("session.lua", file, setting, FXGRAPH_TEST_FINDINGS="FX201", FXGRAPH_TEST_STEPS="[]")
    assert seen.get("problem") is None
    assert [d["code"] for d in seen["diagnostics"]] == ["FX201"]
