"""The vocabulary of fxgraph: what a text that holds printed FX graphs is made of.

Offsets are counted in characters (code points). Two kinds of them exist, and every name says which:

* **document offsets** lie in the text as the editor holds it: prefixes, colours and line ends included;
* **page offsets** lie in a `Page`: the bare text a graph was read from, without log prefixes, comment
  leaders, colours and carriage returns.

A `Span` always holds document offsets. Everything on `Node` and `Graph` is a page offset; `Page.span` turns two of
them into a `Span`. In a clean dump the page is the document and both kinds are equal.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PLACEHOLDER = "placeholder"
GET_ATTR = "get_attr"
CALL_FUNCTION = "call_function"
CALL_METHOD = "call_method"
CALL_MODULE = "call_module"
OUTPUT = "output"

#: The six opcodes of torch/fx/node.py `_legal_ops`.
OPCODES = (PLACEHOLDER, GET_ATTR, CALL_FUNCTION, CALL_METHOD, CALL_MODULE, OUTPUT)

#: The ways a graph's nodes are written.
FORMS = ("graph_str", "code", "readable", "tabular")

#: What a graph can stand in. A graph that stands in none has the container None.
CONTAINERS = ("exported_program", "log", "trace", "output_code", "repro", "text")


class Span(NamedTuple):
    """A stretch of the document: `start` is the first document offset in it, `end` the first one behind it."""

    start: int
    end: int


class Page:
    """The bare text of one stream, and where each piece of it lies in the document.

    A page is the document itself (`Page(text)`), or is put together from pieces of another page (`Page.of_pieces`).
    """

    __slots__ = ("_document_starts", "_page_starts", "text")

    def __init__(
        self, text: str, page_starts: Sequence[int] | None = None, document_starts: Sequence[int] | None = None
    ) -> None:
        self.text = text
        self._page_starts = page_starts
        self._document_starts = document_starts

    def of_pieces(self, pieces: Sequence[tuple[int, int]]) -> Page:
        """A new page of these stretches (page offsets of this page, ascending), put side by side."""
        text = self.text
        page_starts: list[int] = []
        document_starts: list[int] = []
        length = 0
        for start, end in pieces:
            at = start
            while at < end:
                document, stop = self._stretch(at)
                page_starts.append(length)
                document_starts.append(document)
                stop = min(stop, end)
                length += stop - at
                at = stop
        bare = "".join([text[start:end] for start, end in pieces])
        return Page(bare, page_starts, document_starts)

    def _stretch(self, offset: int) -> tuple[int, int]:
        """Document offset of a page offset, and the page offset where the piece around it ends."""
        starts = self._page_starts
        if starts is None or self._document_starts is None:
            return offset, len(self.text)
        piece = bisect_right(starts, offset) - 1
        end = starts[piece + 1] if piece + 1 < len(starts) else len(self.text)
        return self._document_starts[piece] + offset - starts[piece], end

    @property
    def is_document(self) -> bool:
        """Whether page offsets and document offsets are the same."""
        return self._page_starts is None

    def to_document(self, offset: int) -> int:
        """The document offset of the character at a page offset."""
        if self._page_starts is None or self._document_starts is None:
            return offset
        piece = max(bisect_right(self._page_starts, offset) - 1, 0)
        return (self._document_starts[piece] + offset - self._page_starts[piece]) if self._page_starts else 0

    def to_page(self, offset: int) -> int | None:
        """The page offset of a document offset, or None where that character is not part of the page.

        The place just behind a piece (a cursor at the end of a line) belongs to the piece.
        """
        if self._page_starts is None or self._document_starts is None:
            return offset if offset <= len(self.text) else None
        piece = bisect_right(self._document_starts, offset) - 1
        if piece < 0:
            return None
        start = self._page_starts[piece]
        end = self._page_starts[piece + 1] if piece + 1 < len(self._page_starts) else len(self.text)
        inside = offset - self._document_starts[piece]
        return start + inside if inside <= end - start else None

    def span(self, start: int, end: int) -> Span:
        """The stretch of the document from the character at page offset `start` to the one before `end`."""
        if self._page_starts is None:
            return Span(start, end)
        if end <= start:
            at = self.to_document(start)
            return Span(at, at)
        return Span(self.to_document(start), self.to_document(end - 1) + 1)


class Use(NamedTuple):
    """One read of a name. `start` is the page offset of the first character of the bare name."""

    name: str
    start: int


class Node:
    """One node of a graph.

    name           the bare name; the output node is called `output`
    opcode         one of `OPCODES`
    target         as print(graph) spells it, as far as the text tells: `torch.ops.aten.mm.default`, `operator.add`,
                   `relu`, `layers.0`, `L_x_`; `output` for the output node
    index          its place in `Graph.nodes`, from 0
    begin, end     page offsets of its record or statement; `end` is behind its last character
    start          page offset of the first character of the bare name at its definition (`return` of the output node)
    printed_users  the printed number of users, or None where the form prints none
    type           the annotation: the text between the quotes, else the bare text, else None
    reads          names of the nodes it reads, in the order of the text, each as often as it stands there
    frees          names set to None behind it (Python forms), in the order of the text
    """

    # Python keeps one object for each number up to 256, and a record seldom is longer: two distances cost nothing where
    # two more offsets would cost 64 bytes a node.
    __slots__ = (
        "_lead",
        "_length",
        "frees",
        "index",
        "name",
        "opcode",
        "printed_users",
        "reads",
        "start",
        "target",
        "type",
    )

    def __init__(
        self,
        name: str,
        opcode: str,
        target: str,
        index: int,
        begin: int,
        start: int,
        end: int,
        printed_users: int | None = None,
        type: str | None = None,
        reads: Sequence[str] = (),
        frees: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.opcode = opcode
        self.target = target
        self.index = index
        self.start = start
        self._lead = start - begin
        self._length = end - start
        self.printed_users = printed_users
        self.type = type
        self.reads = reads
        self.frees = frees

    @property
    def begin(self) -> int:
        """Page offset of the first character of the record or statement."""
        return self.start - self._lead

    @property
    def end(self) -> int:
        """Page offset behind the last character of the record or statement."""
        return self.start + self._length

    @end.setter
    def end(self, offset: int) -> None:
        self._length = offset - self.start

    def __repr__(self) -> str:
        return f"<{self.opcode} {self.name} = {self.target}>"


@dataclass(slots=True, eq=False)
class Graph:
    """One printed graph.

    name        the class name (`GraphModule`, `<lambda>`, `cond_true_0`), else ""
    form        one of `FORMS`
    container   one of `CONTAINERS`, or None
    page        the page it was read from
    index       its place in `Dump.graphs`
    begin, end  page offsets: of the head (else of the first node), and behind the return or output line
    head_end    page offset behind the head (`graph():`, `def forward(...):`, the head of a table); equals `begin`
                where the graph has no head
    nodes       in the order of the text
    has_head    it begins with its head; a fragment, a quoted node and a pasted middle do not
    is_part     it was printed as a part of a larger graph, whose counts it shows: the fragment above a kernel
    has_end     it has its return or output line
    is_mixed    lines of another graph may stand in it: two writers wrote into one text, and nothing keeps them apart
    broken      page offsets (start, end) of lines that begin as a node and then fail
    comments    page offsets (start, end) of the comment lines inside, ascending; a `# File:` line among them speaks of
                the nodes below it
    doubtful    indices of the nodes with words that are reads only where a node of that name stands in the graph
    parent      index of the graph whose class holds this one's class, or None
    title       what a log calls it (`Forward graph 0`), else None
    compile_id  `0/0`, `0/1_1`, `!0`, else None
    rank        the rank a log names, else None
    process     the process (its main thread) that a log names, else None: compile ids are counted in each process
    signature   what stands beside the graph about its inputs and outputs, for the JSON; see `reading/signature.py`
    """

    name: str
    form: str
    page: Page
    begin: int
    end: int
    head_end: int
    nodes: Sequence[Node]
    index: int = 0
    container: str | None = None
    has_head: bool = True
    has_end: bool = True
    is_part: bool = False
    is_mixed: bool = False
    broken: list[tuple[int, int]] = field(default_factory=list)
    comments: list[tuple[int, int]] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    parent: int | None = None
    title: str | None = None
    compile_id: str | None = None
    rank: int | None = None
    process: str | None = None
    signature: dict[str, object] = field(default_factory=dict)

    @property
    def is_fragment(self) -> bool:
        """Whether other nodes of the same graph may stand elsewhere: no head and no placeholder in front."""
        if self.is_part:
            return True
        return not self.has_head and not (self.nodes and self.nodes[0].opcode == PLACEHOLDER)

    @property
    def is_whole(self) -> bool:
        """Whether every node of the graph is here and was read: only then may anything be said of what is missing."""
        return self.has_end and not self.broken and not self.is_mixed and not self.is_fragment

    @property
    def compilation(self) -> tuple[int | None, str | None, str | None]:
        """Rank, process and compile id: graphs that share them come from one compilation."""
        return self.rank, self.process, self.compile_id

    def span(self) -> Span:
        """From the head to the end of the return or output line."""
        return self.page.span(self.begin, self.end)


@dataclass(slots=True, eq=False)
class Dump:
    """A text and the graphs that were found in it, in the order of their first lines.

    text     the document
    graphs   all graphs, nested ones behind the graph that holds them
    header   what a `# fxgraph: key=value ...` line says: `source`, `entry`, `torch`, `stage`, `inputs`. It proposes and
             never decides: it is text of the dump
    path     the file's name where known: evidence for level and stage, never opened here
    by_source  (path, line) of the user's program -> its nodes; see `reading.nodes_by_source`, which makes it
    """

    text: str
    graphs: list[Graph]
    header: dict[str, str] = field(default_factory=dict)
    path: str | None = None
    by_source: dict[tuple[str, int], list[tuple[Graph, Node]]] | None = None


class TensorType(NamedTuple):
    """A printed type, taken apart by `reading/tensor_type.py`.

    dtype   torch's abbreviation: `f32`, `bf16`, `i64`, `b8`
    shape   sizes; a symbolic size is its text (`s77`, `2*u0`)
    stride  strides likewise, or None where not printed
    device  `cpu`, `cuda:0`, or None where not printed
    wrapper name of the tensor subclass around it (`DTensor`, `Parameter`), or None
    """

    dtype: str
    shape: tuple[int | str, ...]
    stride: tuple[int | str, ...] | None = None
    device: str | None = None
    wrapper: str | None = None
