"""The server reads the project's settings, from the disk, above the document's file."""

from lsp.raw_client import RawClient

TEXT = """\
graph():
    %x : [num_users=2] = placeholder[target=x]
    return x
"""
PULLS = {"textDocument": {"diagnostic": {}}}
WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def severities(published):
    return [(item["code"], item["severity"]) for item in published["diagnostics"]]


def test_settings_of_the_project_and_their_change(tmp_path):
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.fxgraph.severities]\nFX104 = 'error'\n")
    with RawClient(capabilities=WATCHES) as client:
        client.open(TEXT, (tmp_path / "a" / "net.fxgraph").as_uri())
        assert severities(client.wait_for("textDocument/publishDiagnostics")) == [("FX104", 1)]
        [registration] = [request["params"]["registrations"][0] for request in client.requests]
        assert registration["registerOptions"] == {"watchers": [{"globPattern": "**/pyproject.toml"}]}

        project.write_text("[tool.fxgraph]\nignore = ['FX104']\n")
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": project.as_uri(), "type": 2}]})
        assert severities(client.wait_for("textDocument/publishDiagnostics")) == []


def test_a_client_that_pulls_gets_the_newest(tmp_path):
    project = tmp_path / "pyproject.toml"
    with RawClient(capabilities=PULLS) as client:
        uri = client.open(TEXT, (tmp_path / "net.fxgraph").as_uri())
        question = {"textDocument": {"uri": uri}}
        first = client.ask("textDocument/diagnostic", question)
        assert [item["code"] for item in first["items"]] == ["FX104"]
        question["previousResultId"] = first["resultId"]
        assert client.ask("textDocument/diagnostic", question)["kind"] == "unchanged"
        project.write_text("[tool.fxgraph]\nignore = ['FX104']\n")
        second = client.ask("textDocument/diagnostic", question)
        assert (second["kind"], second["items"]) == ("full", [])


def test_wrong_settings_are_told_once_and_the_defaults_hold(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.fxgraph]\nignore = 'FX104'\n")
    with RawClient() as client:
        for name in ("a", "b"):
            client.open(TEXT, (tmp_path / f"{name}.fxgraph").as_uri())
            assert severities(client.wait_for("textDocument/publishDiagnostics")) == [("FX104", 2)]
        log = client.quit()[1]
    assert log.count("tool.fxgraph.ignore must be a list of rule codes: the default holds") == 1


def test_each_folder_of_a_workspace_has_its_settings():
    folders = [{"uri": f"file:///w/{name}", "name": name} for name in ("a", "b")]
    capabilities = {"workspace": {"configuration": True, "inlayHint": {"refreshSupport": True}}}
    with RawClient(capabilities=capabilities, workspaceFolders=folders) as client:
        client.settings = {}
        client.folder_settings = {"file:///w/b": {"rules": {"ignore": ["FX104"]}, "inlayHints": {"lastUses": True}}}
        client.wait_for_request("workspace/configuration")
        places = ["file:///w/a/net.fxgraph", "file:///w/b/c/net.fxgraph", "file:///w/bc.fxgraph", "untitled:one"]
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
        record = TEXT.replace("return x", "%n : [num_users=1] = call_function[target=f](args = (%x,), kwargs = {})")
        found = {}
        for uri in places:
            client.open(f"{record}    return n\n", uri)
            hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
            published = client.wait_for("textDocument/publishDiagnostics")
            found[uri] = (len(published["diagnostics"]), len(hints))
        assert found == {places[0]: (1, 0), places[1]: (0, 1), places[2]: (1, 0), places[3]: (1, 0)}


def test_what_is_no_file_has_no_project():
    with RawClient() as client:
        for uri in ("untitled:Untitled-1", "file://host/share/net.fxgraph", "file:///%00/net.fxgraph"):
            client.open(TEXT, uri)
            assert severities(client.wait_for("textDocument/publishDiagnostics")) == [("FX104", 2)]
