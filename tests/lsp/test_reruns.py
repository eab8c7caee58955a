"""When the source of a dump runs in an editor, what the user is asked before, and what is shown after."""

import json
import sys
from hashlib import sha256

import pytest

from lsp.raw_client import RawClient, at
from torchhost.test_rerun import has_ended

TEXT = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %fc : [num_users=1] = call_module[target=fc](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%fc,), kwargs = {})
    return relu
"""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
CAPABILITIES = {
    "workspace": {"inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
}
CONFIRMS = {**CAPABILITIES, "experimental": {"fxgraph": {"confirms": True}}}
RERUN = "workspace/executeCommand"

#: A script that prints the graph, and what the hooks of a real run would write.
RUNS = """
print("printed by the script", flush=True)
open("net.py.ran", "a").write("x")
folder = json.loads(os.environ["FXGRAPH_JOB"])["folder"]
types = {"x": {"type": "f32[2]"}, "fc": {"type": "f32[3]", "stride": [1], "device": "cpu", "bytes": 12}, "relu": {"type": "f32[3]"}}
entries = [{"began": 1, "torch": "9.9"}, {"graph": 1, "form": "graph_str", "text": TEXT, "types": types}]
open(folder + "/1.jsonl", "w").write("\\n".join(map(json.dumps, entries)))
"""
FOREVER = """
print("printed by the script", flush=True)
while True: time.sleep(0.05)
"""


@pytest.fixture
def project(tmp_path):
    """A workspace with a dump and its script beside it."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "net.py").write_text(RUNS)
    (folder / "net.fxgraph").write_text(TEXT)
    return folder


def session(project, tmp_path, capabilities=CONFIRMS, **options):
    """A session whose Python has no torch, and gives scripts what they need to write a journal themselves."""
    python = tmp_path / "python"
    # -I: the hooks' module, which takes the job out of the environment, is not imported
    head = f"#!{sys.executable} -I\nimport json, os, sys, time\nTEXT = {TEXT!r}\n"
    python.write_text(head + "exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'))")
    python.chmod(0o755)
    options = {"trusted": True, "torch": {"interpreter": str(python)}, **options}
    client = RawClient(
        capabilities=capabilities,
        initializationOptions=options,
        workspaceFolders=[{"uri": project.as_uri(), "name": "work"}],
    )
    client.answers["fxgraph/confirmRun"] = {"run": True}
    return client


def open_dump(client, project, text=TEXT, name="net.fxgraph"):
    return client.open(text, (project / name).as_uri())


def rerun(client, uri, command="fxgraph.rerunSource"):
    return client.ask(RERUN, {"command": command, "arguments": [uri]})


def hover(client, uri, line, column=6):
    return client.ask("textDocument/hover", at(uri, line, column))["contents"]["value"]


def hints(client, uri):
    found = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": WHOLE})
    return [(hint["label"], hint["position"]["line"], hint["tooltip"]) for hint in found]


def lenses(client, uri):
    found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    commands = [lens["command"] for lens in found]
    return [(one["title"], one["command"], one["arguments"]) for one in commands if "ource" in one["command"]]


def hash_of(project):
    return sha256((project / "net.py").read_bytes()).hexdigest()


def test_the_user_asks_agrees_and_sees_the_shapes(project, tmp_path):
    with session(project, tmp_path) as client:
        uri = open_dump(client, project)
        assert lenses(client, uri) == [("Re-run source for shapes (net.py)", "fxgraph.rerunSource", [uri])]
        assert rerun(client, uri) is None
        asked = client.wait_for_request("fxgraph/confirmRun")
        assert (asked["script"], asked["sha256"]) == (str(project / "net.py"), hash_of(project))
        told = client.wait_for("window/showMessage")
        assert told == {"type": 3, "message": "net.py told the types of 3 values (torch 9.9)"}
        ground = f"from the source net.py (sha256 {hash_of(project)[:12]}), torch 9.9"
        text = hover(client, uri, 2)
        assert f"`f32[3]`, 12 B; stride `(1,)`, device `cpu` ({ground})" in text
        assert f"- `x`: `f32[2]`, 8 B ({ground})" in text  # an operand
        assert hints(client, uri) == [(": f32[2]", 1, ground), (": f32[3]", 2, ground), (": f32[3]", 3, ground)]
        # an input's type in the text would let torch compute the others: they are known
        client.edit(uri, 2, {"text": "# fxgraph: inputs=x:f32[2]\n" + TEXT})
        client.requests.clear()
        hover(client, uri, 3)
        client.wait_for_request("workspace/inlayHint/refresh")
        assert len(hints(client, uri)) == 3
        # what the user agreed to is not asked again, and a changed script is another one
        client.requests.clear()
        rerun(client, uri)
        client.wait_for("window/showMessage")
        assert not [one for one in client.requests if one["method"] == "fxgraph/confirmRun"]
        (project / "net.py").write_text(RUNS + "# changed\n")
        rerun(client, uri)
        assert client.wait_for_request("fxgraph/confirmRun")["sha256"] == hash_of(project)
        client.wait_for("window/showMessage")
        assert client.quit()[0] == 0
    assert (project / "net.py.ran").read_text() == "xxx"


