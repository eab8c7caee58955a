"""A session of an editor with a real torch: types, what the build has of an operator, and printed types that are wrong."""

import sys

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
