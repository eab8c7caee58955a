"""The host under real Pythons: with torch, without, with one that is too old, and with traps around it."""

import subprocess
import sys
from pathlib import Path

import pytest

from fxgraph.cli import main
from fxgraph.torchhost import HostError, TorchHost, choices
from with_torch.propagation import propagated

HOST = Path(__file__).resolve().parents[2] / "server" / "fxgraph" / "torchhost" / "host"


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory):
    """The Python of a new environment, and its folder for modules."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    return folder / "bin" / "python", site


def test_hello_and_counts():
    """Of a fresh host: what others propagate registers more operators."""
    import torch

    host = TorchHost(choices(named=sys.executable))
    hello = host.start()
    assert hello["torch"] == torch.__version__
    if torch.__version__.startswith("2.13.0"):
        assert hello["counts"] == {"names": 863, "overloads": 2115, "without": 7, "prims": 133}
        assert host.ask("schemas") == {
            "aten_names": 1730,
            "aten_overloads": 3754,
            "prims_names": 126,
            "prims_overloads": 126,
            "schemas": 4374,
        }
    host.close()


def test_family(torch_host):
    found = torch_host.ask("operator", {"name": "aten.relu"})
    default, out = found["overloads"]
    assert (default["name"], default["schema"]) == ("default", "aten::relu(Tensor self) -> Tensor")
    assert {"core", "pointwise"} <= set(default["tags"])
    assert out["schema"] == "aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    assert found["overloads"][0]["has_decomposition"] and found["overloads"][0]["has_meta"]
    script_only = torch_host.ask("operator", {"name": "aten.save"})["overloads"]
    assert [one["is_script_only"] for one in script_only] == [True]
    assert torch_host.ask("operator", {"name": "demo.foo"})["overloads"] == []
    assert torch_host.ask("operator", {"name": "aten.__doc__"})["overloads"] == []
    assert torch_host.ask("operator", {"name": "higher_order.cond"})["higher_order"]


def test_no_torch(bare_python):
    python, _ = bare_python
    host = TorchHost(choices(named=str(python)))
    with pytest.raises(HostError, match=f"^no torch to ask: {python}: has no torch$"):
        host.start()
    host.close()


def test_a_torch_that_is_too_old(bare_python):
    python, site = bare_python
    (site / "torch.py").write_text("__version__ = '1.13.1+cpu'")
    try:
        host = TorchHost(choices(named=str(python)))
        with pytest.raises(HostError, match=r"its torch 1.13.1\+cpu is too old: 2.2 or newer is needed$"):
            host.start()
    finally:
        host.close()
        (site / "torch.py").unlink()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise OSError('libtorch.so:\\n not found')", "its torch cannot be imported: OSError: libtorch.so: not found"),
        (
            "import no_such_module",
            "its torch cannot be imported: ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("import sys; sys.exit(3)", "its torch cannot be imported: SystemExit: 3"),
        ("import os; os._exit(3)", r"the host does not start under it: its process ended \(exit status 3\)"),
        ("import os; os.write(1, b'noise\\n'); raise ImportError('x')", "its torch cannot be imported: ImportError: x"),
    ],
)
def test_a_torch_that_is_broken(bare_python, body, words):
    python, site = bare_python
    (site / "torch.py").write_text(body)
    try:
        host = TorchHost(choices(named=str(python)))
        with pytest.raises(HostError, match=f"^no torch to ask: {python}: {words}$"):
            host.start()
    finally:
        host.close()
        (site / "torch.py").unlink()


def test_what_is_planted_in_the_workspace_is_not_imported(tmp_path, monkeypatch):
    trap = f"open({str(tmp_path / 'sprung')!r}, 'a').write(__name__)"
    for name in ("torch", "fxgraph", "sitecustomize", "usercustomize", "fxgraph_host", "json", "platform", "sympy"):
        (tmp_path / f"{name}.py").write_text(trap)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "torch.py"))
    host = TorchHost(choices(named=sys.executable))
    assert "torch" in host.start()
    assert host.ask("operator", {"name": "aten.relu"})["overloads"]
    host.close()
    assert not (tmp_path / "sprung").exists()
    # the traps are sharp: Python that is started here without -I imports them
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    assert (tmp_path / "sprung").read_text() == "sitecustomizetorch"


DEMO = """
import torch
library = torch.library.Library("demo_of_a_package", "DEF")
library.define("twice(Tensor x) -> Tensor")
library.impl("twice", lambda x: torch.cat([x, x]), "Meta")
print("noise")
"""


def test_custom_operators_of_packages_that_the_user_names(bare_python, tmp_path, monkeypatch):
    """A package beside torch is imported; one of the same right in the workspace, which is planted, is not found."""
    import torch

    python, site = bare_python
    (site / "torch.pth").write_text(str(Path(torch.__file__).parents[1]))
    (site / "demo_ops.py").write_text(DEMO)
    (tmp_path / "planted.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    lines: list[str] = []
    host = TorchHost(choices(named=str(python)), imports=["planted", "demo_ops"], log=lines.append)
    try:
        counts = host.start()["counts"]
        if torch.__version__.startswith("2.13.0"):
            assert counts["overloads"] == 2115  # taken before anything was imported
        assert lines[-2:] == [
            "torch: imported demo_ops, as fxgraph.torch.imports says",
            "torch: planted, of fxgraph.torch.imports, was not imported: ModuleNotFoundError: No module named 'planted'",
        ]
        (overload,) = host.ask("operator", {"name": "demo_of_a_package.twice"})["overloads"]
        assert (overload["name"], overload["has_meta"]) == ("default", True)
        found = propagated(
            host,
            "graph():\n"
            "    %x : [num_users=1] = placeholder[target=x]\n"
            "    %twice : [num_users=1] = call_function[target=torch.ops.demo_of_a_package.twice.default](args = (%x,), kwargs = {})\n"
            "    return twice\n",
            {"x": "f32[2, 3]"},
        )
        assert found["twice"]["type"] == "f32[4, 3]"
    finally:
        host.close()
        (site / "torch.pth").unlink()
        (site / "demo_ops.py").unlink()
    assert not (tmp_path / "sprung").exists()


def test_counts_on_the_screen(capsys):
    import torch

    assert main(["ops", "--counts", "--python", sys.executable]) == 0
    first, by_dir, by_schemas, note = capsys.readouterr().out.splitlines()
    assert first.startswith(f"torch {torch.__version__}, Python ")
    if torch.__version__.startswith("2.13.0"):
        assert by_dir == (
            "by dir(), fresh process:  torch.ops.aten 863 names, 2,115 overloads, 7 without overloads; "
            "torch.ops.prims 133 names"
        )
        assert by_schemas == (
            "by registered schemas:    aten 1,730 names, 3,754 overloads; prims 126 names; "
            "4,374 schemas in all namespaces"
        )
    assert note.startswith("dir() lists only operators that something has looked up")


def test_family_on_the_screen(capsys):
    assert main(["ops", "aten.relu.out", "--python", sys.executable]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("aten.relu: 2 overloads in your torch ")
    assert lines[3] == "> out      aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    assert main(["ops", "aten.relu.nope", "--python", sys.executable]) == 2
    assert capsys.readouterr().err.endswith(" has no operator 'aten.relu.nope'\n")


def test_no_torch_on_the_screen(capsys, bare_python):
    python, _ = bare_python
    assert main(["ops", "--counts", "--python", str(python)]) == 2
    captured = capsys.readouterr()
    assert captured.err == f"fxgraph: no torch to ask: {python}: has no torch\n"
    assert captured.out == ""


def test_a_torch_function_is_asked_by_the_operator_that_it_likely_means(capsys):
    assert main(["ops", "torch.relu", "--python", sys.executable]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "'torch.relu' is no operator's full name; by its name this family is likely meant:"
    assert second.startswith("aten.relu: 2 overloads in your torch ")