def test_without_a_yes_nothing_runs(project, tmp_path):
    with session(project, tmp_path) as client:
        uri = open_dump(client, project)
        for answer in ({"run": False}, None, {"run": "yes"}, {"title": "Run"}):
            client.answers["fxgraph/confirmRun"] = answer
            rerun(client, uri)
            client.wait_for_request("fxgraph/confirmRun")
        assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        status, log = client.quit()
    assert status == 0 and log.count("the user did not agree") == 4 and "re-running" not in log
    assert not (project / "net.py.ran").exists()


def test_editors_that_show_no_question_of_ours_show_a_message(project, tmp_path):
    with session(project, tmp_path, capabilities=CAPABILITIES) as client:
        uri = open_dump(client, project)
        for title in ("Cancel", None, "Run"):
            client.answers["window/showMessageRequest"] = None if title is None else {"title": title}
            rerun(client, uri)
            asked = client.wait_for_request("window/showMessageRequest")
            assert str(project / "net.py") in asked["message"] and hash_of(project) in asked["message"]
            assert [action["title"] for action in asked["actions"]] == ["Run", "Cancel"]
            assert not (project / "net.py.ran").exists() or title == "Run"
        client.wait_for("window/showMessage")
        assert client.quit()[0] == 0
    assert (project / "net.py.ran").exists()


NOT_TRUSTED = "the source is not run: this workspace is not trusted"
NOT_ENABLED = "the source is not run: `fxgraph.torch.enabled` does not allow it here"


def test_trusted_without_asking_the_source_does_not_run(project, tmp_path):
    """Everything that an editor asks by itself, in a workspace that is trusted, with a header that names the script."""
    with session(project, tmp_path) as client:
        uri = open_dump(client, project, "# fxgraph: source=net.py torch=9.9\n" + TEXT)
        for line in range(6):
            client.ask("textDocument/hover", at(uri, line, 6))
        hints(client, uri)
        lenses(client, uri)
        for method in ("documentSymbol", "foldingRange", "documentLink", "semanticTokens/full"):
            client.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}})
        client.wait_for("textDocument/publishDiagnostics")
        # without trust, and where the editor tells of none, it does not run for one who asks, too
        for trusted, words in ((False, NOT_TRUSTED), (None, NOT_ENABLED)):
            client.tell("fxgraph/didChangeTrust", {"trusted": trusted})
            assert lenses(client, uri) == []
            assert rerun(client, uri)["message"] == words
        status, log = client.quit()
        assert not [one for one in client.requests if one["method"] == "fxgraph/confirmRun"]
    assert status == 0 and "re-running" not in log
    assert not (project / "net.py.ran").exists()


def test_what_is_refused(project, tmp_path):
    outside = tmp_path / "other.py"
    outside.touch()
    (project / "link.py").symlink_to(outside)
    terminal = "lies outside of the workspace: `fxgraph inspect --shapes source --source FILE` runs it in a terminal"
    refused = {
        "../other.py": f"{outside} {terminal}",
        "link.py": f"{outside} {terminal}",
        str(outside): f"{outside} {terminal}",
        "//host/share/x.py": f"//host/share/x.py {terminal}",
        "gone.py": f"{project}/gone.py: no such file",
        ".": f"{project} {terminal}",
    }
    with session(project, tmp_path) as client:
        for number, (named, words) in enumerate(refused.items()):
            uri = open_dump(client, project, f"# fxgraph: source={named}\n{TEXT}", f"d{number}.fxgraph")
            assert rerun(client, uri)["message"] == words
            assert lenses(client, uri) == []
        none = "neither a line `# fxgraph: source=model.py` at the top nor a script of the same name beside it names its source"
        assert rerun(client, open_dump(client, project, name="alone.fxgraph"))["message"] == none
        assert rerun(client, open_dump(client, project, name="net.py"))["message"] == none
        # words of a dump in a lens: a title, and nothing that it could lead to
        name = "$(zap)[x](command:y).py"
        (project / name).touch()
        uri = open_dump(client, project, f"# fxgraph: source={name}\n{TEXT}", "words.fxgraph")
        assert json.dumps(lenses(client, uri)).count("command:y") == 1
        unsaved = client.open(TEXT, "untitled:Untitled-1")
        assert rerun(client, unsaved)["message"] == "only a file on this machine has a source that can be run"
        assert rerun(client, "file:///w/closed.fxgraph")["message"] == "no document of this URI is open"
        assert client.quit()[0] == 0
    assert not list(tmp_path.rglob("*.ran"))


