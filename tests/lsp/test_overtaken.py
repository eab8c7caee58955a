"""What was asked of a text that has changed before it was read."""

from types import SimpleNamespace

import pytest

from fxgraph.lsp.answers import ROUTES
from fxgraph.lsp.documents import Change
from fxgraph.lsp.protocol import CONTENT_MODIFIED, Refusal
from fxgraph.lsp.server import Server

GRAPH = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %exp : [num_users=1] = call_function[target=torch.exp](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%exp,), kwargs = {})
    %neg : [num_users=1] = call_function[target=torch.neg](args = (%relu,), kwargs = {})
    %cos : [num_users=1] = call_function[target=torch.cos](args = (%neg,), kwargs = {})
    return cos
"""
COLUMN = GRAPH.splitlines()[5].index("%neg") + 1
PREFIX = "V1129 17:00:00.000000 1 a.py:1] [0/0] [__aot_graphs] "
LOG = "".join(f"{PREFIX}{line}\n" for line in GRAPH.splitlines())  # read as a whole after every edit
HOVER, DEFINITION, OUTLINE = "textDocument/hover", "textDocument/definition", "textDocument/documentSymbol"


class Asked:
    """Takes one answer, or the code of a refusal."""

    is_owed = True

    def run(self, function, *arguments):
        try:
            self.answer = function(*arguments)
        except Refusal as refusal:
            self.answer = refusal.code


@pytest.fixture
def server():
    server = Server()
    for worker in (server._reader, server._judge, server._writer):  # nobody reads behind the tests' back
        worker.stop(1)
    yield server
    server.close()


def answers(server, text, first, second, method, line, column):
    """The answer about the text after the first edit, once the second has come, too."""
    uri = "file:///w/net.log"
    document = server.documents.open(uri, text, 1)
    server._judge_version(document, document.current)
    server.documents.change(uri, [first], 2, "utf-16")
    place = SimpleNamespace(line=line, character=column)
    parameters = SimpleNamespace(text_document=SimpleNamespace(uri=uri), position=place)
    version, route, asked = document.current, ROUTES[method], Asked()
    question = []
    server._reader.soon = server._writer.soon = question.append  # what waits for its turn
    server._ask(route, parameters, asked)
    server.documents.change(uri, [second], 3, "utf-16")
    for job in question:
        job()
    return asked.answer, version


def typed(text, line, column):
    return Change(text, (line, column), (line, column))


def test_only_the_changed_lines_are_read():
    server = Server()
    answer, version = answers(server, GRAPH, typed(" ", 3, 0), typed(" ", 3, 0), DEFINITION, 5, COLUMN)
    assert [place["range"]["start"] for place in answer] == [{"line": 4, "character": 5}]
    assert version.snapshot.is_read
    server.close()


@pytest.mark.parametrize(("method", "told"), [(DEFINITION, '"line": 4'), (HOVER, "torch.neg")])
def test_the_last_text_tells_of_lines_that_it_has(server, method, told):
    column = len(PREFIX) + COLUMN
    answer, version = answers(server, LOG, typed(" ", 2, len(PREFIX)), typed(" ", 1, 0), method, 5, column)
    assert told in str(answer).replace("'", '"')
    assert not version.snapshot.is_read


def test_a_line_that_it_has_not_is_refused(server):
    edit = typed(" ", 5, len(PREFIX))
    assert answers(server, LOG, edit, edit, DEFINITION, 5, len(PREFIX) + COLUMN + 1)[0] == CONTENT_MODIFIED


def test_lines_that_have_moved_are_refused(server):
    edit = typed("\n", 0, 0)
    assert answers(server, LOG, edit, edit, DEFINITION, 6, len(PREFIX) + COLUMN)[0] == CONTENT_MODIFIED


def test_a_whole_text_is_refused(server):
    edit = typed(" ", 2, 0)
    assert answers(server, LOG, edit, edit, OUTLINE, 0, 0)[0] == CONTENT_MODIFIED


def test_who_types_in_a_big_graph_sees_what_was_known_of_other_lines(server, monkeypatch):
    monkeypatch.setattr("fxgraph.lsp.diagnostics._MANY", 5)
    document = server.documents.open("file:///w/net.log", GRAPH, 1)
    server._judge_version(document, document.current)
    reply = Asked()
    reply.run = lambda function, *arguments: setattr(reply, "answer", function(*arguments))

    def hovered(line):
        reply.answer = None
        place = SimpleNamespace(line=line, character=COLUMN)
        asked = SimpleNamespace(text_document=SimpleNamespace(uri=document.uri), position=place)
        server._ask(ROUTES[HOVER], asked, reply)
        return reply.answer

    server.documents.change(document.uri, [typed("  # a note", 3, 90)], 2, "utf-16")
    assert "torch.neg" in str(hovered(5))  # at once, and nothing was worked out for it
    assert "dead" not in document.current.snapshot.facts[0].__dict__
    assert hovered(3) is None  # waits for the reader: this line is another one now
