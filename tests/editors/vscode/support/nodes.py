"""Prints where the server's readers see the nodes of dumps, as JSON: {file: [[name, line, column], ...]}, from 0, UTF-16.

python3 nodes.py FOLDER FILE...
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "server"))

from fxgraph.reading import read


def main() -> None:
    folder, *files = sys.argv[1:]
    print(json.dumps({file: nodes(Path(folder, file)) for file in files}))


def nodes(path: Path) -> list[list[object]]:
    text = path.read_bytes().decode("utf-8")
    found: list[list[object]] = []
    for graph in read(text, str(path)).graphs:
        for node in graph.nodes:
            if node.opcode == "output":
                continue
            start = graph.page.to_document(node.start)
            line_start = text.rfind("\n", 0, start) + 1
            column = len(text[line_start:start].encode("utf-16-le")) // 2
            found.append([node.name, text.count("\n", 0, start), column])
    return found


main()
