"""The protocol class alone: every request gets exactly one answer, whatever comes in."""

import io
import json
import logging

import pytest
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from fxgraph.lsp.protocol import Protocol, Raw, Refusal
from fxgraph.lsp.streams import frames

SECRET = "%words_of_a_dump"


class Session:
    """Messages in, messages out, in this process."""

    def __init__(self, initialize: bool = True) -> None:
        self.outgoing = io.BytesIO()
        server = LanguageServer("test", "1", protocol_cls=Protocol, converter_factory=default_converter)
        self.protocol: Protocol = server.protocol
        self.protocol.set_outgoing(self.outgoing)
        self.protocol.requests["initialize"] = lambda _, reply: reply.result({})
        if initialize:
            self.ask("initialize", {"capabilities": {}})

    def receive(self, *bodies: object) -> list[dict]:
        begin = self.outgoing.tell()
        for body in bodies:
            self.protocol.receive(body if isinstance(body, bytes) else json.dumps(body).encode())
        return [json.loads(body) for body in frames(io.BytesIO(self.outgoing.getvalue()[begin:]))]

    def ask(self, method: str, params: object = None, message_id: object = 1) -> list[dict]:
        return self.receive({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})

    def tell(self, method: str, params: object = None) -> list[dict]:
        return self.receive({"jsonrpc": "2.0", "method": method, "params": params})


HOVER = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}


@pytest.mark.parametrize(
    ("body", "message_id", "code"),
    [
        (b"{", None, -32700),
        (b"", None, -32700),
        (b"\xff\xfe", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"[]", None, -32600),
        (b"null", None, -32600),
        (b'"x"', None, -32600),
        (b"{}", None, -32600),
        (b'{"id":7,"method":"shutdown"}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":7}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":[7],"method":"shutdown"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"shutdown"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"shutdown"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"no/such"}', 7, -32601),
        (b'{"jsonrpc":"2.0","id":"seven","method":"$/no/such"}', "seven", -32601),
        (b'{"jsonrpc":"2.0","id":7,"method":"initialize"}', 7, -32600),
    ],
)
def test_what_is_no_good_request_gets_one_error(body, message_id, code):
    session = Session()
    [answer] = session.receive(body)
    assert (answer["id"], answer["error"]["code"]) == (message_id, code)
    [answer] = session.ask("shutdown")
    assert answer == {"jsonrpc": "2.0", "id": 1, "result": None}


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        [],
        {},
        {"textDocument": {"uri": "file:///x"}, "position": {"line": "one", "character": 0}},
        {"textDocument": {"uri": "file:///x"}, "position": {"line": 1e300, "character": 0}},
    ],
)
def test_parameters_of_a_wrong_shape_are_refused(parameters):
    session = Session()
    session.protocol.requests["textDocument/hover"] = lambda _, reply: reply.result("never")
    [answer] = session.ask("textDocument/hover", parameters)
    assert (answer["id"], answer["error"]["code"]) == (1, -32602)


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ((-1, 0), (2**31 - 1, 0)),
        ((2**31, 4), (2**31 - 1, 0)),
        ((10**30, 4), (2**31 - 1, 0)),
        ((3, -1), (2**31 - 1, 0)),
        ((3, 2**31), (3, 2**31 - 1)),
        ((3, 4), (3, 4)),
    ],
)
def test_positions_that_no_document_has(given, taken):
    session = Session()
    asked = []
    session.protocol.requests["textDocument/hover"] = lambda parameters, reply: asked.append(parameters.position)
    position = {"line": given[0], "character": given[1]}
    session.ask("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": position})
    assert [(place.line, place.character) for place in asked] == [taken]


def test_nothing_is_answered_before_initialize_but_an_error():
    session = Session(initialize=False)
    [answer] = session.ask("textDocument/hover", HOVER)
    assert answer["error"]["code"] == -32002


def test_after_shutdown_requests_are_refused_and_exit_is_clean():
    session = Session()
    assert session.ask("shutdown") == [{"jsonrpc": "2.0", "id": 1, "result": None}]
    [answer] = session.ask("textDocument/hover", HOVER, 2)
    assert (answer["id"], answer["error"]["code"]) == (2, -32600)
    assert session.tell("exit") == []
    assert session.protocol.exit_code == 0


def test_exit_without_shutdown_is_a_failure():
    session = Session()
    session.tell("exit")
    assert session.protocol.exit_code == 1


def test_an_exception_costs_one_empty_answer_and_a_log_entry(caplog):
    session = Session()

    def fail(_):
        raise ValueError(SECRET)

    session.protocol.requests["textDocument/hover"] = lambda params, reply: reply.run(fail, params)
    session.protocol.requests["textDocument/definition"] = lambda params, reply: fail(params)
    with caplog.at_level(logging.ERROR, "fxgraph"):
        assert session.ask("textDocument/hover", HOVER) == [{"jsonrpc": "2.0", "id": 1, "result": None}]
        assert session.ask("textDocument/definition", HOVER, 2) == [{"jsonrpc": "2.0", "id": 2, "result": None}]
    assert caplog.text.count("textDocument/hover failed: ValueError") == 1
    assert caplog.text.count("textDocument/definition failed: ValueError") == 1
    assert SECRET not in caplog.text


