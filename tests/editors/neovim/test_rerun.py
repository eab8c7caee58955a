"""The source of a dump is run again in Neovim: where the user's settings allow it, and once they agreed."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

DUMP = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    return relu
"""
#: A Python that runs the script without hooks, and writes what they would write.
PYTHON = f"""\
#!{sys.executable} -I
import json, os, sys
types = {{"relu": {{"type": "f32[2]"}}}}
entries = [{{"began": 1, "torch": "9.9"}}, {{"graph": 1, "form": "graph_str", "text": {DUMP!r}, "types": types}}]
with open(json.loads(os.environ["FXGRAPH_JOB"])["folder"] + "/1.jsonl", "w") as journal:
    journal.write("\\n".join(map(json.dumps, entries)))
"""


def test_the_source_runs_again(run_neovim, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    for name, text in {"net.fxgraph": DUMP, "net.py": "pass\n", "pyproject.toml": ""}.items():
        (folder / name).write_text(text)
    python = tmp_path / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    torch = json.dumps({"enabled": True, "interpreter": str(python)})
    settings = (
        f"lua vim.lsp.config('fxgraph', {{ settings = {{ fxgraph = {{ torch = vim.json.decode([[{torch}]]) }} }} }})"
    )
    seen = run_neovim("rerun.lua", folder / "net.fxgraph", settings)
    assert seen.get("problem") is None
    assert "from the source" not in seen["before"]
    digest = sha256(b"pass\n").hexdigest()
    for prompt, titles in seen["asked"]:
        assert str(folder / "net.py") in prompt and digest in prompt
        assert titles == ["Run", "Cancel"]
    assert len(seen["asked"]) == 2
    assert seen["said"] == "net.py told the types of 1 value (torch 9.9)"
    assert "Re-run source for shapes (net.py)" in seen["lenses"]
    assert f"`f32[2]` (from the source net.py (sha256 {digest[:12]}), torch 9.9)" in seen["after"]
