"""When the server starts torch and when it does not, and what it says meanwhile: with hosts that are no torch."""

import pytest

from lsp.raw_client import RawClient, at
from torchhost.test_client import answering, fake_python

TEXT = """\
# fxgraph: inputs=x:f32[2,3]
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %gone : [num_users=0] = call_function[target=torch.ops.aten.made_up.default](args = (%relu,), kwargs = {})
    return relu
"""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
RELU, TARGET, GONE = (3, 6), (3, 60), (4, 60)
CAPABILITIES = {
    "workspace": {"inlayHint": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
}

#: A host that computes one type, and knows one operator.
ANSWER = """
    if r["ask"] == "operator":
        one = {"name": "default", "schema": "aten::relu(Tensor self) -> Tensor", "tags": [], "is_script_only": False}
        found = [one | {"has_decomposition": True, "has_meta": True}] if r["name"] == "aten.relu" else []
        say(id=r["id"], answer={"name": r["name"], "higher_order": False, "overloads": found})
    else:
        relu = {"type": "f32[2, 3]", "stride": [3, 1], "device": "cpu", "bytes": 24}
        nodes = [[0, 0, {"from": "printed", "type": "f32[2, 3]"}], [0, 1, relu], [0, 2, {"stop": "no `*meta*`"}]]
        say(id=r["id"], answer={"nodes": nodes, "device": "cpu", "equal_symbols": False})
"""


def hover(client, uri, place):
    return client.ask("textDocument/hover", at(uri, *place))["contents"]["value"]


def hints(client, uri):
    found = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": WHOLE})
    return [(hint["label"], hint["position"]["line"], hint["tooltip"]) for hint in found]


def session(python, trusted=None, **torch):
    options = {"torch": {"interpreter": str(python), **torch}, **({} if trusted is None else {"trusted": trusted})}
    return RawClient(capabilities=CAPABILITIES, initializationOptions=options)


@pytest.fixture
def watched(tmp_path):
    """A Python that leaves a file where it is started."""
    python = fake_python(tmp_path, f"open({str(tmp_path / 'started')!r}, 'w').close()")
    return python, tmp_path / "started"


STATIC = [
    (False, {}),
    (False, {"enabled": True}),
    (None, {}),
    (None, {"enabled": "auto"}),
    (True, {"enabled": False}),
    (True, {"enabled": "yes"}),
]


def test_no_process_is_started_where_none_may_run(watched):
    python, started = watched
    with session(python, False) as client:
        uri = client.open(TEXT)
        for trusted, torch in STATIC:
            client.tell("fxgraph/didChangeTrust", {"trusted": trusted})
            settings = {"fxgraph": {"torch": {"interpreter": python, **torch}}}
            client.tell("workspace/didChangeConfiguration", {"settings": settings})
            words = "torch is not asked: this workspace is not trusted."
            assert (words in hover(client, uri, RELU)) == (trusted is False)
            assert hints(client, uri) == []
            hover(client, uri, TARGET)
            assert not started.exists()
            client.tell("fxgraph/didChangeTrust", {"trusted": False})
        status, log = client.quit()
    assert status == 0
    assert "torch: starting" not in log
    assert not started.exists()


def test_no_process_is_started_without_need(watched):
    """Opening a dump is none, nor is a question where every type is printed, or where torch would have no input."""
    python, started = watched
    printed = (
        'def forward(self, x: "f32[2]"):\n    y: "f32[2]" = torch.ops.aten.relu.default(x);  x = None\n    return y\n'
    )
    with session(python, True) as client:
        uri = client.open(printed)
        client.wait_for("textDocument/publishDiagnostics")
        assert hints(client, uri) == []
        hover(client, uri, (1, 4))
        hover(client, uri, (1, 40))
        client.edit(uri, 2, {"text": TEXT.partition("\n")[2]})
        assert "no type of an input is in the text" in hover(client, uri, (2, 6))
        assert "torch: starting" not in client.quit()[1]
    assert not started.exists()


def test_packages_are_imported_where_torch_may_run(tmp_path):
    imported = tmp_path / "imported"
    answer = f"""
    if r["ask"] == "import":
        open({str(imported)!r}, "a").write(" ".join(r["names"]))
        say(id=r["id"], answer={{"imported": r["names"], "failed": {{}}}})
    {ANSWER.strip()}
"""
    python = answering(tmp_path, answer)
    with session(python, False, imports=["demo"]) as client:
        uri = client.open(TEXT)
        hints(client, uri)
        hover(client, uri, RELU)
        assert not imported.exists()
        client.tell("fxgraph/didChangeTrust", {"trusted": True})
        hints(client, uri)
        client.wait_for_request("workspace/inlayHint/refresh")
        client.wait_for_request("workspace/inlayHint/refresh")
        assert hints(client, uri)
        status, log = client.quit()
    assert status == 0 and "torch: imported demo" in log
    assert imported.read_text() == "demo"


def test_settings_are_waited_for(watched):
    """The client trusts the workspace, and its settings, which are asked for, say no."""
    python, started = watched
    capabilities = {**CAPABILITIES, "workspace": {"configuration": True}}
    with RawClient(capabilities=capabilities, initializationOptions={"trusted": True}) as client:
        client.settings = {"torch": {"enabled": False, "interpreter": python}}
        uri = client.open(TEXT)
        hints(client, uri)
        hover(client, uri, RELU)
        assert "torch: starting" not in client.quit()[1]
    assert not started.exists()


def test_types_come_when_torch_has_computed_them(tmp_path):
    with session(answering(tmp_path, ANSWER), True) as client:
        uri = client.open(TEXT)
        assert "your torch" not in hover(client, uri, TARGET)
        assert "torch is " in hover(client, uri, RELU)
        client.wait_for_request("workspace/inlayHint/refresh")
        text = hover(client, uri, RELU)
        assert "`f32[2, 3]`, 24 B; stride `(3, 1)`, device `cpu` (propagated by torch 9.9)" in text
        assert "torch 9.9 stops here: no `*meta*`" in hover(client, uri, (4, 6))
        assert "- `relu`: `f32[2, 3]`, 24 B (propagated by torch 9.9)" in hover(client, uri, (4, 6))  # an operand
        assert hints(client, uri) == [(": f32[2, 3]", 3, "propagated by torch 9.9")]
        # Operators are asked for behind the types, and a second question behind those.
        client.edit(uri, 2, {"text": TEXT.replace("[2,3]", "[2,4]")})
        hints(client, uri)
        client.wait_for_request("workspace/inlayHint/refresh")
        same = "In your torch 9.9: the same schema; has a decomposition; runs on meta tensors."
        assert same in hover(client, uri, TARGET)
        assert "Not in your torch 9.9." in hover(client, uri, GONE)
        assert client.quit()[0] == 0


def test_a_client_that_shows_it_is_told_which_torch_answers(tmp_path):
    capabilities = {**CAPABILITIES, "experimental": {"fxgraph": {"torch": True}}}
    torch = {"enabled": True, "interpreter": answering(tmp_path, ANSWER)}
    with RawClient(capabilities=capabilities, initializationOptions={"trusted": False, "torch": torch}) as client:
        line = "torch is not asked: this workspace is not trusted."
        assert client.wait_for("fxgraph/torch") == {"version": None, "line": line}
        client.tell("fxgraph/didChangeTrust", {"trusted": True})
        assert client.wait_for("fxgraph/torch") == {"version": None, "line": None}
        hover(client, client.open(TEXT), RELU)
        assert client.wait_for("fxgraph/torch") == {"version": "9.9", "line": None}
        broken = {"enabled": True, "interpreter": fake_python(tmp_path, "sys.exit(3)", "other")}
        client.tell("workspace/didChangeConfiguration", {"settings": {"fxgraph": {"torch": broken}}})
        assert client.wait_for("fxgraph/torch") == {"version": None, "line": None}
        hover(client, "file:///w/net.fxgraph", RELU)
        assert "exit status 3" in client.wait_for("fxgraph/torch")["line"]


def test_an_operator_that_this_build_lacks(tmp_path):
    text = TEXT.replace("aten.made_up.default", "aten.hardtanh.default")
    with session(answering(tmp_path, ANSWER), True) as client:
        uri = client.open(text)
        before = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
        hints(client, uri)
        after = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
        (found,) = [one for one in after if one not in before]
        assert (found["code"], found["severity"], found["range"]["start"]["line"]) == ("FX401", 3, 4)
        assert found["message"].startswith("`aten.hardtanh.default` is not in your torch 9.9; it is known in all")
        assert client.quit()[0] == 0


def test_trust_may_come_and_go(tmp_path):
    with session(answering(tmp_path, ANSWER), False) as client:
        uri = client.open(TEXT)
        assert hints(client, uri) == []
        client.tell("fxgraph/didChangeTrust", {"trusted": True})
        client.wait_for_request("workspace/inlayHint/refresh")  # ask again, now that you may
        assert hints(client, uri) == []
        client.wait_for_request("workspace/inlayHint/refresh")
        assert hints(client, uri) == [(": f32[2, 3]", 3, "propagated by torch 9.9")]
        client.tell("fxgraph/didChangeTrust", {"trusted": False})
        assert hints(client, uri) == []
        assert "this workspace is not trusted" in hover(client, uri, RELU)
        assert client.quit()[0] == 0


def test_no_torch_is_one_clear_line(tmp_path):
    python = fake_python(tmp_path, """print('{"error": "has no torch"}', flush=True)""")
    with session(python, enabled=True) as client:
        uri = client.open(TEXT)
        hover(client, uri, RELU)
        begun = client.wait_for("$/progress")["value"]
        assert (begun["kind"], begun["title"]) == ("begin", "torch is starting")
        assert client.wait_for("$/progress")["value"] == {"kind": "end"}
        assert f"no torch to ask: {python}: has no torch." in hover(client, uri, RELU).replace("`", "")
        assert hints(client, uri) == []
        assert client.ask("textDocument/definition", at(uri, 5, 13))
        status, log = client.quit()
    assert status == 0
    assert log.count("has no torch") == 2  # the interpreter, and what follows from it


BUSY = """
    if r["ask"] == "propagate":
        say(id=r["id"], part={"nodes": [[0, 1, {"type": "f32[2, 3]"}]], "done": 1})
        END
"""


def test_a_host_that_dies_over_a_question(tmp_path):
    died = BUSY.replace("END", "os.kill(os.getpid(), signal.SIGKILL)")
    with session(answering(tmp_path, died), True) as client:
        uri = client.open(TEXT)
        hover(client, uri, RELU)
        while client.wait_for("$/progress")["value"] != {"kind": "end"}:
            pass
        text = hover(client, uri, (4, 6)).replace("`", "")
        assert "torch 9.9 gave no answer: its process ended (signal SIGKILL)" in text
        assert "f32[2, 3]" in hover(client, uri, RELU)  # what it told before
        assert client.ask("textDocument/definition", at(uri, 5, 13))
        assert client.quit()[0] == 0


def test_a_long_work_is_seen_and_stopped(tmp_path):
    with session(answering(tmp_path, BUSY.replace("END", "time.sleep(600)")), True) as client:
        uri = client.open(TEXT)
        hover(client, uri, RELU)
        begun = client.wait_for("$/progress")
        assert begun["value"] == {"kind": "begin", "title": "torch is starting", "cancellable": True}
        assert client.wait_for("$/progress")["value"]["message"] == "1 of 4 nodes"
        assert "torch is computing (1 of 4 nodes): its type comes later." in hover(client, uri, (4, 6))
        client.tell("window/workDoneProgress/cancel", {"token": begun["token"]})
        assert client.wait_for("$/progress")["value"] == {"kind": "end"}
        assert "torch was stopped" in hover(client, uri, (4, 6))
        client.edit(uri, 2, {"text": TEXT.replace("2,3", "2,4")})
        hover(client, uri, RELU)
        client.wait_for("$/progress")  # the server ends beside a busy host
        assert client.quit()[0] == 0
