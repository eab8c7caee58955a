"""Code actions, views and slices, as an editor asks for them."""

import pytest

from lsp.raw_client import RawClient, at

TEXT = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=3] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.add](args = (%relu, "🔥"), kwargs = {})
    return add
"""
LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
EDITS = {"documentChanges": True, "resourceOperations": ["create"]}
VSCODE = {
    "textDocument": {"codeAction": LITERALS},
    "workspace": {"workspaceEdit": EDITS},
    "experimental": {"fxgraph": {"commands": ["fxgraph.copySlice"]}},
}


def actions(client, uri, line, column, *only):
    place = {"line": line, "character": column}
    context = {"diagnostics": [], **({"only": list(only)} if only else {})}
    asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
    return {action["title"]: action for action in client.ask("textDocument/codeAction", asked)}


def test_a_quick_fix_is_an_edit_of_this_version():
    with RawClient(capabilities=VSCODE) as client:
        assert client.initialized["capabilities"]["codeActionProvider"] == {
            "codeActionKinds": ["quickfix", "refactor", "source.fixAll.fxgraph"]
        }
        uri = client.open(TEXT)
        offered = actions(client, uri, 2, 6)
        assert list(offered) == [
            "Correct the user count of relu to 1",
            "Silence FX104 on this line",
            "Copy the slice of relu: all that it depends on",
        ]
        fix = offered["Correct the user count of relu to 1"]
        assert (fix["kind"], fix["isPreferred"]) == ("quickfix", True)
        assert [item["code"] for item in fix["diagnostics"]] == ["FX104"]
        place = {"start": {"line": 2, "character": 23}, "end": {"line": 2, "character": 24}}
        assert fix["edit"] == {
            "documentChanges": [
                {"textDocument": {"uri": uri, "version": 1}, "edits": [{"range": place, "newText": "1"}]}
            ]
        }
        client.edit(uri, 2, {"range": place, "text": "1"})
        assert list(actions(client, uri, 2, 6, "quickfix")) == []


def test_all_of_the_file_as_a_source_action():
    with RawClient(capabilities={"textDocument": {"codeAction": LITERALS}}) as client:
        uri = client.open(TEXT)
        assert list(actions(client, uri, 4, 0)) == []
        for kind in ("source", "source.fixAll", "source.fixAll.fxgraph"):
            [fix] = actions(client, uri, 4, 0, kind).values()
            assert fix["title"] == "Correct the wrong user count of this file"
            assert list(fix["edit"]) == ["changes"]
        assert actions(client, uri, 4, 0, "source.organizeImports") == {}


def test_a_client_that_knows_no_actions_is_offered_none():
    with RawClient() as client:
        assert "codeActionProvider" not in client.initialized["capabilities"]
        assert actions(client, client.open(TEXT), 2, 6) == {}


def test_a_rule_is_left_out_in_the_project(tmp_path):
    project = tmp_path / "pyproject.toml"
    project.write_text("[project]\nname = 'a'\n")
    folders = [{"uri": tmp_path.as_uri(), "name": "w"}]
    with RawClient(capabilities=VSCODE, workspaceFolders=folders) as client:
        uri = client.open(TEXT, (tmp_path / "a" / "net.fxgraph").as_uri())
        action = actions(client, uri, 2, 6)["Leave FX104 out in pyproject.toml"]
        end = {"line": 2, "character": 0}
        assert action["edit"] == {
            "documentChanges": [
                {
                    "textDocument": {"uri": project.as_uri(), "version": None},
                    "edits": [
                        {"range": {"start": end, "end": end}, "newText": '\n[tool.fxgraph]\nignore = ["FX104"]\n'}
                    ],
                }
            ]
        }
        project.unlink()
        create, change = actions(client, uri, 2, 6)["Leave FX104 out in pyproject.toml"]["edit"]["documentChanges"]
        assert create == {"kind": "create", "uri": project.as_uri(), "options": {"ignoreIfExists": True}}
        assert change["textDocument"]["uri"] == project.as_uri()
        elsewhere = client.open(TEXT, "file:///elsewhere/net.fxgraph")
        assert not any("pyproject" in title for title in actions(client, elsewhere, 2, 6))


def test_the_slice():
    with RawClient(capabilities=VSCODE) as client:
        uri = client.open(TEXT)
        command = actions(client, uri, 2, 6)["Copy the slice of relu: all that it depends on"]["command"]
        assert command["command"] == "fxgraph.copySlice"
        made = client.ask("fxgraph/slice", command["arguments"][0])
        assert made == {
            "name": "relu",
            "nodes": 2,
            "text": "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
            "    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n"
            "    return relu\n",
        }
        assert client.ask("fxgraph/slice", at(uri, 0, 0)) is None


def test_a_view_and_the_node_in_it():
    with RawClient() as client:
        uri = client.open(TEXT)
        seen = client.ask("fxgraph/view", at(uri, 3, 7, kind="readable"))
        lines = seen["text"].split("\n")
        assert lines[:2] == ["class GraphModule(torch.nn.Module):", "    def forward(self, x):"]
        assert seen["lines"] == [0, 0, 2, 3, 4]
        line = seen["selection"]["start"]["line"]
        assert lines[line] == '        add = torch.add(relu, "🔥");  relu = None'
        assert seen["selection"]["start"]["character"] == 8
        assert (seen["graph"], seen["version"], seen["languageId"]) == (0, 1, "fxgraph")
        for kind in ("graph_str", "table", "bare"):
            other = client.ask("fxgraph/view", {"textDocument": {"uri": uri}, "graph": 0, "kind": kind})
            assert "add" in other["text"]
            assert other["selection"] is None
            assert len(other["lines"]) == other["text"].count("\n")
        assert client.ask("fxgraph/view", {"textDocument": {"uri": uri}, "graph": 1, "kind": "bare"}) is None


def test_a_view_that_follows_its_graph_by_a_place_in_it():
    two = TEXT.replace("relu", "neg") + TEXT
    with RawClient() as client:
        uri = client.open(two)
        follow = {"kind": "bare", "graph": 1}
        assert client.ask("fxgraph/view", at(uri, 9, 0, **follow))["graph"] == 1
        client.edit(uri, 2, {"text": TEXT})  # the first graph has gone
        seen = client.ask("fxgraph/view", at(uri, 4, 0, **follow))
        assert (seen["graph"], "relu" in seen["text"]) == (0, True)
        assert client.ask("fxgraph/view", at(uri, 5, 0, **follow)) is None


def test_debug_info_shows_no_name():
    with RawClient() as client:
        uri = client.open(TEXT)
        lines = client.ask("fxgraph/debugInfo", {"textDocument": {"uri": uri}})["lines"]
        assert lines[-2:] == ["findings: FX104 1", "line 1: graph():"]
        assert client.ask("fxgraph/debugInfo", {"textDocument": {"uri": "file:///other"}}) is None


@pytest.mark.parametrize("wrong", [None, [], {}, {"textDocument": {"uri": "file:///w/net.fxgraph"}, "position": 3}])
@pytest.mark.parametrize("method", ["fxgraph/view", "fxgraph/slice"])
def test_parameters_of_a_wrong_shape(method, wrong):
    with RawClient() as client:
        client.open(TEXT)
        assert client.ask(method, wrong)["code"] == -32602
        assert client.ask(method, at("file:///other", 0, 0, kind="bare")) is None
        kind = client.ask("fxgraph/view", at("file:///w/net.fxgraph", 0, 0, kind="nice"))
        assert kind["message"] == "kind must be one of graph_str, readable, table, bare"
