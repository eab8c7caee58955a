"""Reader of generated Python: `gm.code`, `print(gm)`, `print_readable` (torch/fx/graph.py `_gen_python_code`).

Not Python's own parser: four of ten real dumps begin with `class <lambda>(...)`, a broken line must spoil one line, and
big dumps must not cost seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fxgraph.graph import PLACEHOLDER, Graph, Node, Page
from fxgraph.reading.python_body import Reader, read_body
from fxgraph.reading.scan import closing, elements, statement_end

DEF = re.compile(r"def forward\(")
_AFTER_DEF = re.compile(r"[ \t]*(?:->[^\n]*?)?:[ \t]*(?=\n|\Z|#|pass\b|return\b)")
#: ... and a type that a formatter broke over lines.
_ARROW = re.compile(r"[ \t]*->")
_RETURN_TYPE = re.compile(r"[ \t]*->[^:#]*:[ \t]*\Z")
_LONGEST_TYPE = 10_000
_PARAMETER = re.compile(
    r"(\*{0,2})([A-Za-z_]\w*)(?:\s*:\s*(?:\(\s*(?=[\"']))?"
    r"(\"[^\"]*\"|'[^']*'|[^=\s\"'](?:[^=]*[^=\s])?)(?:\s*\))?)?\s*(?:=(?!=)|\Z)",
    re.DOTALL,
)
#: ... whose annotation or default was cut or spoiled.
_BARE_PARAMETER = re.compile(r"(\*{0,2})([A-Za-z_]\w*)()")
#: An annotation that torch prints, not one that people write: `f32[2]`, `Sym(s0)`, `DTensor(f32[2], S(0))`.
_PRINTED_TYPE = re.compile(r"[a-z]{1,4}\d+\w*\[|Sym\(|\w+\([a-z]{1,4}\d+\w*\[")
#: What stands between the head of a class and its `forward` where torch printed both.
_CLASS_LINES = re.compile(r"class [^\n]*\n(?:[ \t]*(?:torch\.fx\._symbolic_trace\.wrap\([^\n]*)?\n)*[ \t]*\Z")
_OVERLOAD_CALL = re.compile(r"torch\.ops\.\w+\.\w+\.\w+\Z")
_STACK = re.compile(r"# No stacktrace found|File: [^\n]{1,1000}?:\d+(?: in |, code: |[ \t]*\Z)")

Read = tuple[str, int, bool]


def read_python(page: Page, begin: int, definition: int, limit: int) -> Graph | None:
    """The graph whose `def forward(` stands at `definition`; None where that is a function somebody wrote.

    `begin` is where its class line begins, else the offset of `def`. All offsets are page offsets.
    """
    text = page.text
    opened = definition + len("def forward")
    close = closing(text, opened, limit)
    if close is None:
        return _cut_head(page, begin, definition, opened, limit)
    after = _AFTER_DEF.match(text, close + 1, limit)
    if after is None and _ARROW.match(text, close + 1, limit):
        head_end, balanced, _ = statement_end(text, definition, min(limit, close + _LONGEST_TYPE))
        after = _RETURN_TYPE.match(text, close + 1, head_end) if balanced else None
    if after is None:
        return None
    reader = Reader(page, begin, after.end(), limit)
    _read_parameters(reader, opened + 1, close)
    indent = definition - (text.rfind("\n", 0, definition) + 1)
    body = text.find("\n", after.end(), limit) + 1
    if body == 0 or text[after.end() : body].strip()[:1] not in ("", "#"):
        body = after.end()  # it stands on the line of `def`
    if begin < definition and _CLASS_LINES.match(text, begin, definition) is None:
        reader.foreign = True
    read_body(reader, body, indent)
    return _finished(reader, begin < definition)


def read_statements(page: Page, graph: Graph, start: int, end: int, indent: int) -> Graph | None:
    """The statements in the lines [start, end) of a page that are indented deeper, as a part of this graph's body.

    None where they do not end there by themselves: a return, a statement that goes on, one that waits for its name;
    and where they say what the inputs are.
    """
    reader = Reader(page, start, start, end)
    inputs = {node.name: node for node in graph.nodes[: inputs_in_front(graph.nodes)]}
    reader.inputs = dict(inputs)
    stop = read_body(reader, start, indent)
    part = reader.graph
    if stop < end or reader.held is not None or part.has_end or reader.inputs != inputs:
        return None
    return part


def inputs_in_front(nodes: Sequence[Node]) -> int:
    """How many inputs stand in front of the first other node."""
    return next((place for place in range(len(nodes)) if nodes[place].opcode != PLACEHOLDER), len(nodes))


def _cut_head(page: Page, begin: int, definition: int, opened: int, limit: int) -> Graph | None:
    """A dump that was cut inside of its `def` line: the whole inputs before the cut are kept."""
    line_end = page.text.find("\n", opened, limit)
    end = limit if line_end < 0 else line_end
    if page.text[end:limit].strip() or '"' not in page.text[opened:end]:
        return None
    reader = Reader(page, begin, end, limit)
    _read_parameters(reader, opened + 1, end)
    reader.graph.end = end
    reader.evidence = True
    return _finished(reader, begin < definition)


def _read_parameters(reader: Reader, start: int, end: int) -> None:
    text = reader.text
    for place, (a, b) in enumerate(elements(text, start, end)):
        match = _PARAMETER.match(text, a, b) or _BARE_PARAMETER.match(text, a, b)
        if place == 0:
            reader.foreign = match is None or match[2] != "self"  # `ctx` of a torch.autograd.Function
        if match is None or (place == 0 and match[2] == "self"):
            continue
        kind = match[3]
        if kind and kind[0] in "\"'":
            kind = kind[1:-1]
            reader.evidence = reader.evidence or _PRINTED_TYPE.match(kind) is not None
        stop = match.end(3) if match[3] else match.end(2)
        node = Node(match[2], PLACEHOLDER, match[1] + match[2], 0, a, match.start(2), stop, None, kind or None)
        reader.inputs[node.name] = node
        reader.known.add(node.name)


def _finished(reader: Reader, has_class: bool) -> Graph | None:
    graph = reader.graph
    text = reader.text
    graph.comments = [comment for comment in graph.comments if comment[0] < graph.end]
    generated = reader.evidence or any(_STACK.search(text, *comment) for comment in graph.comments)
    generated = generated or (reader.frees_reads and not reader.has_program)
    generated = generated or any(_OVERLOAD_CALL.match(node.target) for node in graph.nodes)
    is_empty = has_class and graph.has_end and not graph.nodes and not reader.inputs  # `def forward(self): pass`
    is_empty = is_empty and not reader.foreign
    if not generated and not is_empty and (reader.foreign or not (graph.nodes and graph.has_end)):
        return None
    if not generated and not has_class and len(graph.nodes) < 2:
        return None
    if not generated and not all(reader.known.issuperset(node.reads) for node in graph.nodes):
        return None  # `F.relu(x)`: a module of the program around it
    graph.form = "readable" if has_class or graph.comments or _annotated(reader) else "code"
    _put_inputs(reader)
    for index, node in enumerate(graph.nodes):
        node.index = index
    return graph


def _annotated(reader: Reader) -> bool:
    nodes = [*reader.inputs.values(), *reader.graph.nodes[:20]]
    return any(node.type is not None and reader.text.startswith(': "', node.start + len(node.name)) for node in nodes)


def _put_inputs(reader: Reader) -> None:
    """Puts the inputs where they stand in the graph.

    An input without a joining line stands in front. Where all joining lines come before the first operation, the order
    is that of the parameters; else (an unlifted export reads its attributes first) that of the text.
    """
    nodes = reader.graph.nodes
    inputs = list(reader.inputs.values())
    joined = next((place for place, node in enumerate(nodes) if node.opcode != PLACEHOLDER), len(nodes))
    in_front = {id(node) for node in nodes[:joined]}
    if any(node.opcode == PLACEHOLDER for node in nodes[joined:]):
        in_text = {id(node) for node in nodes}
        reader.graph.nodes = [*(node for node in inputs if id(node) not in in_text), *nodes]
    else:
        boxed = in_front - {id(node) for node in inputs}
        reader.graph.nodes = [*inputs, *(node for node in nodes[:joined] if id(node) in boxed), *nodes[joined:]]
