"""A real Neovim, in a home folder of its own, set up by the lines that the README shows."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent

RunNeovim = Callable[..., dict[str, object]]


def readme_snippet(language: str) -> str:
    """The one fenced block of this language in the README."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1, f"the README shows {len(blocks)} blocks of {language}"
    return blocks[0]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with the checkout at ~/fxgraph and the README's lines in Neovim's init.lua."""
    home = tmp_path_factory.mktemp("home")
    (home / "fxgraph").symlink_to(ROOT)
    config = home / ".config" / "nvim"
    config.mkdir(parents=True)
    (config / "init.lua").write_text(readme_snippet("lua"))
    return home


@pytest.fixture(scope="session")
def run_neovim(home: Path) -> RunNeovim:
    """Runs a Lua file of this folder in a Neovim that started as a user's does, and returns the JSON it wrote."""
    program = os.environ.get("NVIM") or shutil.which("nvim")
    assert program, "set NVIM to a Neovim 0.11 or newer"

    def run(script: str, file: Path, **variables: str) -> dict[str, object]:
        out = home / "out.json"
        out.unlink(missing_ok=True)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
        environment |= {
            "HOME": str(home),
            "FXGRAPH_TEST_FILE": str(file),
            "FXGRAPH_TEST_OUT": str(out),
            **variables,
        }
        done = subprocess.run(
            [program, "--headless", "-c", f"luafile {HERE / script}", "-c", "cquit!"],
            env=environment,
            cwd=file.parent,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert out.exists() and not done.stderr, f"nvim ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        result: dict[str, object] = json.loads(out.read_text())
        return result

    return run
