"""Reader of `print(graph)`: torch/fx/graph.py `Graph.__str__`, torch/fx/node.py `Node.format_node` and `_format_arg`.

Most lines are calls whose arguments are nodes and constants: they are cut at the signs that torch writes between their
pieces. One expression takes the others; a record that it does not take whole (a string with a line end in it, a bracket
in a target, a cut line) is looked at again by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, OUTPUT, PLACEHOLDER, Graph, Node, Page
from fxgraph.reading.names import NAME, is_cut_return, returned, settle

_OPCODE = r"(?:placeholder|get_attr|call_function|call_method|call_module|PlaceHolder)"
#: `type [num_users=N] = opcode[target=`, with the groups type, number, opcode.
_SIGNATURE = rf"(?:([^\[\n][^\n]*?) ?)?(?:\[(?:num_users|#users|uses)=([0-9]{{1,18}})\] )?= ({_OPCODE})\[target="
#: The same behind `%name : `, with the name as first group.
_FRONT = rf"%(\w+) : {_SIGNATURE}"

_WHOLE = _FRONT + r"([^\]\n]*)\](\(args = [^\n]*\}\)|\(default=[^\n]*\))?"
#: A record, else the begin of one, else the return line. Groups: name, type, number, opcode, target, arguments, begin
#: of a record, `return`.
_LINE = re.compile(rf"^[ \t]*(?:{_WHOLE}[ \t]*$|(%\w+ :(?= |$))|(return)\b(?! *=))", re.MULTILINE)
#: What stands between name and arguments of a call, from ` : ` to `](args = (`: type, number, opcode, target.
_CALL = re.compile(_SIGNATURE + r"([^\]\n]*)")
#: Constants behind a node, `, 1, [2, 3]`, and keywords that are constants. Any other bracket may hold nodes.
_CONSTANTS = re.compile(r"(?:, \[[^%()\[\]{}:]*\]|, [^%()\[\]{},:]*|,)*")
_CONSTANT_KEYWORDS = re.compile(r"\{(?:\w+: (?:\[[^%()\[\]{}:]*\]|[^%()\[\]{},:]*)(?:, (?=\w)|(?=\})))*\}\)")
#: So many kinds of calls, and of constants in them, are remembered: most graphs have few, and memory is bounded.
_MOST_KEPT = 4096
#: Characters of text that are cut into lines at once.
_LINES_AT_ONCE = 1 << 17
#: The begin of a line with a record on it, whole or not.
RECORD_BEGIN = re.compile(r"[ \t]*%\w+ :(?= |$)", re.MULTILINE)
_RECORD_FRONT = re.compile(_FRONT)
_WHOLE_RECORD = re.compile(_WHOLE + r"\Z")
#: What may stand behind a target: the arguments, a default, the end of the record.
_TARGET_END = re.compile(r"\](?:(\(args = )|(\(default=)|(?!\())")
_LINE_END = re.compile(r"[ \t]*(?=\n|\Z)")
_ARGUMENTS_AT_LINE_END = re.compile(r"\}\)(?=[ \t]*(?:\n|\Z))")
_DEFAULT_AT_LINE_END = re.compile(r"\)(?=[ \t]*(?:\n|\Z))")
_BRACKET = re.compile(r"[()\[\]{}]")

#: Where brackets and colons stand only as `_format_arg` writes them, every read looks like this.
PLAIN_READ = re.compile(r"%(?:(?<=[(\[{]%)|(?<=[,:] %))(\w+)")
#: ... and a bracket elsewhere stands inside an unquoted string or a slice: then the structure decides.
_ODD_BRACKET = re.compile(r"[(\[{](?:(?<![(\[{ ].)|(?<=[^,:] .)(?<!\(args = .)(?<!, kwargs = .))")
#: Without opening brackets; a closing one ends a name, wherever it stands.
_BRACKETS = str.maketrans({"(": "", "[": "", ")": ",", "]": ","})
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"%\w+|[()\[\]{}]|, |: ")
_RETURNED = re.compile(r"%(\w+)")
_CALLS = frozenset({CALL_FUNCTION, CALL_METHOD, CALL_MODULE})
_CLOSING = {"(": ")", "[": "]", "{": "}"}

Read = tuple[str, int, bool]


class _Call(NamedTuple):
    """What a record says of its call."""

    type: str | None
    printed_users: int | None
    opcode: str
    target: str


def read_graph_str(page: Page, begin: int, head_end: int, limit: int) -> Graph:
    """The graph whose records stand in [head_end, limit) or end earlier, at its return line (page offsets).

    `begin` is where its head begins; without a head give `begin == head_end`.
    """
    text = page.text
    nodes: list[Node] = []
    graph = Graph("", "graph_str", page, begin, head_end, head_end, nodes, has_head=begin < head_end, has_end=False)
    add = nodes.append
    doubtful: list[tuple[Node, list[Read]]] = []
    # one string for each name and word, however often it stands in the text: half of the memory
    names: dict[str, str] = {}
    words: dict[str, str] = {}
    own_name, own_word, known_name = names.setdefault, words.setdefault, names.get
    calls: dict[str, _Call | None] = {}
    constants: dict[str, bool] = {}
    index = 0
    for at, line in _lines(text, head_end, limit):
        front, _, args = line.partition("](args = (")
        elements, closed, keywords = args.rpartition("), kwargs = {")
        if closed:
            sign, _, front = front.partition(" : ")
            if front not in calls:
                if len(calls) > _MOST_KEPT:
                    calls.clear()
                calls[front] = _call_of(front, own_word)
            call = calls[front]
            bare = sign.lstrip(" \t")
            name = bare[1:]
            if call is not None and bare[:1] == "%" and name.isidentifier() and name.isascii():
                reads = _reads_of_call(elements, keywords, known_name, constants)
                if reads is not None:
                    kind, users, opcode, target = call
                    start = at + len(sign) - len(name)
                    end = at + len(line)
                    add(Node(own_name(name, name), opcode, target, index, start - 1, start, end, users, kind, reads))
                    index += 1
                    continue
        match = _LINE.match(text, at, at + len(line)) if line else None
        if match is None:
            continue
        name, kind, count, opcode, target, args, begun, _ = match.groups()
        if name is not None:
            start = match.start(1)
            node = Node(
                own_name(name, name),
                own_word(opcode, opcode),
                own_word(target, target),
                index,
                start - 1,
                start,
                match.end(5) + 1 if args is None else match.end(6),
                None if count is None else int(count),
            )
            if kind:
                node.type = own_word(kind, bare_type(kind)) or None
            if args is not None and args[1] == "a":
                if args[8] != "(" or " kwargs = {" not in args:
                    graph.broken.append((start - 1, match.end(6)))
                    continue
                reads = _plain_reads(args, known_name)
                if reads is not None:
                    node.reads = reads
                else:
                    doubtful.append((node, reads_of_arguments(text, *match.span(6))))
            elif args is None and opcode in _CALLS:
                graph.broken.append((start - 1, match.end(5) + 1))
                continue
            elif opcode == "PlaceHolder":
                node.opcode = PLACEHOLDER
                graph.is_part = True
            add(node)
            index += 1
        elif begun is not None:
            node_or_none, found = _odd_record(text, match.start(7), limit, index)
            if node_or_none is None:
                graph.broken.append((match.start(7), _line_end(text, match.start(7), limit)))
                continue
            doubtful.append((node_or_none, found))
            own_name(node_or_none.name, node_or_none.name)
            add(node_or_none)
            index += 1
        else:
            start, stop = match.span(8)
            end = _line_end(text, start, limit)
            node = Node(OUTPUT, OUTPUT, OUTPUT, index, start, start, end)
            found_reads = reads_of_return(text, stop, end)
            if is_cut_return(text, start, end, names, tuple):
                if text[end:limit].strip():
                    graph.broken.append((start, end))
                    continue
                break
            doubtful.append((node, found_reads))
            add(node)
            graph.has_end = True
            break
    if nodes:
        graph.end = nodes[-1].end
    if graph.broken:
        graph.end = max(graph.end, graph.broken[-1][1])
    if not graph.has_head:
        first = min([node.begin for node in nodes[:1]] + [start for start, _ in graph.broken[:1]], default=begin)
        graph.begin = graph.head_end = first
    graph.doubtful = [node.index for node, _ in doubtful]
    # the names of broken lines are no nodes
    settle(doubtful, {node.name for node in nodes} if graph.broken else names)
    return graph


def _lines(text: str, start: int, limit: int) -> Iterator[tuple[int, str]]:
    """The whole lines that begin in [start, limit), each with its offset."""
    if start > 0 and text[start - 1] != "\n":
        start = text.find("\n", start, limit) + 1 or limit
    while start < limit:
        stop = text.find("\n", min(start + _LINES_AT_ONCE, limit), limit)
        for line in text[start : limit if stop < 0 else stop].split("\n"):
            yield start, line
            start += len(line) + 1


def _call_of(front: str, own_word: Callable[[str, str], str]) -> _Call | None:
    """Type, number of users, opcode and target of a call, from what stands between its name and its arguments.

    `own_word` gives the string that all nodes share.
    """
    match = _CALL.fullmatch(front)
    if match is None or match[3] not in _CALLS:
        return None
    kind, count, opcode, target = match.groups()
    shown = own_word(kind, bare_type(kind)) or None if kind else None
    users = None if count is None else int(count)
    return _Call(shown, users, own_word(opcode, opcode), own_word(target, target))


def _reads_of_call(
    elements: str, keywords: str, known_name: Callable[..., str], constants: dict[str, bool]
) -> tuple[str, ...] | None:
    """The reads of a call whose arguments are nodes that are there, and constants; None where others may stand.

    `constants` keeps whether what stands around nodes, from its comma or bracket on, is constants.
    """
    if keywords != "})" and not _are_constants("{" + keywords, constants):
        return None
    # from one node to the next: `a, 0, None` of `%a, 0, None, %b`
    pieces = elements.split(", %")
    first = pieces[0]
    if first[:1] == "%":
        pieces[0] = first[1:]
    elif _are_constants(", " + first, constants):
        del pieces[0]
    else:
        return None
    reads = tuple(map(known_name, pieces))
    if None in reads:
        for place, piece in enumerate(pieces):
            comma = piece.find(",")
            if comma >= 0:
                if not _are_constants(piece[comma:], constants):
                    return None
                pieces[place] = piece[:comma]
        reads = tuple(map(known_name, pieces))
    return None if None in reads else reads


def _are_constants(piece: str, known: dict[str, bool]) -> bool:
    """Whether there are only constants in `, 1, [2, 3]` or in `{dim: 1})`."""
    found = known.get(piece)
    if found is None:
        if len(known) > _MOST_KEPT:
            known.clear()
        found = known[piece] = (_CONSTANT_KEYWORDS if piece[0] == "{" else _CONSTANTS).fullmatch(piece) is not None
    return found


def _plain_reads(args: str, known_name: Callable[..., str]) -> tuple[str, ...] | None:
    """The reads in `(args = (...), kwargs = {...})` where every bracket and colon stands as `_format_arg` writes it.

    None where that is not sure: then the structure decides. `known_name` gives the string of a name that is there.
    """
    if args.endswith("), kwargs = {})"):
        inner = args[9:-15]
        if "{" in inner or _ODD_BRACKET.search(args, 8) is not None:
            return None
        return _reads_of_elements(inner.translate(_BRACKETS), known_name)
    if _ODD_BRACKET.search(args, 8) is not None or args.count("{") != 1:
        return None
    if ": " in args and args.find(": ") < args.rfind(", kwargs = {"):
        return None
    reads = PLAIN_READ.findall(args, 8)
    return tuple(map(known_name, reads, reads))


def _reads_of_elements(elements: str, known_name: Callable[..., str]) -> tuple[str, ...] | None:
    """The reads among elements with `, ` between them; None where words behind a `%` are no names."""
    # from one node to the next: `a, 0, None` of `%a, 0, None, %b`
    pieces = elements.split(", %")
    if elements[:1] == "%":
        pieces[0] = pieces[0][1:]
    else:
        del pieces[0]
    found = tuple(map(known_name, pieces))
    if None in found:
        pieces = [piece.partition(",")[0] for piece in pieces]
        found = tuple(map(known_name, pieces))
        if None in found:
            if not all(map(_WORD.fullmatch, pieces)):
                return None  # `%d of them`
            found = tuple(map(known_name, pieces, pieces))
    return found


class Record(NamedTuple):
    """Page offsets (start, end) of the pieces of one record: `type` as it is printed, `users` the bare number, `args`
    with their brackets.
    """

    name: tuple[int, int]
    type: tuple[int, int] | None
    users: tuple[int, int] | None
    opcode: tuple[int, int]
    target: tuple[int, int]
    args: tuple[int, int] | None
    end: int


def record_of(text: str, start: int, end: int) -> Record | None:
    """The pieces of the record that was read from [start, end)."""
    match = _WHOLE_RECORD.match(text, start, end)
    if match is None:
        return record_at(text, start, end, to_line_end=True) or record_at(text, start, end, to_line_end=False)
    kind, count, args = [match.span(group) if match[group] else None for group in (2, 3, 6)]
    return Record(match.span(1), kind, count, match.span(4), match.span(5), args, end)


def record_at(text: str, start: int, limit: int, to_line_end: bool) -> Record | None:
    """The record that begins with the `%` at `start`; None where none ends before `limit`.

    One that reaches to the end of a line may go over several lines (a string with a line end in it); any other one
    stands on one line and may have other text behind it.
    """
    front = _RECORD_FRONT.match(text, start, limit)
    if front is None:
        return None
    no_call = no_default = False
    # a target holds no other record: what stands behind this one on its line
    other = text.find("[target=", front.end(), limit)
    for sign in _TARGET_END.finditer(text, front.end(), limit if other < 0 else other):
        args = None
        if sign[1]:
            end = None if no_call else _arguments_end(text, sign.end(), limit, to_line_end)
            no_call = end is None
        elif sign[2]:
            end = None if no_default else _default_end(text, sign.end(), limit, to_line_end)
            no_default = end is None
        else:
            end = sign.end() if not to_line_end or _LINE_END.match(text, sign.end(), limit) else None
        if end is not None:
            if sign[1] or sign[2]:
                args = (sign.start() + 1, end)
            target = (front.end(), sign.start())
            kind, count = [front.span(group) if front[group] else None for group in (2, 3)]
            return Record(front.span(1), kind, count, front.span(4), target, args, end)
    return None


def _arguments_end(text: str, start: int, limit: int, to_line_end: bool) -> int | None:
    keywords = text.find(" kwargs = {", start, limit)
    if keywords < 0:
        return None
    keywords += len(" kwargs = {")
    if to_line_end:
        match = _ARGUMENTS_AT_LINE_END.search(text, keywords, limit)
        return match.end() if match else None
    close = _pair_end(text, keywords, limit, "{")
    if close is not None and text.startswith(")", close):
        return close + 1
    close = text.rfind("})", keywords, limit)  # brackets in a string
    return close + 2 if close >= 0 else None


def _default_end(text: str, start: int, limit: int, to_line_end: bool) -> int | None:
    if to_line_end:
        match = _DEFAULT_AT_LINE_END.search(text, start, limit)
        return match.end() if match else None
    close = _pair_end(text, start, limit, "(")
    return close if close is not None else text.find(")", start, limit) + 1 or None


def _pair_end(text: str, start: int, limit: int, opened: str) -> int | None:
    """Offset behind the bracket that closes one opened before `start`; only brackets of its kind are counted."""
    depth = 1
    closed = _CLOSING[opened]
    for match in _BRACKET.finditer(text, start, limit):
        depth += (match[0] == opened) - (match[0] == closed)
        if depth == 0:
            return match.end()
    return None


def quoted_record(text: str, start: int, limit: int, index: int) -> tuple[Node, list[Read]] | None:
    """The record that a line of other text quotes at `start` (the offset of its `%`), and its reads."""
    record = record_at(text, start, limit, to_line_end=False)
    return None if record is None else _node_of(text, record, index)


def _odd_record(text: str, start: int, limit: int, index: int) -> tuple[Node | None, list[Read]]:
    """The record at `start`, which the expression for a line did not take: it may go over several lines."""
    line_end = _line_end(text, start, limit)
    following = _LINE.search(text, line_end, limit)
    stop = following.start() if following else limit
    record = record_at(text, start, stop, to_line_end=True)
    # or something else stands behind it, for instance what a program printed of `node.meta`
    record = record or record_at(text, start, line_end, to_line_end=False)
    if record is None or (record.args is None and text[slice(*record.opcode)] in _CALLS):
        return None, []
    return _node_of(text, record, index)


def _node_of(text: str, record: Record, index: int) -> tuple[Node, list[Read]]:
    name, opcode, target = (text[slice(*piece)] for piece in (record.name, record.opcode, record.target))
    node = Node(
        name,
        PLACEHOLDER if opcode == "PlaceHolder" else opcode,
        target,
        index,
        record.name[0] - 1,
        record.name[0],
        record.end,
        int(text[slice(*record.users)]) if record.users else None,
        bare_type(text[slice(*record.type)]) if record.type else None,
    )
    if record.args and text.startswith("(args = ", record.args[0]):
        return node, reads_of_arguments(text, *record.args)
    return node, []


def bare_type(kind: str) -> str:
    """The text between the quotes of `Tensor "f32[2]cpu"`, else the annotation as it stands."""
    first = kind.find('"')
    return kind[first + 1 : -1] if 0 <= first < len(kind) - 1 and kind[-1] == '"' else kind.rstrip()


def reads_of_arguments(text: str, start: int, end: int) -> list[Read]:
    """Reads in `(args = (...), kwargs = {...})`: (name, offset of the bare name, doubtful).

    `%name` is a node only where an element starts: `_format_arg` goes into tuples, lists and dicts and writes `str()`
    of anything else. Nodes inside a slice have no `%`, so those are doubtful.
    """
    found: list[Read] = []
    # (closing bracket, container or free text or slice, inside a dict)
    stack: list[tuple[str, str, bool]] = []
    element_starts = False
    in_key = False
    at = start
    slices: list[int] = []
    balanced = True
    for match in _TOKEN.finditer(text, start, end):
        sign, offset = match[0], match.start()
        if offset > at and not in_key:
            element_starts = False
        if sign[0] == "%":
            if element_starts and not in_key:
                found.append((sign[1:], offset + 1, False))
            element_starts = False
        elif sign in _CLOSING:
            # the outermost bracket holds `args = (...), kwargs = {...}`: both begin an element
            starts = (
                not stack or element_starts or text.endswith((" args = ", "(args = ", ", kwargs = "), start, offset)
            )
            starts = starts and not (in_key and stack and stack[-1][2])
            if starts:
                stack.append((_CLOSING[sign], "container", sign == "{"))
                element_starts, in_key = True, sign == "{"
            else:
                is_slice = text.endswith("slice", at, offset)
                stack.append((_CLOSING[sign], "slice" if is_slice else "text", False))
                if is_slice:
                    slices.append(offset)
                element_starts = in_key = False
        elif sign in ")]}":
            if stack and stack[-1][0] == sign:
                if stack.pop()[1] == "slice":
                    opened = slices.pop()
                    if not slices:
                        found += [(m[0], m.start(), True) for m in NAME.finditer(text, opened, offset)]
            else:
                balanced = False
            element_starts = in_key = False
        elif sign == ", ":
            element_starts = bool(stack) and stack[-1][1] == "container"
            in_key = element_starts and stack[-1][2]
        elif in_key:  # ": " behind the key of a dict
            element_starts, in_key = True, False
        else:
            element_starts = False
        at = match.end()
    if balanced and not stack:
        return found
    # A string with a bracket of its own: where it ends cannot be told, so everything that looks like a read may be one.
    known = {offset for _, offset, _ in found}
    others = [match.span(1) for match in PLAIN_READ.finditer(text, start, end) if match.start(1) not in known]
    return sorted([*found, *((text[a:b], a, True) for a, b in others)], key=lambda read: read[1])


def reads_of_return(text: str, start: int, end: int) -> list[Read]:
    """Reads behind `return`. Fragments write `%a,%b` there, all other graphs Python's `str()` of the value."""
    if text[start:end].lstrip(" ([{").startswith("%"):
        return [(m[1], m.start(1), False) for m in _RETURNED.finditer(text, start, end)]
    return returned(text, start, end)


def _line_end(text: str, start: int, limit: int) -> int:
    end = text.find("\n", start, limit)
    end = limit if end < 0 else end
    while end > start and text[end - 1] in " \t":
        end -= 1
    return end
