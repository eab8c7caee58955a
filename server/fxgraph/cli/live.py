"""What the commands ask of an installed torch: the host, and its answers about operators as text."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fxgraph.cli.terminal import one_line
from fxgraph.torchhost import Limits, TorchHost, choices
from fxgraph.torchhost.scripts import python_with_torch

_WIDEST = 24


def host_for(python: str | None) -> TorchHost:
    """A host under the named Python, else under the first one with a torch. `FXGRAPH_LOG` in the environment shows each
    step on standard error.
    """
    # A terminal is the user's own: the folder's environment is used only where it is active or named.
    # Whoever waits at one can stop it: graphs of 100,000 nodes may take their minutes.
    return TorchHost(choices(named=python, log=_log), log=_log, limits=Limits(answer=900))


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end the block as an exit does, so that what it has started is ended, too."""
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
        for number in numbers:
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores one
                before[number] = signal.signal(number, _exit)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def interpreter_for(python: str | None) -> str:
    """The Python that runs a user's script: the named one, else the first one with a torch. Raises ScriptError."""
    return python_with_torch(choices(named=python, log=_log))


def _log(line: str) -> None:
    if os.environ.get("FXGRAPH_LOG"):
        print(one_line(line), file=sys.stderr)


def counts_text(hello: dict[str, Any], schemas: dict[str, Any]) -> str:
    """The two counts side by side, with what tells them apart."""
    counts = hello["counts"]
    return (
        f"torch {one_line(str(hello['torch']))}, Python {hello['python']}, {one_line(str(hello['executable']))}\n"
        f"by dir(), fresh process:  torch.ops.aten {counts['names']:,} names, {counts['overloads']:,} overloads, "
        f"{counts['without']:,} without overloads; torch.ops.prims {counts['prims']:,} names\n"
        f"by registered schemas:    aten {schemas['aten_names']:,} names, {schemas['aten_overloads']:,} overloads; "
        f"prims {schemas['prims_names']:,} names; {schemas['schemas']:,} schemas in all namespaces\n"
        "dir() lists only operators that something has looked up, about half of them, and a few names that are "
        "no operators"
    )


def family_lines(hello: dict[str, Any], family: dict[str, Any], chosen: str | None) -> list[str] | None:
    """An overload family of the live torch, as `fxgraph ops` prints one; None where torch has none such."""
    name, version = family["name"], one_line(str(hello["torch"]))
    if family["higher_order"]:
        return [f"{name}: a higher-order operator of your torch {version}", "  takes graphs, has no schema"]
    overloads = family["overloads"]
    if not overloads or (chosen is not None and all(one["name"] != chosen for one in overloads)):
        return None
    number = len(overloads)
    lines = [f"{name}: {number} overload{'' if number == 1 else 's'} in your torch {version}"]
    width = min(max(len(one["name"]) for one in overloads), _WIDEST)
    for one in overloads:
        mark = ">" if one["name"] == chosen else " "
        lines.append(f"{mark} {one['name']:{width}}  {one_line(one['schema'])}")
        words = _words(one)
        if words:
            lines.append(f"  {'':{width}}  {'; '.join(words)}")
    return lines


def _words(overload: dict[str, Any]) -> list[str]:
    words = []
    if overload["is_script_only"]:
        words.append("TorchScript only")
    elif not overload["has_meta"]:
        words.append("no kernel for meta tensors")
    if overload["has_decomposition"]:
        words.append("has a decomposition")
    if overload["tags"]:
        words.append("tags " + ", ".join(overload["tags"]))
    return words
