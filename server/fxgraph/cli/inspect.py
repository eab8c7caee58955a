"""`fxgraph inspect`: the nodes of every graph as a table, with what the graph is made of, or everything as JSON."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import AbstractContextManager, nullcontext

from fxgraph.cli.check import print_findings
from fxgraph.cli.inputs import Inputs
from fxgraph.cli.live_shapes import ShapesOf, shapes_by_torch
from fxgraph.cli.record import file_pieces
from fxgraph.cli.rerun_shapes import proposal, shapes_by_source, source_lines
from fxgraph.cli.tables import print_table
from fxgraph.cli.terminal import count_of, one_line
from fxgraph.features.filters import KNOWN, Filter, parse_filters, selected
from fxgraph.features.grouping import grouping_of
from fxgraph.features.hovers.graph import count_text
from fxgraph.features.logged import logged_types
from fxgraph.features.markdown import capped, plain
from fxgraph.features.modules import module_grounds
from fxgraph.features.shapes import Shapes, shape_findings
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.summary import opcode_counts, target_counts
from fxgraph.features.symbols import graph_title
from fxgraph.features.table import rows
from fxgraph.graph import Graph

MOST_TARGETS = 10
_EPILOG = "With --source, what stands behind -- goes to the script."
MOST_PARTS = 20
_WIDE = 120


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `inspect` to the subcommands."""
    parser = commands.add_parser(
        "inspect", help="list the nodes of dumps", description=__doc__, epilog=_EPILOG, allow_abbrev=False
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, a directory, or - for standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object per file, each on one line")
    parser.add_argument("--where", action="append", metavar="FILTER", default=[], help=f"only nodes that meet {KNOWN}")
    parser.add_argument(
        "--shapes",
        choices=("propagate", "source"),
        help="the types that are not printed: computed by an installed torch, or told by a run of the script",
    )
    parser.add_argument("--source", metavar="FILE", help="the script that prints the graphs, which is run; with source")
    parser.add_argument("--python", metavar="EXE", help="the Python that has this torch; with --shapes")
    parser.set_defaults(run=run, script_arguments=())


def run(arguments: argparse.Namespace) -> int:
    """Inspect the files; returns the exit status."""
    inputs = Inputs(arguments.paths)
    try:
        filters = parse_filters(arguments.where)
    except ValueError as error:
        inputs.complain(str(error))
        return 2
    if arguments.python and not arguments.shapes:
        inputs.complain("--python names the torch for --shapes, which is not given")
        return 2
    if (arguments.shapes == "source") != (arguments.source is not None):
        inputs.complain(proposal(arguments.paths) if arguments.shapes else "--source is for --shapes source")
        return 2
    with _shapes(arguments, inputs) as torch:
        if torch is not None or not arguments.shapes:
            _inspect(arguments, inputs, filters, torch)
    return 2 if inputs.failed else 0


def _shapes(arguments: argparse.Namespace, inputs: Inputs) -> AbstractContextManager[ShapesOf | None]:
    if arguments.shapes == "source":
        return shapes_by_source(arguments.source, arguments.python, inputs.complain, arguments.script_arguments)
    return shapes_by_torch(arguments.python, inputs.complain) if arguments.shapes else nullcontext()


def _inspect(arguments: argparse.Namespace, inputs: Inputs, filters: list[Filter], torch: ShapesOf | None) -> None:
    found = False
    for item in inputs:
        snapshot = item.snapshot()
        found = found or bool(snapshot.dump.graphs) or not item.walked
        shapes = None if torch is None else torch(item.label, snapshot)
        if arguments.json:
            sys.stdout.writelines(file_pieces(item.label, snapshot, shapes, filters))
        elif snapshot.dump.graphs:
            for graph in snapshot.dump.graphs:
                _print_graph(item.label, snapshot, graph, filters, shapes)
            if shapes is not None:
                print_findings(item.label, snapshot, shape_findings(snapshot, shapes))
        elif not item.walked:
            print(f"{one_line(item.label)}: no graphs")
    if not found and not inputs.failed and not arguments.json:
        print(f"{one_line(', '.join(inputs.paths))}: no graphs")


def _print_graph(
    label: str, snapshot: Snapshot, graph: Graph, filters: list[Filter], shapes: Shapes | None = None
) -> None:
    facts = snapshot.facts[graph.index]
    span = graph.span()
    first, last = (snapshot.lines.line_of(offset) + 1 for offset in (span.start, max(span.end - 1, span.start)))
    cut = "" if graph.is_whole else ", not the whole graph"
    print(f"{one_line(label)}:{first}-{last}  {one_line(graph_title(graph))} ({graph.form}{cut})")
    level, stage = facts.level, facts.stage
    print(f"level {level.name or 'unknown'}: {one_line(level.reason)}")
    if stage is not None:
        print(f"stage {stage.name}: {one_line(stage.evidence)}")
    print()
    nodes = selected(filters, facts) if filters else graph.nodes
    print_table(rows(facts, nodes, shapes, logged_types(snapshot, graph)))
    print()
    if shapes is not None:
        print("\n".join(source_lines(graph, shapes)))
    if filters:
        print(f"{count_of(len(nodes), 'node')} of {len(graph.nodes):,}")
        for one in filters:
            if one.module is not None:
                print(f"{one_line(one.text)}: {_grounds(graph, one.module)}")
    else:
        print("opcodes: " + ", ".join(f"{opcode} {count:,}" for opcode, count in opcode_counts(graph)))
        targets = [plain(count_text(target)) for target in target_counts(graph)]
        if targets:
            print(_listed("targets", capped(targets, MOST_TARGETS)))
        grouping = grouping_of(graph)
        if grouping is not None:
            parts = [one_line(f"{part.label} ({part.words})") for part in grouping.parts]
            print(_listed(f"parts by {' and '.join(grouping.grounds)}", capped(parts, MOST_PARTS)))
    print()


def _listed(what: str, items: list[str]) -> str:
    """In one line where that is short, else each on a line of its own."""
    line = f"{what}: {'; '.join(items)}"
    return line if len(line) <= _WIDE else "\n  ".join([f"{what}:", *items])


def _grounds(graph: Graph, path: str) -> str:
    counts = Counter(module_grounds(graph, path).values())
    return (
        ", ".join(f"{count:,} by {ground}" for ground, count in counts.most_common()) or "nothing in the text names it"
    )
