"""Dumps that are called something else are recognised: by the names that torch gives, or by their first lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editors.common import ROOT

FIXTURES = ROOT / "fixtures"
SAMPLES = json.loads((ROOT / "tests" / "editors" / "recognised.json").read_text())
ENDINGS = {"python": ".py", "log": ".log", "plaintext": ".txt"}

DEBUG = "torch_compile_debug/run_2026-pid_1/torchinductor/model__0_forward_1.0"
NAMED = [
    *(f"dynamo_output_graph_{n}.txt" for n in (1, 12)),
    *("aot_joint_graph_4.txt", "aot_forward_graph_7.txt", "aot_backward_graph_8.txt", "aot_inference_graph_5.txt"),
    *("before_pre_grad_graph_2.txt", "after_pre_grad_graph_3.txt", "before_joint_graph_7.txt"),
    *("before_post_grad_graph_10.txt", "after_post_grad_graph_11.txt", "inductor_pre_grad_graph_3.txt"),
    *("inductor_post_grad_graph_11.txt", "compiled_autograd_graph_7.txt", "exported_program_3.txt"),
    *("optimize_ddp_split_graph_5.txt", "optimize_ddp_split_child_submod_0_6.txt", "fx_graph_runnable_9.txt"),
    *("inductor_output_code_cnby_12.txt", "run1.dynamo_output_graph_1.txt", "dedicated_log_torch_trace_rank_0_x.log"),
    *(f"{DEBUG}/{name}.py" for name in ("fx_graph_readable", "fx_graph_runnable", "fx_graph_transformed")),
    f"{DEBUG}/output_code.py",
    *("-_0_0_0_aot_joint_graph_4.txt", "2_0_0__fx_graph_runnable_44.txt", "model__0.0__fx_graph_readable.py"),
]
PROGRAMS = [
    *("exported_program.py", "test_exported_program.py", "make_dynamo_output_graph.py", "dynamo_output_graph.py"),
    *("run_fx_graph_runnable.py", "test_fx_graph_runnable.py", "aot_joint_graph_4.py", "inductor_output_code.py"),
]
OTHERS = {
    "aot_forward_graph_fw_metadata_6.txt": "text",
    "make_dynamo_output_graph.txt": "text",
    "output_code.py": "python",
    "notes.txt": "text",
    **dict.fromkeys(PROGRAMS, "python"),
}


@pytest.fixture
def filetypes(run_neovim, tmp_path: Path):
    """The filetypes of these files, {name: text}, by name."""

    def opened(files: dict[str, str], *commands: str) -> dict[str, object]:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        paths = [str(tmp_path / name) for name in files]
        seen = run_neovim("filetypes.lua", tmp_path / "any", *commands, FXGRAPH_TEST_FILES=json.dumps(paths))
        return {name: seen[path] for name, path in zip(files, paths, strict=True)}

    return opened


def test_by_name(filetypes) -> None:
    expected = dict.fromkeys(NAMED, "fxgraph") | OTHERS
    assert filetypes(dict.fromkeys(expected, "")) == expected


def test_a_doubtful_name_leaves_it_to_the_first_lines(filetypes) -> None:
    code = (FIXTURES / "2.13.0" / "mlp.aot_forward.readable.py").read_text()
    assert filetypes(dict.fromkeys(PROGRAMS, code)) == dict.fromkeys(PROGRAMS, "fxgraph")


def test_by_the_first_lines(filetypes) -> None:
    files = {f"{n}{ENDINGS[sample['language']]}": sample for n, sample in enumerate(SAMPLES)}
    seen = filetypes({name: sample["text"] for name, sample in files.items()})
    wrong = [files[name]["why"] for name, found in seen.items() if (found == "fxgraph") != files[name]["dump"]]
    assert wrong == []


def test_every_fixture_with_a_graph(run_neovim) -> None:
    paths = [path for path in sorted(FIXTURES.glob("2.13.0/**/*")) if path.suffix in (".py", ".txt", ".log")]
    assert len(paths) > 100
    seen = run_neovim("filetypes.lua", paths[0], FXGRAPH_TEST_FILES=json.dumps([str(path) for path in paths]))
    # code that inductor wrote for a CPU holds no graph
    missed = [path for path in paths if seen[str(path)] != "fxgraph"]
    assert [path for path in missed if not path.name.endswith("output_code.py")] == []


def test_programs_are_no_dumps(run_neovim) -> None:
    paths = [path for folder in ("server", "tests", "scripts") for path in sorted((ROOT / folder).rglob("*.py"))]
    paths = [path for path in paths if "node_modules" not in path.parts]
    assert len(paths) > 150
    seen = run_neovim("filetypes.lua", paths[0], FXGRAPH_TEST_FILES=json.dumps([str(path) for path in paths]))
    assert [path for path in paths if seen[str(path)] != "python"] == []


def test_a_variable_keeps_python(filetypes) -> None:
    code = (FIXTURES / "2.13.0" / "mlp.aot_forward.readable.py").read_text()
    files = {"dump.py": code, "fx_graph_readable.py": code, "dump.txt": code}
    assert set(filetypes(files).values()) == {"fxgraph"}
    kept = filetypes(files, "let g:fxgraph_keep_python = v:true")
    assert kept == {"dump.py": "python", "fx_graph_readable.py": "python", "dump.txt": "fxgraph"}


def test_only_the_first_64_kilobytes_are_looked_at(filetypes) -> None:
    graph = (FIXTURES / "2.13.0" / "mlp.aot_joint.graph.fxgraph").read_text()
    long = "x " * 2_000_000 + "\n"
    seen = filetypes(
        {"late.txt": "prose\n" * 11_000 + graph, "early.txt": "prose\n" * 10_000 + graph, "wide.txt": long + graph}
    )
    assert seen == {"late.txt": "text", "early.txt": "fxgraph", "wide.txt": "fxgraph"}
