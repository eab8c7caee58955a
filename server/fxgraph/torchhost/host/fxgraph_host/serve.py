"""Answers questions, one after another. A message in: `{"id": 1, "ask": "operator", "name": "aten.sum"}`. Out:

{"hello": {"torch": "2.13.0", "python": "3.11.7", "executable": ..., "counts": {...}}}      first, without a question
{"error": "..."}                                   instead of it, where there is no torch to ask; then it ends
{"id": 1, "part": ...}                             a part of an answer
{"id": 1, "answer": {...}} or {"id": 1, "error": "one line"}
"""

from __future__ import annotations

import importlib
import platform
import site
import sys
from pathlib import Path
from typing import Any, Callable

from fxgraph_host.channel import Channel

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

OLDEST = (2, 2)
#: Processor time for an answer, or a part of one.
MOST_SECONDS = 300

Send = Callable[[Any], None]


def main() -> None:
    """Import torch, say hello, answer until fxgraph has gone."""
    channel = Channel()
    _add_user_site()
    try:
        hello = _hello()
    except _NoTorchError as error:
        channel.send({"error": str(error)})
        return
    channel.send({"hello": hello})
    while True:
        request = channel.request()
        number = request.get("id")

        def send(part: Any, number: Any = number) -> None:
            _bound_processor_time()
            channel.send({"id": number, "part": part})

        _bound_processor_time()
        try:
            channel.send({"id": number, "answer": _answer(request, send)})
        except Exception as error:
            channel.send({"id": number, "error": one_line(error)})


def _bound_processor_time() -> None:
    """Have the system end this process if it says nothing for a long time from now on.

    fxgraph ends it sooner. But fxgraph may have been killed, and a call into C that never comes back keeps the thread
    that would notice from running.
    """
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime) + MOST_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def one_line(error: BaseException) -> str:
    """An exception as one line of at most 300 characters."""
    text = " ".join(str(error).split())
    return (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:300]


class _NoTorchError(Exception):
    pass


def _hello() -> dict[str, Any]:
    try:
        torch = importlib.import_module("torch")
    except ModuleNotFoundError as error:
        if error.name == "torch":
            raise _NoTorchError("has no torch") from None
        raise _NoTorchError(f"its torch cannot be imported: {one_line(error)}") from None
    except BaseException as error:
        raise _NoTorchError(f"its torch cannot be imported: {one_line(error)}") from None
    version = str(getattr(torch, "__version__", ""))
    if _numbers(version) < OLDEST:
        raise _NoTorchError(f"its torch {version or '(unknown)'} is too old: 2.2 or newer is needed")
    from fxgraph_host import operators

    return {
        "torch": version,
        "python": platform.python_version(),
        "executable": sys.executable,
        # First of all: every operator that something looks up joins dir(torch.ops.aten).
        "counts": operators.counts(),
    }


def _numbers(version: str) -> tuple[int, ...]:
    numbers = []
    for part in version.split("+")[0].split(".")[:2]:
        if not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)


def _answer(request: dict[str, Any], send: Send) -> dict[str, Any]:
    question = request.get("ask")
    if question == "operator":
        from fxgraph_host import operators

        return operators.family(str(request["name"]))
    if question == "schemas":
        from fxgraph_host import operators

        return operators.schema_counts()
    if question == "import":
        return _import(list(request["names"]))
    if question == "propagate":
        from fxgraph_host import propagate

        return propagate.propagate(request, send)
    raise ValueError(f"unknown question {question!r}")


def _import(names: list[Any]) -> dict[str, Any]:
    """Import packages of the user's settings, which register operators; a dump names none of them."""
    imported, failed = [], {}
    for name in map(str, names):
        try:
            importlib.import_module(name)
        except BaseException as error:
            failed[name] = one_line(error)
        else:
            imported.append(name)
    return {"imported": imported, "failed": failed}


def _add_user_site() -> None:
    """`-I` leaves out the user's own site-packages, where torch may well be. Environments that keep them out, do so."""
    if sys.prefix != sys.base_prefix and not _takes_system_packages():
        return
    folder = site.getusersitepackages()
    if Path(folder).is_dir():
        site.addsitedir(folder)


def _takes_system_packages() -> bool:
    try:
        lines = Path(sys.prefix, "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    pairs = [line.split("=", 1) for line in lines if "=" in line]
    return any(k.strip() == "include-system-site-packages" and v.strip().lower() == "true" for k, v in pairs)
