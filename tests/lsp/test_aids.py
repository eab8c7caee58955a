"""Whole sessions: inlay hints and their settings, code lenses and the table, data flow, selections."""

from lsp.raw_client import RawClient, at

TEXT = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%x, [1]), kwargs = {})
    %f : [num_users=1] = call_function[target=my.op](args = ("🔥", %sum_1), kwargs = {})
    return f
"""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}}


def test_inlay_hints_by_settings():
    capabilities = {"workspace": {"inlayHint": {"refreshSupport": True}}}
    with RawClient(capabilities=capabilities) as client:
        uri = client.open(TEXT)
        asked = {"textDocument": {"uri": uri}, "range": WHOLE}
        assert client.ask("textDocument/inlayHint", asked) == []

        chosen = {"fxgraph": {"inlayHints": {"lastUses": True, "argumentNames": True}}}
        client.tell("workspace/didChangeConfiguration", {"settings": chosen})
        found = client.ask("textDocument/inlayHint", asked)
        assert [request["method"] for request in client.requests] == ["workspace/inlayHint/refresh"]
        places = [(hint["label"], hint["position"]["line"], hint["position"]["character"]) for hint in found]
        record, fire = TEXT.splitlines()[2:4]
        assert places == [
            ("dim:", 2, record.index("[1]")),
            (";  x = None", 2, len(record)),
            (";  sum_1 = None", 3, len(fire) + 1),  # the fire takes two units of UTF-16
        ]
        assert client.quit()[0] == 0


def test_a_signature_names_inputs_by_default():
    text = (
        'ExportedProgram:\n    class GraphModule(torch.nn.Module):\n        def forward(self, p_w: "f32[2]"):\n'
        "            return (p_w,)\n\nGraph signature:\n    # inputs\n    p_w: PARAMETER target='fc.weight'\n"
    )
    with RawClient() as client:
        uri = client.open(text)
        [hint] = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": WHOLE})
        assert hint == {
            "position": {"line": 2, "character": 29},
            "label": "= fc.weight",
            "tooltip": "the graph's signature",
            "paddingLeft": True,
        }


def test_code_lenses_and_the_table_behind_them():
    with RawClient() as client:
        uri = client.open(TEXT)
        [lens] = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        assert lens["range"]["start"] == {"line": 0, "character": 0}
        assert lens["command"] == {
            "title": "aten, 4 nodes, 1 input",
            "command": "fxgraph.showTable",
            "arguments": [uri, 0],
        }

        [command, *_] = client.initialized["capabilities"]["executeCommandProvider"]["commands"]
        table = client.ask("workspace/executeCommand", {"command": command, "arguments": [uri, 0]})
        assert [line.split()[:2] for line in table.splitlines()[3:]] == [
            ["placeholder", "x"],
            ["call_function", "sum_1"],
            ["call_function", "f"],
            ["output", "output"],
        ]
        for arguments in ([uri], [uri, "0"], [uri, None]):
            refused = client.ask("workspace/executeCommand", {"command": command, "arguments": arguments})
            assert refused["code"] == -32602
        assert client.ask("workspace/executeCommand", {"command": command, "arguments": ["file:///gone", 0]}) is None
        assert client.ask("workspace/executeCommand", {"command": command}) is None
        assert client.ask("workspace/executeCommand", {"command": "rm", "arguments": [uri, 0]})["code"] == -32602
        assert client.ask("workspace/executeCommand", {"command": "rm", "arguments": []})["code"] == -32602


def test_data_flow_as_a_call_hierarchy():
    with RawClient() as client:
        uri = client.open(TEXT)
        [item] = client.ask("textDocument/prepareCallHierarchy", at(uri, 2, 7))
        assert (item["name"], item["detail"], item["uri"]) == ("sum_1", "aten.sum.dim_IntList", uri)
        [source] = client.ask("callHierarchy/incomingCalls", {"item": item})
        assert source["from"]["name"] == "x"
        assert source["fromRanges"] == [source["from"]["selectionRange"]]
        [user] = client.ask("callHierarchy/outgoingCalls", {"item": item})
        assert user["to"]["name"] == "f"
        column = TEXT.splitlines()[3].index("sum_1") + 1
        assert user["fromRanges"][0]["start"] == {"line": 3, "character": column}
        assert client.ask("textDocument/prepareCallHierarchy", at(uri, 0, 1)) is None


def test_selections_grow():
    with RawClient() as client:
        uri = client.open(TEXT)
        positions = [{"line": 2, "character": 7}, {"line": 99, "character": 0}]
        asked = {"textDocument": {"uri": uri}, "positions": positions}
        inner, beside = client.ask("textDocument/selectionRange", asked)
        assert inner["range"] == {"start": {"line": 2, "character": 5}, "end": {"line": 2, "character": 10}}
        chain = []
        while inner is not None:
            chain.append(inner["range"])
            inner = inner.get("parent")
        assert chain[-1]["start"] == {"line": 0, "character": 0}
        assert len(chain) == 4  # name, record, graph, document
        assert "parent" not in beside
