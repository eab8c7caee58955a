"""Imported by Python before the script of a captured or re-run program: watches for torch, then steps aside.

Python imports a `sitecustomize` from its path by itself (docs.python.org, `site`), so the script runs as it always
does: its own `__main__`, its own arguments, its own tracebacks.
"""

import importlib.machinery
import importlib.util
import json
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _watch():
    job = json.loads(os.environ.pop("FXGRAPH_JOB", "null"))
    if job is None:
        return
    if job["pythonpath"] is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = job["pythonpath"]
    write = sys.dont_write_bytecode
    sys.path.insert(0, os.path.dirname(_HERE))
    try:
        sys.dont_write_bytecode = True  # no files of this Python in the folder of fxgraph
        from fxgraph_host.script.start import start
    finally:
        sys.dont_write_bytecode = write
        sys.path.pop(0)
    start(job)


def _import_the_users_own():
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [path for path in sys.path if os.path.abspath(path) != _HERE]
_watch()
_import_the_users_own()
