"""A session of an editor with a real torch: types, what the build has of an operator, and printed types that are wrong."""

import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from fxgraph.features.hovers.build import build_text
from lsp.raw_client import RawClient, at

CAPABILITIES = {
    "workspace": {"inlayHint": {"refreshSupport": True}},
    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
TEXT = """\
# fxgraph: torch={torch}
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2, 3]"):
        t: "f32[2, 3]" = torch.ops.aten.t.default(x)
        max_1 = torch.ops.aten.max.dim(x, 1);  x = None
        relu = torch.ops.aten.relu.default(t)
        getitem = max_1[0];  max_1 = None
        made = torch.ops.aten.made_up.default(getitem);  getitem = None
        return (relu, made)
"""


def hover(client, uri, line, column):
    return client.ask("textDocument/hover", at(uri, line, column))["contents"]["value"]


def test_a_session(torch_host):
    torch = torch_host.start()["torch"]
    options = {"trusted": True, "torch": {"interpreter": sys.executable}}
    with RawClient(capabilities=CAPABILITIES, initializationOptions=options) as client:
        uri = client.open(TEXT.format(torch=torch))
        assert client.wait_for("textDocument/publishDiagnostics")["diagnostics"] == []
        asked = {"textDocument": {"uri": uri}, "range": WHOLE}
        client.ask("textDocument/inlayHint", asked)
        client.wait_for_request("workspace/inlayHint/refresh")
        found = client.ask("textDocument/inlayHint", asked)
        assert [(hint["label"], hint["tooltip"]) for hint in found] == [
            (": (f32[2], i64[2])", f"propagated by torch {torch}"),
            (": f32[3, 2]", f"propagated by torch {torch}"),
            (": f32[2]", f"propagated by torch {torch}"),
        ]

        told = client.wait_for("textDocument/publishDiagnostics")
        [wrong] = told["diagnostics"]
        assert (wrong["code"], wrong["severity"], wrong["range"]["start"]["line"]) == ("FX501", 3, 3)

        ground = f"(propagated by torch {torch})"
        assert f"`f32[3, 2]`, 24 B; stride `(1, 3)`, device `cpu` {ground}" in hover(client, uri, 5, 9)
        tuple_text = hover(client, uri, 4, 9)
        assert f"A tuple of 2 {ground}:\n\n- `f32[2]`, 8 B; stride `(1,)`, device `cpu`\n" in tuple_text
        assert f"torch {torch} stops here: " in hover(client, uri, 7, 9).replace("`", "")
        assert client.quit()[0] == 0


def test_the_build_tells_of_an_operator(torch_host):
    class Torch:
        def family(self, name):
            return "2.99", torch_host.ask("operator", {"name": name}, keep=False)

    assert build_text(Torch(), "torch.ops.aten.relu.default").startswith("In your torch 2.99: ")
    assert build_text(Torch(), "torch.ops.aten.made_up.default") == "Not in your torch 2.99."
    assert build_text(Torch(), "torch.ops.aten.relu.nothing").startswith("Not in your torch 2.99: the packet has no")
    assert build_text(Torch(), "torch.ops.higher_order.cond") == "In your torch 2.99: a higher-order operator, too."
    assert build_text(Torch(), "torch.ops.demo.foo").startswith("Not registered in your torch 2.99 as it starts")
    assert build_text(Torch(), "torch.ops.aten.max") == "In your torch 2.99: 6 overloads."


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MLP = """\
import torch
from models import Mlp

model = Mlp()
print(torch.fx.symbolic_trace(model).graph)
model(torch.zeros(5, 6))
"""


def test_the_source_of_the_mlp_runs_again(tmp_path):
    """Shapes of what symbolic_trace has printed, in hovers and inlay hints: no type is in the text."""
    (tmp_path / "models.py").write_text((FIXTURES / "models.py").read_text())
    (tmp_path / "mlp.py").write_text(MLP)
    text = (FIXTURES / "2.13.0" / "mlp.symbolic.graph.fxgraph").read_text()
    options = {"trusted": True, "torch": {"interpreter": sys.executable}}
    capabilities = {**CAPABILITIES, "experimental": {"fxgraph": {"confirms": True}}}
    folders = [{"uri": tmp_path.as_uri(), "name": "project"}]
    with RawClient(capabilities=capabilities, initializationOptions=options, workspaceFolders=folders) as client:
        client.answers["fxgraph/confirmRun"] = {"run": True}
        uri = client.open(text, (tmp_path / "mlp.fxgraph").as_uri())
        client.ask("workspace/executeCommand", {"command": "fxgraph.rerunSource", "arguments": [uri]})
        torch = version("torch")
        told = client.wait_for("window/showMessage")
        assert told == {"type": 3, "message": f"mlp.py told the types of 8 values (torch {torch})"}
        ground = f"from the source mlp.py (sha256 {sha256(MLP.encode()).hexdigest()[:12]}), torch {torch}"
        found = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": WHOLE})
        # of x there is an annotation of Python, which tells no sizes
        shapes = ["f32[5, 6]", "f32[5, 8]", "f32[5, 8]", "f32[5, 4]", "f32[5, 1]", "f32[4]", "f32[5, 4]", "f32[5, 4]"]
        assert [(hint["label"], hint["tooltip"]) for hint in found] == [(f": {shape}", ground) for shape in shapes]
        assert f"`f32[5, 4]`, 80 B; stride `(4, 1)`, device `cpu` ({ground})" in hover(client, uri, 8, 6)
        assert f"`f32[5, 6]`, 120 B; stride `(6, 1)`, device `cpu` ({ground})" in hover(client, uri, 1, 6)
        status, log = client.quit()
    assert status == 0 and "torch: starting" not in log  # nothing was asked of another process
