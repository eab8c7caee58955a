"""The server with a few handlers that misbehave, for tests of what the rest does meanwhile.

test/open-gate             (notification) lets the references request finish, which waits for it on the worker
textDocument/hover         raises
textDocument/definition    prints, from Python and from below it, and answers
"""

import os
import subprocess
import sys
import threading

from fxgraph.cli import main
from fxgraph.lsp import answers, server

gate = threading.Event()


def wait(question):
    gate.wait()
    return f"version {question.snapshot.version}"


def fail(question):
    raise ValueError(question.snapshot.text)


def chatter(_):
    print("to standard output")
    os.write(1, b"to the file below it\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
    return "chattered"


class OddServer(server.Server):
    def __init__(self):
        super().__init__()
        self.protocol.notifications["test/open-gate"] = lambda _: gate.set()


server.Server = OddServer
answers.ROUTES["textDocument/references"] = answers.Route(wait, at_once_when=None)
answers.ROUTES["textDocument/hover"] = answers.Route(fail)
answers.ROUTES["textDocument/definition"] = answers.Route(chatter)
sys.exit(main(["serve"]))
