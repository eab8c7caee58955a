"""Watch the graphs of a script: hooks that are set when the script imports torch, and not before.

A job is a dict: `mode` ("capture" or "rerun"), `folder` (where the journal goes), `pythonpath` (the user's own), and,
of a process that the script has spawned, `number`.
Nothing of this may change what the script does: a hook that fails is told in the journal, and the script goes on.
"""

import os

from fxgraph_host.script import capturing, recording
from fxgraph_host.script.children import watch_children
from fxgraph_host.script.journal import Journal
from fxgraph_host.script.on_import import when_imported
from fxgraph_host.script.printing import Printing


def start(job):
    """Set the hooks for a job."""
    journal = Journal(job["folder"], job.get("number", ()))
    when_imported("torch", lambda torch: journal.write({"torch": str(torch.__version__)}), journal.error)
    watch = capturing.Capturing(journal) if job["mode"] == "capture" else recording.Recording(journal)
    printing = Printing(watch.printed, journal.error)
    hooks = dict(printing.hooks())
    for name, hook in watch.hooks().items():
        first = hooks.get(name)
        hooks[name] = hook if first is None else _both(first, hook)
    host = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    hooks["multiprocessing.util"] = watch_children(job, os.path.join(host, "site"))
    for name, hook in hooks.items():
        when_imported(name, hook, journal.error)


def _both(first, second):
    def hook(module):
        first(module)
        second(module)

    return hook
