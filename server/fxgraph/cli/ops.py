"""`fxgraph ops`: the overload family of an operator with its schemas, as of a torch release or as your torch has it."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from fxgraph.cli.live import counts_text, ended_by_signals, family_lines, host_for
from fxgraph.cli.terminal import one_line
from fxgraph.features.ops import Family, Unknown, family, remarks, shown
from fxgraph.ops import Target, catalogue, split_target
from fxgraph.ops.releases import resolve
from fxgraph.torchhost import HostError

#: Width of the column of names; longer names push their schema to the right.
_WIDEST = 24
_GUESSED = "{} is no operator's full name; by its name this family is likely meant:"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `ops` to the subcommands."""
    parser = commands.add_parser(
        "ops", help="list the overloads of an operator", description=__doc__, allow_abbrev=False
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="aten.sum, aten.sum.dim_IntList, torch.ops.aten.sum, higher_order.cond, torch.relu",
    )
    parser.add_argument("--counts", action="store_true", help="how many operators your torch has")
    parser.add_argument("--python", metavar="EXE", help="ask the torch of this Python instead of the catalogue")
    parser.add_argument(
        "--torch", metavar="RELEASE", help="as of this release, 2.2 say; by default the newest known one that has it"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the family, or the counts; returns the exit status."""
    if arguments.counts == (arguments.name is not None):
        return _complain("give the name of an operator, or --counts")
    if arguments.torch is not None and (arguments.counts or arguments.python):
        return _complain("--torch asks the catalogue, --counts and --python ask a torch that is installed")
    if arguments.counts or arguments.python:
        return _ask_torch(arguments.name, arguments.python)
    release = None
    if arguments.torch is not None:
        known = catalogue().releases
        release = resolve(arguments.torch, known)
        if release is None:
            return _complain(f"torch {shown(arguments.torch)} is not known; known releases are {', '.join(known)}")
    found = family(arguments.name, release)
    if isinstance(found, Unknown):
        close = f"; did you mean {' or '.join(found.close)}?" if found.close else ""
        return _complain(f"{found.reason}{close}")
    print("\n".join(_lines(found, arguments.name, release or catalogue().newest)))
    return 0


def _ask_torch(name: str | None, python: str | None) -> int:
    target, guessed = _target(name) if name is not None else (None, False)
    if name is not None and target is None:
        return _complain(f"{shown(name)} is no operator's full name: aten.sum, aten.sum.dim_IntList")
    with ended_by_signals(), closing(host_for(python)) as host:
        try:
            if target is None:
                # The hello's counts were taken before anything but torch was imported.
                print(counts_text(host.start(), host.ask("schemas")))
                return 0
            lines = family_lines(host.start(), host.ask("operator", {"name": target.name}), target.overload)
        except HostError as error:
            return _complain(one_line(str(error)))
    if guessed and lines is not None:
        lines.insert(0, _GUESSED.format(shown(name or "")))
    if lines is None:
        return _complain(f"torch {host.hello.get('torch')} has no operator {shown(target.qualified)}")
    print("\n".join(lines))
    return 0


def _target(name: str) -> tuple[Target | None, bool]:
    """The operator that a name means, and whether only a likeness of names tells it: `torch.relu`."""
    target = split_target(name.replace("::", ".", 1))
    if target is not None:
        return target, False
    found = family(name)
    return (None, False) if isinstance(found, Unknown) else (split_target(found.packet.name), True)


def _lines(found: Family, asked: str, release: str) -> list[str]:
    packet = found.packet
    lines = []
    if found.guessed:
        lines.append(_GUESSED.format(shown(asked)))
    if packet.is_higher_order:
        call = packet.name.partition(".")[2] + (packet.parameters or "(...)")
        return [
            *lines,
            f"{packet.name}: a higher-order operator, as of torch {packet.release}",
            f"  {call}",
            f"  takes graphs, has no schema; {packet.known_in}",
        ]
    number = len(found.overloads)
    name = packet.name if found.chosen is None else f"{packet.name}.{found.chosen}"
    why = "" if packet.release == release else f", the newest known release with {name}"
    lines.append(f"{packet.name}: {number} overload{'' if number == 1 else 's'} in torch {packet.release}{why}")
    width = min(max(len(one.name) for one in found.overloads), _WIDEST)
    for overload in found.overloads:
        mark = ">" if overload.name == found.chosen else " "
        lines.append(f"{mark} {overload.name:{width}}  {overload.schema}")
        lines.append(f"  {'':{width}}  {'; '.join(remarks(overload))}")
    return lines


def _complain(message: str) -> int:
    print(f"fxgraph: {message}", file=sys.stderr)
    return 2
