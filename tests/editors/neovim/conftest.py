"""A real Neovim, in a home folder of its own, set up by the lines that the README shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from editors.common import ROOT, readme_snippet

HERE = Path(__file__).parent

RunNeovim = Callable[..., dict[str, object]]


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
    """Runs a Lua file of this folder in a Neovim that started as a user's does, and returns the JSON it wrote.

    `commands` go before it, as if the user had typed them.
    """
    program = os.environ.get("NVIM") or shutil.which("nvim")
    assert program, "set NVIM to a Neovim 0.11 or newer"

    def run(script: str, file: Path, *commands: str, **variables: str) -> dict[str, object]:
        out = home / "out.json"
        out.unlink(missing_ok=True)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
        environment |= {
            "HOME": str(home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "FXGRAPH_TEST_FILE": str(file),
            "FXGRAPH_TEST_OUT": str(out),
            **variables,
        }
        setup = [word for command in commands for word in ("-c", command)]
        done = subprocess.run(
            [program, "--headless", *setup, "-c", f"luafile {HERE / script}", "-c", "cquit!"],
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
