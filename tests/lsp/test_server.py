"""The server in this process, where a test can hold up its threads."""

import json
import logging
import os
import threading

import pytest

from fxgraph.analysis import RULES
from fxgraph.lsp.server import Server
from fxgraph.lsp.streams import frames

TEXT = """\
graph():
    %x : [num_users=3] = placeholder[target=x]
    return x
"""

URI = "file:///w/net.fxgraph"


class Session:
    def __init__(self) -> None:
        reading, writing = os.pipe()
        self._pipes = [os.fdopen(reading, "rb"), os.fdopen(writing, "wb")]
        self._messages = (json.loads(body) for body in frames(self._pipes[0]))
        self.server = Server()
        self.server.protocol.set_outgoing(self._pipes[1])

    def send(self, method: str, params: object, **more: object) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.server.protocol.receive(json.dumps(message).encode())

    def next(self) -> dict:
        return next(self._messages)

    def close(self) -> None:
        assert self.server.close()
        for pipe in self._pipes:
            pipe.close()


@pytest.fixture
def session():
    session = Session()
    session.send("initialize", {"capabilities": {}}, id=1)
    assert session.next()["id"] == 1
    yield session
    session.close()


def open_text(session: Session, version: int) -> None:
    document = {"uri": URI, "languageId": "fxgraph", "version": version, "text": TEXT}
    session.send("textDocument/didOpen", {"textDocument": document})


def test_findings_of_a_text_that_has_changed_are_broken_off(session, monkeypatch):
    begun, gate, asked = threading.Event(), threading.Event(), []

    def slow(facts):
        begun.set()
        gate.wait(60)
        return []

    def counted(facts):
        asked.append(facts)
        return RULES["FX104"].find(facts)

    first, *_, last = RULES
    monkeypatch.setitem(RULES, first, RULES[first]._replace(find=slow))
    monkeypatch.setitem(RULES, last, RULES[last]._replace(find=counted, whole_only=False, default_on=True))
    open_text(session, 1)
    assert begun.wait(60)
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": TEXT}]}
    session.send("textDocument/didChange", change)
    gate.set()
    published = session.next()["params"]
    assert published["version"] == 2
    assert published["diagnostics"]
    assert len(asked) == 1


def test_a_question_is_answered_while_the_judge_is_busy(session, monkeypatch):
    begun, gate = threading.Event(), threading.Event()

    def slow(facts):
        begun.set()
        gate.wait(60)
        return []

    first, *_ = RULES
    monkeypatch.setitem(RULES, first, RULES[first]._replace(find=slow))
    open_text(session, 1)
    assert begun.wait(60)
    change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": TEXT}]}
    session.send("textDocument/didChange", change)
    for number, method in enumerate(("definition", "hover", "documentSymbol"), 2):
        place = {"textDocument": {"uri": URI}, "position": {"line": 2, "character": 11}}
        session.send(f"textDocument/{method}", place, id=number)
        answer = session.next()
        assert answer["id"] == number
        assert answer["result"]
    gate.set()
    assert session.next()["params"]["version"] == 2


def test_a_wrong_setting_is_told_once(session, caplog):
    with caplog.at_level(logging.WARNING, "fxgraph"):
        for _ in range(2):
            session.send("workspace/didChangeConfiguration", {"settings": {"fxgraph": {"rules": {"select": 7}}}})
    assert [record.message for record in caplog.records] == [
        "fxgraph.rules.select must be a list of rule codes: the default holds"
    ]
    shown = session.next()
    assert shown["method"] == "window/showMessage"
    assert shown["params"]["message"] == "fxgraph: fxgraph.rules.select must be a list of rule codes: the default holds"


def test_settings_sent_with_a_change_of_configuration_are_used(session):
    open_text(session, 1)
    assert [found["code"] for found in session.next()["params"]["diagnostics"]] == ["FX104"]
    session.send("workspace/didChangeConfiguration", {"settings": {"fxgraph": {"rules": {"ignore": ["FX104"]}}}})
    assert session.next()["params"]["diagnostics"] == []


def test_errors_that_pygls_reports_go_to_the_log(session, caplog):
    with caplog.at_level(logging.ERROR, "fxgraph"):
        session.server.report_server_error(TypeError("of code"), TypeError)
    assert "the server failed: TypeError: of code" in caplog.text
    session.send("shutdown", None, id=9)
    assert session.next()["id"] == 9  # and nothing before it
