"""How many printed types torch computes again from the dumps alone, by release and file.

    python benchmarks/propagation.py FOLDER... [--python EXE] [--device cuda:0] [--update docs/forms.md]

Each FOLDER holds one folder for each release with dumps called MODEL.STAGE.FORM.EXT, as fixtures/ does. Of the stages
below torch level it takes

* the readable forms: each type printed beside a node is compared with what torch computes;
* print(graph): it prints no types, so the types of its inputs, and nested bodies, come from the readable form beside
  it, and what is computed is compared with the types printed there.

`--device` puts that device in place of the CPU wherever one is printed. `--update` puts the tables into a page, between
the lines `<!-- propagation -->`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))

from fxgraph.features.amounts import shape_text
from fxgraph.graph import Dump, Graph
from fxgraph.reading import read, tensor_type
from fxgraph.torchhost import HostError, TorchHost, choices
from fxgraph.torchhost.plain import plain

STAGE = r"aot_\w+|export|export_decomp|export_decomposed|make_fx\w*"
OPTIONS = "(?:_stride_device|_expanded_def)?"
READABLE = re.compile(rf"(?P<graph>[^.]+\.(?P<stage>{STAGE}))\.readable{OPTIONS}\.(?:py|fxgraph)\Z")
PRINTED = re.compile(rf"(?P<graph>[^.]+\.(?P<stage>{STAGE}))\.graph\.fxgraph\Z")
MARK = "<!-- propagation -->"


class Result(NamedTuple):
    """Of one file: nodes, printed types compared, those that are equal, notes on nodes that stopped or differ."""

    nodes: int
    compared: int
    equal: int
    notes: list[str]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--device")
    parser.add_argument("--update", type=Path, metavar="PAGE")
    arguments = parser.parse_args()
    host = TorchHost(choices(named=arguments.python))
    version = str(host.start()["torch"])
    lines = [f"Computed by torch {version}, from the text alone, on a machine without a GPU."]
    for folder in arguments.folders:
        lines += ["", f"Of `{folder.name}/`:", "", *tables(results_of(host, folder, arguments.device))]
    print("\r\x1b[K", end="", file=sys.stderr)
    host.close()
    page = "\n".join(lines)
    print(page)
    if arguments.update:
        before, *_, after = arguments.update.read_text(encoding="utf-8").split(MARK)
        arguments.update.write_text(f"{before}{MARK}\n\n{page}\n\n{MARK}{after}", encoding="utf-8")
    return 0


def results_of(host: TorchHost, folder: Path, device: str | None) -> dict[tuple[str, str, str], Result]:
    """The result of each file of a folder, by release, form and name."""
    results: dict[tuple[str, str, str], Result] = {}
    for path in sorted(folder.rglob("*")):
        found = READABLE.match(path.name) or PRINTED.match(path.name)
        if found is None or not path.is_file():
            continue
        form = "print(graph)" if PRINTED.match(path.name) else "readable"
        text = path.read_text(encoding="utf-8")
        if device:
            text = re.sub(r"\]cpu\b", f"]{device}", text)
        print(f"\r\x1b[K{path.name}", end="", file=sys.stderr)
        result = of_printed(host, path, found["graph"], text) if form != "readable" else of_readable(host, path, text)
        if result is not None:
            results[path.parent.name, form, path.name] = result
    return results


def of_readable(host: TorchHost, path: Path, text: str) -> Result:
    """A dump that prints its types: the host compares them."""
    dump = read(text, str(path))
    nodes = compared = equal = 0
    notes: list[str] = []
    for graph in (graph for graph in dump.graphs if graph.parent is None):
        message, order = plain(dump, graph)
        try:
            answer = host.ask("propagate", message, keep=False)
        except HostError as error:
            notes.append(str(error))
            continue
        for place, index, told in answer["nodes"]:
            node = order[place].nodes[index]
            nodes += 1
            agrees = told.get("agrees")
            compared += agrees is not None or (node.type is not None and "stop" in told)
            equal += agrees is True
            if "stop" in told:
                notes.append(f"`{node.name}` stops: {told['stop']}")
            elif agrees is False:
                notes.append(f"`{node.name}`: printed `{node.type}`, computed `{told.get('type')}`")
    return Result(nodes, compared, equal, notes)


def of_printed(host: TorchHost, path: Path, name: str, text: str) -> Result | None:
    """A print(graph) with the inputs of the readable form beside it; None where there is none."""
    beside = next(
        (one for ending in ("py", "fxgraph") if (one := path.with_name(f"{name}.readable.{ending}")).is_file()), None
    )
    if beside is None:
        return None
    readable: Dump = read(beside.read_text(encoding="utf-8"), str(beside))
    dump = read(text, str(path))
    if not readable.graphs or not dump.graphs:
        return None
    whole: Graph = readable.graphs[0]
    told_by = [node for node in whole.nodes if node.type is not None]
    inputs = {
        key: node.type
        for node in told_by
        if node.opcode in ("placeholder", "get_attr")
        for key in (node.name, node.target)
    }
    message, order = plain(dump, dump.graphs[0], {key: kind for key, kind in inputs.items() if kind}, (readable, whole))
    answer = host.ask("propagate", message, keep=False)
    types = {node.name: node.type for node in told_by}
    compared = equal = 0
    notes: list[str] = []
    for place, index, told in answer["nodes"]:
        node = order[place].nodes[index]
        if "stop" in told:
            notes.append(f"`{node.name}` stops: {told['stop']}")
        if place or node.name not in types or node.opcode in ("placeholder", "get_attr"):
            continue
        compared += 1
        if "type" in told and same(types[node.name], told["type"]):
            equal += 1
        elif "stop" not in told and "waits" not in told:
            notes.append(f"`{node.name}`: printed `{types[node.name]}`, computed `{told.get('type')}`")
    return Result(len(answer["nodes"]), compared, equal, notes)


def same(printed: str | None, computed: str) -> bool:
    """Whether two types are the same; the terms of a size may stand in another order."""
    one, other = tensor_type(printed or ""), tensor_type(computed)
    if one is None or other is None:
        return in_order(printed or "") == in_order(computed)
    return one.dtype == other.dtype and in_order(shape_text(one)) == in_order(shape_text(other))


def in_order(text: str) -> list[str]:
    """The words of a size, sorted."""
    return sorted(re.findall(r"\w+|\*\*|//|[^\w\s]", text))


def tables(results: dict[tuple[str, str, str], Result]) -> list[str]:
    """The sums by release and form, and each file in which something is not as printed."""
    lines = [
        "| dumps of | form | files | without a stop or difference | nodes | printed types | equal |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    groups: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for (release, form, _), result in results.items():
        groups[release, form].append(result)
    for (release, form), found in sorted(groups.items(), key=lambda item: (by_number(item[0][0]), item[0][1])):
        clean = sum(not result.notes for result in found)
        sums = [sum(getattr(result, what) for result in found) for what in ("nodes", "compared", "equal")]
        lines.append(f"| {release} | {form} | {len(found)} | {clean} | {' | '.join(f'{one:,}' for one in sums)} |")
    lines += [
        "",
        "Where something stops or differs:",
        "",
        "| dumps of | file | equal | what |",
        "| --- | --- | --- | --- |",
    ]
    for (release, _, name), result in sorted(results.items(), key=lambda item: (by_number(item[0][0]), item[0][2])):
        if result.notes:
            more = f"; and {len(result.notes) - 1} more" if len(result.notes) > 1 else ""
            note = result.notes[0].replace("|", "\\|")[:160]
            lines.append(f"| {release} | `{name}` | {result.equal:,} of {result.compared:,} | {note}{more} |")
    return lines


def by_number(release: str) -> list[int]:
    """`2.13.0` as numbers, to sort by."""
    return [-int(part) for part in re.findall(r"\d+", release)]


if __name__ == "__main__":
    sys.exit(main())