def test_an_exception_in_a_notification_is_logged_only(caplog):
    session = Session()

    def fail(_):
        raise TypeError("a word about code")

    session.protocol.notifications["textDocument/didSave"] = fail
    with caplog.at_level(logging.ERROR, "fxgraph"):
        assert session.tell("textDocument/didSave", {"textDocument": {"uri": "file:///x"}}) == []
        assert session.tell("textDocument/didSave", {"wrong": 1}) == []
        assert session.tell("no/such") == []
    assert "textDocument/didSave failed: TypeError: a word about code" in caplog.text


def test_a_pull_of_findings_that_fails_is_taken_back_and_clears_nothing():
    session = Session()
    session.protocol.requests["textDocument/diagnostic"] = lambda _, reply: reply.run(lambda: 1 // 0)
    [answer] = session.ask("textDocument/diagnostic", {"textDocument": {"uri": "file:///x"}})
    assert answer["error"]["code"] == -32802
    assert answer["error"]["data"] == {"retriggerRequest": False}


def test_the_first_answer_counts():
    session = Session()
    kept = []
    session.protocol.requests["textDocument/hover"] = lambda _, reply: kept.append(reply)
    assert session.ask("textDocument/hover", HOVER, 7) == []
    reply = kept.pop()
    assert reply.is_owed

    [answer] = session.tell("$/cancelRequest", {"id": 7})
    assert (answer["id"], answer["error"]["code"]) == (7, -32800)
    assert not reply.is_owed
    before = session.outgoing.getvalue()
    reply.result("too late")
    reply.error(-1, "too late")
    assert session.outgoing.getvalue() == before

    # The id is free again, and the old reply does not answer the new request.
    assert session.ask("textDocument/hover", HOVER, 7) == []
    reply.result("too late")
    assert session.outgoing.getvalue() == before
    assert kept.pop().is_owed


@pytest.mark.parametrize("parameters", [None, {}, {"id": 99}, {"id": [7]}, {"id": None}, []])
def test_cancelling_nothing_is_nothing(parameters):
    assert Session().tell("$/cancelRequest", parameters) == []


def test_a_second_request_with_the_same_id_is_refused():
    session = Session()
    kept = []
    session.protocol.requests["textDocument/hover"] = lambda _, reply: kept.append(reply)
    session.ask("textDocument/hover", HOVER, 7)
    [answer] = session.ask("textDocument/hover", HOVER, 7)
    assert answer["error"]["code"] == -32600
    assert kept[0].is_owed and len(kept) == 1


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, None),
        ({"text": "é🔥\ud800"}, {"text": "é🔥\ud800"}),
        (Raw(["[", '{"name":"x"}', "]"]), [{"name": "x"}]),
        (Raw(["[0", *[",1"] * 5000, "]"]), [0] + [1] * 5000),
        (types.Hover("x", types.Range(types.Position(0, 1), types.Position(2, 3))),
         {"contents": "x", "range": {"start": {"line": 0, "character": 1}, "end": {"line": 2, "character": 3}}}),
    ],
)  # fmt: skip
def test_answers_are_plain_data_json_or_types_of_the_protocol(result, expected):
    session = Session()
    session.protocol.requests["textDocument/hover"] = lambda _, reply: reply.run(lambda: result)
    assert session.ask("textDocument/hover", HOVER) == [{"jsonrpc": "2.0", "id": 1, "result": expected}]


def test_an_answer_that_is_no_json_is_an_exception(caplog):
    session = Session()
    session.protocol.requests["textDocument/hover"] = lambda _, reply: reply.run(lambda: {1, 2})
    with caplog.at_level(logging.ERROR, "fxgraph"):
        assert session.ask("textDocument/hover", HOVER) == [{"jsonrpc": "2.0", "id": 1, "result": None}]
    assert "textDocument/hover failed" in caplog.text


def test_answers_of_the_client_reach_who_asked():
    session = Session()
    asked = session.protocol.send_request("workspace/configuration", types.ConfigurationParams([]), msg_id="q")
    assert session.receive({"jsonrpc": "2.0", "id": "q", "result": [{"rules": {}}]}) == []
    assert asked.result() == [{"rules": {}}]

    asked = session.protocol.send_request("workspace/configuration", types.ConfigurationParams([]), msg_id="q")
    assert session.receive({"jsonrpc": "2.0", "id": "q", "error": {"code": 1, "message": "no"}}) == []
    assert isinstance(asked.exception(), Refusal)
    assert session.receive({"jsonrpc": "2.0", "id": "q", "result": None}) == []
