from concurrent.futures import Future

from fxgraph.lsp import progress
from fxgraph.lsp.progress import Job


class Told(list):
    def tell(self, method, parameters):
        self.append(parameters["value"].get("message", parameters["value"]["kind"]))


def test_the_same_words_are_told_once(monkeypatch):
    monkeypatch.setattr(progress, "_PAUSE", 0)
    told, created = Told(), Future()
    created.set_result(None)
    job = Job(told, "token", "Re-running net.py", lambda: None)
    job.begin(created)
    for message in ("1 s", "1 s", "2 s", "2 s", "1 s"):
        job.say(message)
    job.end()
    job.say("3 s")
    assert told == ["begin", "1 s", "2 s", "1 s", "end"]