def test_a_source_that_has_changed(project, tmp_path):
    with session(project, tmp_path) as client:
        uri = open_dump(client, project, TEXT.replace("torch.relu", "torch.sigmoid"))
        rerun(client, uri)
        words = "The source has changed: 2 of 4 nodes match what net.py prints"
        assert client.wait_for("window/showMessage") == {"type": 2, "message": words}
        assert [label for label, _, _ in hints(client, uri)] == [": f32[2]", ": f32[3]"]
        stale = "The source has changed: 2 of 4 nodes match what it prints."
        assert stale in hover(client, uri, 2) and stale in hover(client, uri, 3)
        # an edit brings it back: what the run told is matched anew
        client.edit(uri, 2, {"text": TEXT})
        client.requests.clear()
        hints(client, uri)
        client.wait_for_request("workspace/inlayHint/refresh")
        assert len(hints(client, uri)) == 3
        client.edit(uri, 3, {"text": "graph():\n    return 3\n"})
        rerun(client, uri)
        told = client.wait_for("window/showMessage")
        assert told == {"type": 2, "message": "net.py prints 1 graph, and none that is in this file"}
        assert client.quit()[0] == 0


def test_a_run_is_seen_and_stopped(project, tmp_path):
    (project / "net.py").write_text(FOREVER)
    with session(project, tmp_path) as client:
        uri = open_dump(client, project)
        rerun(client, uri)
        begun = client.wait_for("$/progress")
        assert begun["value"] == {"kind": "begin", "title": "Re-running net.py", "cancellable": True}
        while "22 bytes printed" not in client.wait_for("$/progress")["value"]["message"]:
            pass
        assert lenses(client, uri) == [("Stop re-running net.py", "fxgraph.stopSource", [uri])]
        assert rerun(client, uri)["message"] == "the source is running already"
        assert client.ask("textDocument/definition", at(uri, 4, 12))  # the server answers on
        client.tell("window/workDoneProgress/cancel", {"token": begun["token"]})
        told = client.wait_for("window/showMessage")
        assert told == {"type": 2, "message": "net.py imports no torch (stopped)"}
        rerun(client, uri)
        client.wait_for("$/progress")
        assert rerun(client, uri, "fxgraph.stopSource") is True
        client.wait_for("window/showMessage")
        assert rerun(client, uri, "fxgraph.stopSource") is False
        assert client.quit()[0] == 0


@pytest.mark.parametrize("end", ["trust", "session"])
def test_a_run_ends_with_the_trust_and_with_the_session(project, tmp_path, end):
    (project / "net.py").write_text("open('pid', 'w').write(str(os.getpid()))" + FOREVER)
    with session(project, tmp_path) as client:
        uri = open_dump(client, project)
        rerun(client, uri)
        token = client.wait_for("$/progress")["token"]
        while "22 bytes printed" not in client.wait_for("$/progress")["value"]["message"]:
            pass
        if end == "trust":
            client.tell("fxgraph/didChangeTrust", {"trusted": False})
            while client.wait_for("$/progress") != {"token": token, "value": {"kind": "end"}}:
                pass
            assert rerun(client, uri)["message"] == NOT_TRUSTED
        assert client.quit()[0] == 0
    assert has_ended(int((project / "pid").read_text()))


ENDS = {
    "sys.exit(3)": "net.py imports no torch (exit status 3)",
    "raise ValueError('bad')": "net.py imports no torch (exit status 1: ValueError: bad)",
    "sys.stdin.read()": "net.py imports no torch",
    "os.kill(os.getpid(), 9)": "net.py imports no torch (signal 9)",
    "for _ in range(100): print('x' * 999_999)": "net.py imports no torch",
    "import sibling": "net.py imports no torch (exit status 1: ModuleNotFoundError: No module named 'sibling')",
    "os.fork() or time.sleep(600)": "net.py imports no torch",
}


def test_how_a_run_ended_is_one_clear_line(project, tmp_path):
    with session(project, tmp_path) as client:
        uri = open_dump(client, project)
        for body, words in ENDS.items():
            (project / "net.py").write_text(body)
            rerun(client, uri)
            assert client.wait_for("window/showMessage") == {"type": 2, "message": words}
            assert client.ask("textDocument/definition", at(uri, 4, 12))
        assert client.quit()[0] == 0


def test_a_script_that_has_changed_since_it_was_shown(project, tmp_path):
    """The user agrees to a content, not to a path."""
    with session(project, tmp_path) as client:
        uri = open_dump(client, project)
        client.before_answer = lambda method: (
            method == "fxgraph/confirmRun" and (project / "net.py").write_text("other\n")
        )
        rerun(client, uri)
        told = client.wait_for("window/showMessage")
        assert told == {"type": 2, "message": f"{project}/net.py: has changed since it was shown"}
        assert client.quit()[0] == 0
    assert not (project / "net.py.ran").exists()


def test_no_python_has_a_torch(project, tmp_path):
    with session(project, tmp_path, torch={"interpreter": str(tmp_path / "gone")}) as client:
        uri = open_dump(client, project)
        rerun(client, uri)
        words = f"{tmp_path}/gone cannot be started: No such file or directory"
        assert client.wait_for("window/showMessage") == {"type": 2, "message": words}
        assert client.quit()[0] == 0
