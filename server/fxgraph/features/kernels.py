"""Code that inductor wrote: which kernel, which nodes and which names of the program belong together.

Above a kernel stand the names of the program, the nodes that they became and the fragment of the graph that the kernel
computes (torch/_inductor/codegen/wrapper.py, simd.py `get_kernel_metadata`):

    # Topologically Sorted Source Nodes: [linear, act], Original ATen: [aten.addmm, aten.silu]
    # Source node to ATen node mapping:
    #   act => mul_7, sigmoid_3
    # Graph fragment:
    #   %mul_7 : ...
    triton_poi_fused_addmm_silu_0 = async_compile.triton('triton_poi_fused_addmm_silu_0', '''
"""

from __future__ import annotations

import re
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fxgraph.features.lines import LineIndex
from fxgraph.features.snapshot import Snapshot
from fxgraph.graph import Graph, Node, Span

_KERNEL = re.compile(r"\b(\w+) = async_compile\.\w+\(")
_MAPPING = re.compile(r"([\w.]+) => (\w+(?:, \w+)*)[ \t\r]*$")
_SORTED = re.compile(r"Source Nodes: \[([^\]\n]*)\]")
_NAME = re.compile(r"[\w.]+")
_CALL = re.compile(r"\b(\w+)\.run\(")
#: Lines that may stand between the comment in `call()` and the call of the kernel it speaks of: buffers, a stream.
_BETWEEN = 12
#: Between the fragment and the kernel stands the end of the fragment's last line, and the prefix of a log.
_FURTHEST = 600
#: A comment above a fragment is a few lines; in a log each has a prefix.
_HIGHEST = 200


class Kernel(NamedTuple):
    """A kernel below the fragment of the graph that it computes.

    name     None where no kernel follows
    span     its name at its definition
    sources  names of the program, each with its span and the names of its nodes
    nodes    names of nodes in the mapping, each with its span
    """

    graph: Graph
    name: str | None
    span: Span | None
    sources: list[tuple[str, Span, list[str]]]
    nodes: list[tuple[str, Span]]


_known: WeakKeyDictionary[Snapshot, list[Kernel]] = WeakKeyDictionary()


def kernels(snapshot: Snapshot) -> list[Kernel]:
    """The kernels of a text, in its order; found once for each version."""
    found = _known.get(snapshot)
    if found is None:
        graphs = [graph for graph in snapshot.dump.graphs if graph.is_part]
        found = _known[snapshot] = [_kernel(snapshot, graph) for graph in graphs]
    return found


def kernel_of(snapshot: Snapshot, graph: Graph) -> Kernel | None:
    """The kernel of a fragment."""
    return next((one for one in kernels(snapshot) if one.graph is graph), None)


def sources_of(kernel: Kernel, node: Node) -> list[str]:
    """The names in the program that became a node, by the mapping above the fragment."""
    return list(dict.fromkeys(source for source, _, names in kernel.sources if node.name in names))


def pointed_at(snapshot: Snapshot, offset: int) -> tuple[Span, Kernel, list[Node]] | None:
    """What a name outside of the fragments stands for: its span, the kernel, its nodes (none: the kernel itself)."""
    if not kernels(snapshot):
        return None
    for kernel in kernels(snapshot):
        definitions = snapshot.facts[kernel.graph.index].definitions
        for name, span in kernel.nodes:
            if span.start <= offset <= span.end and name in definitions:
                return span, kernel, [definitions[name]]
        for _, span, names in kernel.sources:
            if span.start <= offset <= span.end:
                return span, kernel, [definitions[name] for name in names if name in definitions]
    told = _in_call_comment(snapshot, offset)
    if told is not None:
        return told
    span = _word_at(snapshot.text, offset)
    called = _kernel_called(snapshot, snapshot.text[span.start : span.end], offset)
    return None if called is None else (span, called, [])


def mentions(kernel: Kernel, name: str, node: Node | None) -> list[Span]:
    """Where the comment above a fragment names a node, or (None) has this name of the program; in the text's order."""
    if node is not None:
        return sorted(span for known, span in kernel.nodes if known == node.name)
    return sorted(span for known, span, _ in kernel.sources if known == name)


def _kernel_called(snapshot: Snapshot, called: str, offset: int) -> Kernel | None:
    """The kernel that this name means at a document offset."""
    # A log holds the code of several graphs, which begin to count anew: the last such kernel above the call counts.
    called_so = [one for one in kernels(snapshot) if one.span is not None and one.name == called]
    above = [one for one in called_so if one.span is not None and one.span.start <= offset]
    found = above[-1:] or called_so[:1]
    return found[0] if found else None


def _in_call_comment(snapshot: Snapshot, offset: int) -> tuple[Span, Kernel, list[Node]] | None:
    """A name of the program in a comment of `call()`, which speaks of the kernel that is called below it."""
    text, lines = snapshot.text, snapshot.lines
    line = lines.line_of(offset)
    ordered = _SORTED.search(text, lines.offset(line, 0), lines.line_end(line))
    if ordered is None or not ordered.start(1) <= offset <= ordered.end(1):
        return None
    name = next((name for name in _NAME.finditer(text, *ordered.span(1)) if name.start() <= offset <= name.end()), None)
    if name is None:
        return None
    for below in range(line + 1, min(line + 1 + _BETWEEN, len(lines))):
        begin, end = lines.offset(below, 0), lines.line_end(below)
        if _SORTED.search(text, begin, end):
            return None
        call = _CALL.search(text, begin, end)
        if call is None:
            continue
        kernel = _kernel_called(snapshot, call[1], begin)
        if kernel is None:
            return None
        definitions = snapshot.facts[kernel.graph.index].definitions
        became = dict.fromkeys(one for source, _, names in kernel.sources if source == name[0] for one in names)
        return Span(*name.span()), kernel, [definitions[one] for one in became if one in definitions]
    return None


def _word_at(text: str, offset: int) -> Span:
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return Span(start, end)


def _kernel(snapshot: Snapshot, graph: Graph) -> Kernel:
    text, span = snapshot.text, graph.span()
    below = text.find("\n", span.end) + 1 or len(text)
    match = _KERNEL.search(text, span.end, min(text.find("\n", below) + 1 or len(text), span.end + _FURTHEST))
    sources, nodes = _mapping(text, snapshot.lines, span.start)
    return Kernel(graph, match[1] if match else None, Span(*match.span(1)) if match else None, sources, nodes)


def _mapping(
    text: str, lines: LineIndex, start: int
) -> tuple[list[tuple[str, Span, list[str]]], list[tuple[str, Span]]]:
    """What the comment says that ends above the document offset `start`."""
    sources: list[tuple[str, Span, list[str]]] = []
    nodes: list[tuple[str, Span]] = []
    told: dict[str, list[str]] = {}
    last = lines.line_of(start)
    for line in range(last - 1, max(last - _HIGHEST, -1), -1):
        begin, end = lines.offset(line, 0), lines.line_end(line)
        ordered = _SORTED.search(text, begin, end)
        if ordered is not None:  # the first line of the comment
            names_there = _NAME.finditer(text, *ordered.span(1))
            sources += [(name[0], Span(*name.span()), told.get(name[0], [])) for name in names_there]
            break
        match = _MAPPING.search(text[begin:end])
        if match is not None:
            names = told[match[1]] = match[2].split(", ")
            sources.append((match[1], Span(begin + match.start(1), begin + match.end(1)), names))
            at = begin + match.start(2)
            for name in names:
                nodes.append((name, Span(at, at + len(name))))
                at += len(name) + 2
        elif "#" not in text[begin:end] and "//" not in text[begin:end]:
            break
    return sources, nodes
