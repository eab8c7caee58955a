"""Links are looked up on the disk when followed, and not before."""

import pytest

from fxgraph.lsp.links import existing_file
from lsp.raw_client import RawClient

TEXT = """class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        # File: pkg/model.py:3 in forward, code: y = x.relu()
        relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None

        # File: gone.py:4 in forward, code: return y
        neg: "f32[2]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
"""


def test_a_link_leads_to_the_file_below_a_workspace_folder(tmp_path):
    source = tmp_path / "pkg" / "model.py"
    source.parent.mkdir()
    source.write_text("")
    folders = [{"uri": tmp_path.as_uri(), "name": "w"}]
    with RawClient(workspaceFolders=folders) as client:
        document = {"textDocument": {"uri": client.open(TEXT, "untitled:Untitled-1")}}
        found, gone = client.ask("textDocument/documentLink", document)
        assert "target" not in found
        assert client.ask("documentLink/resolve", found)["target"] == f"{source.resolve().as_uri()}#L3"
        assert "target" not in client.ask("documentLink/resolve", gone)  # a missing file is no error
        folded = client.ask("textDocument/foldingRange", document)
        assert [(fold["startLine"], fold["endLine"]) for fold in folded] == [(0, 7), (2, 3), (5, 6)]


@pytest.mark.parametrize("path", ["//host/share/x.py", "\\\\host\\share\\x.py", "/\\host/x.py", "a\0b", "x" * 5000, ""])
def test_what_is_never_looked_up(path, tmp_path):
    assert existing_file(path, [str(tmp_path)]) is None
