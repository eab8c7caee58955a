"""A saved value leads from the backward graph's file to the forward graph's, in the folders that tlparse writes."""

from pathlib import Path

import pytest

from fxgraph.features.snapshot import Snapshot
from fxgraph.lsp.siblings import is_saved_elsewhere, saved_elsewhere
from lsp.raw_client import RawClient

FIXTURES = Path(__file__).parents[2] / "fixtures" / "2.13.0"
TLPARSE = FIXTURES / "mlp.compile.tlparse" / "-_0_0_0"


def found_from(path: Path, words: str) -> tuple[str, str] | None:
    """The file and the line that the value at these words leads to."""
    snapshot = Snapshot(path.read_text(encoding="utf-8"), str(path))
    found = saved_elsewhere(path.as_uri(), snapshot, snapshot.text.index(words))
    if found is None:
        return None
    text, around = found.snapshot.text, found.definition.around
    assert text[slice(*found.definition.target)] == snapshot.text[slice(*found.definition.origin)]
    return found.uri.rpartition("/")[2], text[around.start : around.end].partition(" = ")[0]


@pytest.mark.parametrize(
    ("name", "words", "leads_to"),
    [
        ("aot_backward_graph_8.txt", "addmm:", ("aot_forward_graph_7.txt", 'addmm: "f32[2, 8][8, 1]cpu"')),
        ("before_post_grad_graph_24.txt", "mul_2:", ("before_post_grad_graph_10.txt", 'mul_2: "f32[2, 8][8, 1]cpu"')),
        (
            "inductor_post_grad_graph_25.txt",
            "addmm:",
            ("inductor_post_grad_graph_11.txt", 'addmm: "f32[2, 8][8, 1]cpu"'),
        ),
        ("fx_graph_runnable_23.txt", "mul_2,", ("fx_graph_runnable_9.txt", "mul_2")),
        ("before_post_grad_graph_24.txt", "tangents_1:", None),
        ("before_post_grad_graph_10.txt", "primals_1:", None),
    ],
)
def test_files_of_tlparse(name, words, leads_to):
    assert found_from(TLPARSE / name, words) == leads_to


def test_files_that_are_called_alike():
    readable = FIXTURES / "mlp.aot_backward.readable.py"
    assert found_from(readable, "gelu:") == ("mlp.aot_forward.readable.py", 'gelu: "f32[2, 8]"')


def test_folders_of_torch_compile_debug(tmp_path):
    for side in ("forward_1.0", "backward_2.1"):
        source = FIXTURES / f"mlp.inductor_{side.partition('_')[0]}.fx_graph_readable.py"
        target = tmp_path / f"model__0_{side}" / "fx_graph_readable.py"
        target.parent.mkdir()
        target.write_bytes(source.read_bytes())
    name, line = found_from(tmp_path / "model__0_backward_2.1" / "fx_graph_readable.py", "addmm:")
    assert (name, line) == ("fx_graph_readable.py", 'addmm: "f32[2, 8]"')


def test_what_is_no_local_file_is_not_looked_for():
    path = TLPARSE / "aot_backward_graph_8.txt"
    text = path.read_text(encoding="utf-8")
    offset = text.index("addmm:")
    for uri in ("untitled:Untitled-1", f"file://host{path.as_posix()}", "file:///a%00b/aot_backward_graph_8.txt"):
        assert not is_saved_elsewhere(uri, Snapshot(text, path.name), offset)
        assert saved_elsewhere(uri, Snapshot(text, path.name), offset) is None


def test_definition_answers_with_the_other_file():
    path = TLPARSE / "aot_backward_graph_8.txt"
    text = path.read_text(encoding="utf-8")
    forward = TLPARSE / "aot_forward_graph_7.txt"
    lines = forward.read_text(encoding="utf-8").split("\n")
    offset = text.index("addmm:")
    place = {"line": text.count("\n", 0, offset), "character": offset - text.rfind("\n", 0, offset) - 1}
    with RawClient() as client:
        asked = {"textDocument": {"uri": client.open(text, path.as_uri())}, "position": place}
        (found,) = client.ask("textDocument/definition", asked)
    assert found["uri"] == forward.as_uri()
    assert lines[found["range"]["start"]["line"]].lstrip().startswith("addmm: ")
