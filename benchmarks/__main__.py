"""Measure fxgraph beside other language servers: `make bench`. See docs/performance.md."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import commands, edits, inputs, session
from benchmarks.servers import EMPTY, Server, servers
from benchmarks.table import Results, table, troubles

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
PARTS = ("servers", "commands", "edits")
SIZES = (1_000, 10_000, 100_000)
#: Seconds: a longer session is not repeated. Some Python servers need minutes for what takes the others seconds.
LONG = 60.0


def main() -> int:
    """Run the parts that are asked for. Exit status 1 where a limit is not kept or an edit reads wrong."""
    asked = arguments()
    load = os.getloadavg()[0]
    documents = [document for size in asked.sizes for document in inputs.generated(size)]
    traced = inputs.traced() if asked.traced else None
    if traced is None and asked.traced:
        tell("Left out: the traced graphs; torch is not installed")
    sections, wrong = [], []
    if "servers" in asked.parts:
        chosen = [server for server in servers() if not asked.servers or server.name in asked.servers]
        chosen += [server for server in servers() if server.name == EMPTY and server not in chosen]
        sections += of_servers(chosen, [*documents, *(traced or [])], asked.rounds, asked.patience)
    if "commands" in asked.parts:
        ours = [each for each in [*documents, *(traced or [])] if each.notation != inputs.MLIR]
        largest = [each for each in ours if each.size in (f"{max(asked.sizes):,}", "traced joint graph")]
        text, wrong = commands.table(largest, asked.rounds)
        sections.append(text)
    if "edits" in asked.parts:
        path = (traced or documents)[0].path
        try:
            spent = edits.check_edits(path)
            sections.append(f"{edits.COUNT:,} random edits of `{path.name}` end in the state of a fresh reading; ")
            sections[-1] += f"median from an edit to the graphs {spent:.1f} ms."
        except AssertionError as error:
            wrong.append(f"random edits of {path.name}: {error}")
    text = "\n\n".join([machine(load), *sections, *wrong]) + "\n"
    print(text)
    if asked.write:
        write(text)
    return 1 if wrong else 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all where none is named")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="NODES", help="of the generated graphs")
    parser.add_argument("--servers", nargs="+", metavar="NAME", help="only these columns")
    parser.add_argument("--rounds", type=int, default=3, help="each server so many times, in turn; medians are shown")
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS", help="to wait for an answer")
    parser.add_argument("--no-traced", dest="traced", action="store_false", help="without the graphs of a traced model")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.relative_to(ROOT)}, too")
    found = parser.parse_args()
    unknown = set(found.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    found.parts = found.parts or PARTS
    return found


def of_servers(chosen: list[Server], documents: list[inputs.Document], rounds: int, patience: float) -> list[str]:
    """The table of the servers, their versions, and what went wrong."""
    missing = [f"Left out: {server.name}, which is not on `$PATH`." for server in chosen if server.command is None]
    tell("\n".join(missing))
    results: Results = {}
    once: set[tuple[str, str]] = set()
    for number in range(rounds):
        for server in chosen:
            if server.command is None:
                continue
            own = [document for document in documents if document.notation == server.notation]
            for document in own or [None]:
                key = (document.size if document else "", server.name)
                if key in once:
                    continue
                began = time.perf_counter()
                result = session.run(server, document, patience)
                results.setdefault(key, []).append(result)
                spent = time.perf_counter() - began
                tell(f"{number + 1}/{rounds} {server.name} {key[0]}: {spent:.1f} s")
                if result.trouble or spent > LONG:
                    once.add(key)
    versions = [server.version for server in chosen if server.command and server.version]
    medians = f"Medians of {rounds} rounds; sessions of more than {LONG:.0f} s are run once."
    odd = [f"- {sentence}" for sentence in troubles(results)]
    return [
        " ".join([f"Servers: {'; '.join(dict.fromkeys(versions))}. {medians}", *missing]),
        table(results, [server.name for server in chosen]),
        *(["\n".join(odd)] if odd else []),
    ]


def machine(load: float) -> str:
    """Where and when this was measured."""
    processor = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").is_file():
        processor = next(iter(re.findall(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())), processor)
    commit = "unknown"
    if shutil.which("git"):
        asked = ["git", "describe", "--always", "--dirty"]
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
        commit = done.stdout.strip() or commit
    return (
        f"Measured on {time.strftime('%Y-%m-%d')}, commit {commit}: {processor}, "
        f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}. "
        f"Load when it began: {load:.1f}."
    )


def write(text: str) -> None:
    """Put the results between the marks of the page."""
    page = PAGE.read_text(encoding="utf-8")
    marks = r"(<!-- results -->\n).*?(<!-- end of results -->)"
    PAGE.write_text(re.sub(marks, lambda found: f"{found[1]}\n{text}\n{found[2]}", page, flags=re.DOTALL), "utf-8")


def tell(sentence: str) -> None:
    """Progress, apart from the results."""
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
