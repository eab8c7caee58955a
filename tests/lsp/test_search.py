"""Questions about all open dumps and about a folder."""

from lsp.raw_client import RawClient

ONE = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
"""
TWO = ONE.replace("relu", "neg")


def find(client, filter, **more):
    progress = {"workDoneToken": more.pop("token")} if "token" in more else {}
    return client.ask(
        "workspace/executeCommand", {"command": "fxgraph.find", "arguments": [{"filter": filter, **more}], **progress}
    )


def shown(answer):
    return [(one["uri"], one["name"], one["range"]["start"]) for one in answer["locations"]]


def test_symbols_of_all_open_dumps():
    with RawClient() as client:
        assert client.initialized["capabilities"]["workspaceSymbolProvider"] is True
        client.open(ONE, "file:///w/one.fxgraph")
        client.open(TWO, "untitled:two")
        found = client.ask("workspace/symbol", {"query": "X"})
        assert [(one["name"], one["location"]["uri"]) for one in found] == [
            ("x", "file:///w/one.fxgraph"),
            ("x", "untitled:two"),
        ]
        [graph, _] = client.ask("workspace/symbol", {"query": ""})
        assert (graph["name"], graph["kind"], graph["containerName"]) == ("graph", 2, "3 nodes")
        [neg] = client.ask("workspace/symbol", {"query": "target=neg"})
        assert (neg["name"], neg["containerName"]) == ("neg", "aten.neg.default in graph")
        assert client.ask("workspace/symbol", {"query": "target="}) == []


def test_a_filter_finds_nodes_of_open_dumps():
    with RawClient() as client:
        client.open(ONE, "file:///w/one.fxgraph")
        client.open(TWO, "file:///w/two.fxgraph")
        answer = find(client, "op=call_function")
        assert shown(answer) == [
            ("file:///w/one.fxgraph", "relu", {"line": 2, "character": 5}),
            ("file:///w/two.fxgraph", "neg", {"line": 2, "character": 5}),
        ]
        assert (answer["total"], answer["files"], answer["complete"]) == (2, 2, True)
        assert len(find(client, "op=call_function", uri="file:///w/two.fxgraph")["locations"]) == 1
        cut = find(client, "op=call_function", limit=1)
        assert (len(cut["locations"]), cut["total"], cut["complete"]) == (1, 2, False)
        assert find(client, "colour=red")["message"].startswith("unknown filter 'colour=red'")
        assert find(client, " ")["message"] == "a filter is needed"
        assert find(client, "dead", folder="http://elsewhere/")["code"] == -32602


def test_a_folder_with_progress(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "one.fxgraph").write_text(ONE)
    (tmp_path / "sub" / "two.txt").write_text(TWO)
    (tmp_path / "sub" / "binary.txt").write_bytes(b"\0" + ONE.encode())
    (tmp_path / "model.pt").write_text(ONE)
    with RawClient() as client:
        # as the editor holds it, not as the disk does
        opened = client.open(ONE.replace("relu", "exp"), (tmp_path / "one.fxgraph").as_uri())
        answer = find(client, "op=call_function", folder=tmp_path.as_uri(), token="t")
        assert [(one["uri"], one["name"]) for one in answer["locations"]] == [
            (opened, "exp"),
            ((tmp_path / "sub" / "two.txt").as_uri(), "neg"),
        ]
        told = [one["params"] for one in client.notifications if one["method"] == "$/progress"]
        assert {one["token"] for one in told} == {"t"}
        assert [one["value"]["kind"] for one in told[:2]] == ["begin", "report"]
        assert told[0]["value"]["cancellable"] is True
        assert told[-1]["value"] == {"kind": "end"}


def test_symbols_of_the_folders_on_request(tmp_path):
    (tmp_path / "one.fxgraph").write_text(ONE)
    (tmp_path / "two.txt").write_text(TWO)
    (tmp_path / "none.txt").write_text("relu\n")
    options = {"workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "w"}]}

    def found(client, **more):
        answer = client.ask("workspace/symbol", {"query": "x", **more})
        return [one["location"]["uri"].rpartition("/")[2] for one in answer]

    with RawClient(**options) as client:
        client.open(ONE, (tmp_path / "one.fxgraph").as_uri())
        assert found(client) == ["one.fxgraph"]
        client.tell("workspace/didChangeConfiguration", {"settings": {"fxgraph": {"symbols": {"folders": True}}}})
        assert found(client, workDoneToken="t") == ["one.fxgraph", "two.txt"]
        told = [one["params"]["value"]["kind"] for one in client.notifications if one["method"] == "$/progress"]
        assert (told[0], told[-1]) == ("begin", "end")
        (tmp_path / "two.txt").write_text(TWO.replace("%x", "%other"))  # not what was kept
        assert found(client) == ["one.fxgraph"]
        (tmp_path / "two.txt").unlink()
        assert found(client) == ["one.fxgraph"]


def test_a_search_can_be_stopped(tmp_path):
    big = ONE * 300
    for number in range(200):
        (tmp_path / f"{number:03}.fxgraph").write_text(big)
    asked = {"command": "fxgraph.find", "arguments": [{"filter": "dead", "folder": tmp_path.as_uri()}]}
    with RawClient() as client:
        for stop in ("$/cancelRequest", "window/workDoneProgress/cancel"):
            number = client.start("workspace/executeCommand", {**asked, "workDoneToken": "t"})
            client.wait_for("$/progress")
            client.tell(stop, {"id": number} if stop == "$/cancelRequest" else {"token": "t"})
            assert client.answer(number)["error"]["code"] == -32800
            while client.wait_for("$/progress")["value"]["kind"] != "end":
                pass
        # and the server answers on
        assert client.ask("workspace/symbol", {"query": "x"}) == []
