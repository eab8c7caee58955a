"""A session of eglot, in an Emacs without a screen, set up by the lines that the README shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from editors.common import DUMP, ROOT, place, readme_snippet

HERE = Path(__file__).parent


def at(words: str, inside: str) -> list[int]:
    """Line from 1 and column from 0, as Emacs counts."""
    line, before = place(words, inside)
    return [line, len(before)]


STEPS = [
    {"key": "definition", "does": "definition", "at": at("[%relu, %neg]", "neg")},
    {"key": "references", "does": "references", "at": at("%relu : [", "relu")},
    {"key": "hover", "does": "hover", "at": at("%neg : [", "neg")},
    {"key": "symbols", "does": "symbols", "at": [1, 0]},
    {"key": "diagnostics", "does": "diagnostics", "at": [1, 0], "with": [[3, 5]]},
]


def session(home: Path, steps: list[dict[str, object]], *setup: str) -> dict[str, object]:
    """What an Emacs in this home folder sees, set up by the README and then by these lines."""
    program = shutil.which("emacs")
    assert program, "Emacs is missing"
    init, file, out = home / "init.el", home / "net.fxgraph", home / "out.json"
    init.write_text("\n".join([readme_snippet("elisp"), *setup]))
    file.write_text(DUMP, encoding="utf-8")
    environment = os.environ | {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
        "FXGRAPH_TEST_FILE": str(file),
        "FXGRAPH_TEST_OUT": str(out),
        "FXGRAPH_TEST_STEPS": json.dumps(steps),
    }
    done = subprocess.run(
        [program, "-q", "--batch", "--eval", "(package-initialize)", "-l", init, "-l", HERE / "session.el"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert out.exists(), f"emacs ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return json.loads(out.read_text())


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return session(tmp_path_factory.mktemp("home"), STEPS)


def test_mode(seen) -> None:
    assert seen["mode"] == "fxgraph-mode"


def test_definition(seen) -> None:
    assert seen["definition"] == at("%neg : [", "neg")


def test_references(seen) -> None:
    places = [("%relu : [", "relu"), ("(%relu,)", "relu"), ("[%relu, %neg]", "relu")]
    assert sorted(seen["references"]) == [at(*words) for words in places]


def test_hover(seen) -> None:
    assert "call_function" in seen["hover"]


def test_symbols(seen) -> None:
    for name in ("x", "relu", "neg", "abs_1", "einsum"):
        assert any(name in row.split() for row in seen["symbols"]), f"{name} is not in {seen['symbols']}"


def test_diagnostics(seen) -> None:
    assert any("`relu` is printed with 3 users" in text for text in seen["diagnostics"])
    assert any("`abs_1` is dead" in text for text in seen["diagnostics"])


def test_settings(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "settings.md").read_text()
    setting = next(line for line in page.splitlines() if "eglot-workspace-configuration" in line)
    step = {"key": "diagnostics", "does": "diagnostics", "at": [1, 0], "with": [[5]]}
    found = session(tmp_path, [step], setting)["diagnostics"]
    assert len(found) == 1
    assert "`abs_1` is dead" in found[0]
