"""A real server process and a client that does what it should not."""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from lsp.raw_client import COMMAND, RawClient, at

ODD = (sys.executable, str(Path(__file__).with_name("odd_server.py")))

TEXT = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    return relu
"""

#: Every question about a position, and its empty answer.
QUESTIONS = {
    "textDocument/definition": [],
    "textDocument/references": [],
    "textDocument/documentHighlight": [],
    "textDocument/hover": None,
}

INSIDE = {"line": 2, "character": 70}


def question(method: str, uri: str, position: dict[str, int] = INSIDE) -> dict:
    more = {"context": {"includeDeclaration": True}} if method == "textDocument/references" else {}
    return at(uri, position["line"], position["character"], **more)


def test_garbage_between_messages_is_answered_or_skipped():
    with RawClient() as client:
        uri = client.open(TEXT)
        client.write(b"Content-Length: 9\r\n\r\n{not json")
        assert client.answer(None)["error"]["code"] == -32700
        client.write(b"noise without a length\r\n\r\nContent-Length: many\r\n\r\n")
        client.send([])
        assert client.answer(None)["error"]["code"] == -32600
        assert client.ask("textDocument/noSuch", {})["code"] == -32601
        client.tell("textDocument/noSuch", {})
        client.tell("$/noSuch", None)
        assert client.ask("textDocument/definition", {"textDocument": 7})["code"] == -32602
        client.tell("textDocument/didChange", {"textDocument": 7})
        assert len(client.ask("textDocument/definition", question("textDocument/definition", uri))) == 1
        status, log = client.quit()
    assert status == 0
    assert "no protocol header" in log
    assert "placeholder" not in log


def test_a_document_that_is_not_open_has_empty_answers():
    never, closed = "untitled:Untitled-1", "file:///w/closed.fxgraph"
    with RawClient() as client:
        client.open(TEXT, closed)
        client.tell("textDocument/didClose", {"textDocument": {"uri": closed}})
        for uri in (never, closed):
            client.edit(uri, 2, {"text": TEXT})
            for method in QUESTIONS:
                assert client.ask(method, question(method, uri)) is None
            assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) is None
            empty = {"kind": "full", "items": []}
            assert client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}}) == empty
        assert client.quit()[0] == 0


def test_a_position_outside_the_text_has_an_empty_answer():
    with RawClient() as client:
        uri = client.open(TEXT)
        for method, nothing in QUESTIONS.items():
            for line, column in ((4, 0), (5, 0), (2**31, 2**31), (2, 2**31), (-1, 0), (2, -1)):
                assert client.ask(method, question(method, uri, {"line": line, "character": column})) == nothing
        assert client.quit()[0] == 0


def test_an_exception_costs_one_empty_answer():
    with RawClient(ODD) as client:
        uri = client.open(TEXT)
        assert client.ask("textDocument/hover", question("textDocument/hover", uri)) is None
        assert len(client.ask("textDocument/documentHighlight", question("textDocument/documentHighlight", uri))) == 2
        status, log = client.quit()
    assert status == 0
    assert "textDocument/hover failed: ValueError\n" in log
    assert "odd_server.py" in log
    assert "placeholder" not in log
    assert not [told for told in client.notifications if told["method"].startswith("window/")]


def test_what_is_printed_in_the_process_stays_out_of_the_protocol():
    with RawClient(ODD) as client:
        uri = client.open(TEXT)
        assert client.ask("textDocument/definition", question("textDocument/definition", uri)) == "chattered"
        assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        status, log = client.quit()
    assert status == 0
    assert "to standard output" in log and "to the file below it" in log and "from a child" in log


def test_a_cancelled_request_is_answered_at_once_and_only_once():
    with RawClient(ODD) as client:
        uri = client.open(TEXT)
        running = client.start("textDocument/references", question("textDocument/references", uri))
        waiting = client.start("textDocument/references", question("textDocument/references", uri))
        for message_id in (waiting, running):
            client.tell("$/cancelRequest", {"id": message_id})
            assert client.answer(message_id)["error"]["code"] == -32800
        client.tell("test/open-gate", None)
        assert client.ask("textDocument/references", question("textDocument/references", uri)) == "version 1"
        assert client.quit()[0] == 0


def test_quick_edits_answer_for_the_newest_text_and_drop_stale_questions():
    with RawClient(ODD) as client:
        uri = client.open(TEXT)
        client.wait_for("textDocument/publishDiagnostics")
        # The worker is held up by the first question: what follows waits for it while the text moves on.
        held = client.start("textDocument/references", question("textDocument/references", uri))
        stale = []
        for version in range(2, 22):
            client.edit(uri, version, {"range": {"start": INSIDE, "end": INSIDE}, "text": "y"})
            stale.append(client.start("textDocument/documentSymbol", {"textDocument": {"uri": uri}}))
        newest = client.start("textDocument/references", question("textDocument/references", uri))
        client.tell("test/open-gate", None)
        assert client.answer(held)["result"] == "version 1"
        assert [client.answer(message_id)["error"]["code"] for message_id in stale[:-1]] == [-32801] * 19
        assert client.answer(stale[-1])["result"]
        assert client.answer(newest)["result"] == "version 21"
        assert client.quit()[0] == 0


def test_quick_edits_end_at_the_right_text():
    with RawClient() as client:
        uri = client.open("")
        end = {"line": 0, "character": 0}
        for version, line in enumerate(TEXT.splitlines(keepends=True), 2):
            client.edit(uri, version, {"range": {"start": end, "end": end}, "text": line})
            end = {"line": end["line"] + 1, "character": 0}
        [found] = client.ask("textDocument/definition", question("textDocument/definition", uri))
        assert found["range"]["start"] == {"line": 1, "character": 5}
        assert client.quit()[0] == 0


def test_a_client_that_goes_away_ends_the_server():
    with RawClient() as client:
        client.open(TEXT)
        client.process.stdin.close()
        assert client.process.wait() == 1


def test_exit_does_not_wait_for_work_that_hangs():
    with RawClient(ODD) as client:
        uri = client.open(TEXT)
        client.start("textDocument/references", question("textDocument/references", uri))
        assert client.quit()[0] == 0


def test_exit_without_shutdown_is_status_1():
    with RawClient() as client:
        client.tell("exit", None)
        assert client.process.wait() == 1


def test_a_client_that_says_strange_things_of_itself_is_served():
    strange = {"general": {"positionEncodings": [8]}, "textDocument": "all", "workspace": {"newIn": {"version": 4}}}
    with RawClient(capabilities=strange, processId="?", rootUri=7, initializationOptions=[1]) as client:
        assert client.initialized["capabilities"]["positionEncoding"] == "utf-16"
        uri = client.open(TEXT)
        assert client.ask("textDocument/definition", question("textDocument/definition", uri))
        assert client.quit()[0] == 0


def test_the_log_tells_a_document_once_and_can_be_a_file(tmp_path):
    log_file = tmp_path / "server.log"
    with RawClient((*COMMAND, "--log-file", str(log_file))) as client:
        uri = client.open(TEXT, "file:///home/me/my%20net.fxgraph")
        client.wait_for("textDocument/publishDiagnostics")
        client.edit(uri, 2, {"text": TEXT * 2})
        assert len(client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})) >= 1
        assert client.quit() == (0, "")
    [line] = log_file.read_text().splitlines()
    assert f"INFO opened my net.fxgraph: {len(TEXT)} characters, 1 graphs, read in " in line
    assert "home" not in line


def test_a_log_file_that_cannot_be_written_is_one_line(tmp_path):
    done = subprocess.run([*COMMAND, "--log-file", str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"fxgraph: cannot write the log to {tmp_path}: is a directory\n"
    path = tmp_path / "no" / "x.log"
    done = subprocess.run([*COMMAND, "--log-file", str(path)], capture_output=True, text=True, check=False)
    assert done.stderr == f"fxgraph: cannot write the log to {path}: its folder does not exist\n"


def test_a_session_over_tcp():
    process = subprocess.Popen([*COMMAND, "--tcp", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    try:
        announced = process.stderr.readline()
        assert announced.startswith("listening on 127.0.0.1:")
        with socket.create_connection(("127.0.0.1", int(announced.rsplit(":", 1)[1])), timeout=60) as connection:
            stream = connection.makefile("rwb")
            for message_id, method in ((1, "initialize"), (2, "shutdown"), (None, "exit")):
                message = {"jsonrpc": "2.0", "method": method, "params": {}} | (
                    {"id": message_id} if message_id else {}
                )
                body = json.dumps(message).encode()
                stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                stream.flush()
                if message_id:
                    length = int(stream.readline().split()[1])
                    assert stream.readline() == b"\r\n"
                    assert json.loads(stream.read(length))["id"] == message_id
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("address", ["here", ":", "127.0.0.1:x", "127.0.0.1:99999", "::1:80", "[::1]"])
def test_an_address_that_is_none_is_refused(address):
    done = subprocess.run([*COMMAND, "--tcp", address], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is not HOST:PORT" in done.stderr
