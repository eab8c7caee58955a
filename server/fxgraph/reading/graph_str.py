"""Reader of `print(graph)`: torch/fx/graph.py `Graph.__str__`, torch/fx/node.py `Node.format_node` and `_format_arg`.

One expression walks over the whole text; a record that it does not take whole (a string with a line end in it, a
bracket in a target, a cut line) is looked at again by itself.
"""

from __future__ import annotations

import re

from fxgraph.graph import CALL_FUNCTION, CALL_METHOD, CALL_MODULE, OUTPUT, PLACEHOLDER, Graph, Node, Page
from fxgraph.reading.names import NAME, returned, settle

_OPCODE = r"(?:placeholder|get_attr|call_function|call_method|call_module|PlaceHolder)"
#: `%name : type [num_users=N] = opcode[target=`, with the groups name, type, number, opcode.
_FRONT = rf"%(\w+) : (?:([^\[\n][^\n]*?) ?)?(?:\[(?:num_users|#users|uses)=(\d+)\] )?= ({_OPCODE})\[target="

#: A record, else the begin of one, else the return line.
_LINE = re.compile(
    r"^[ \t]*(?:"
    + _FRONT
    + r"([^\]\n]*)\](\(args = [^\n]* kwargs = \{[^\n]*\}\)|\(default=[^\n]*\))?[ \t]*$"
    + r"|(%\w+ :(?= |$))"
    + r"|(return)\b(?! *=))",
    re.MULTILINE,
)
#: One record by itself, over several lines and with brackets in its target. The shortest that ends at a line's end.
_ODD_RECORD = re.compile(
    _FRONT + r"(.*?)\](\(args = .*? kwargs = \{.*?\}\)|\(default=.*?\)|)[ \t]*(?=\n|\Z)",
    re.DOTALL,
)
#: A record inside a line of other text: `While executing %add : [num_users=1] = ...`.
QUOTED = re.compile(
    _FRONT + r"([^\n]*?)\](\(args = [^\n]* kwargs = \{[^\n]*\}\)|\(default=[^\n]*?\)|(?!\())",
)
#: A record with something else behind it on its line, for instance what a program printed of `node.meta`.
_FOLLOWED = re.compile(QUOTED.pattern + r"(?=[ \t])")

#: Where brackets and colons stand only as `_format_arg` writes them, every read looks like this.
_PLAIN_READ = re.compile(r"%(?:(?<=[(\[{]%)|(?<=[,:] %))(\w+)")
#: ... and a bracket elsewhere stands inside an unquoted string or a slice: then the structure decides.
_ODD_BRACKET = re.compile(r"[(\[{](?:(?<![(\[{ ].)|(?<=[^,:=] .))")
_TOKEN = re.compile(r"%\w+|[()\[\]{}]|, |: ")
_RETURNED = re.compile(r"%(\w+)")
_CALLS = frozenset({CALL_FUNCTION, CALL_METHOD, CALL_MODULE})
_CLOSING = {"(": ")", "[": "]", "{": "}"}

Read = tuple[str, int, bool]


def read_graph_str(page: Page, begin: int, head_end: int, limit: int) -> Graph:
    """The graph whose records stand in [head_end, limit) or end earlier, at its return line (page offsets).

    `begin` is where its head begins; without a head give `begin == head_end`.
    """
    text = page.text
    graph = Graph("", "graph_str", page, begin, head_end, head_end, [], has_head=begin < head_end, has_end=False)
    nodes = graph.nodes
    add = nodes.append
    doubtful: list[tuple[Node, list[Read]]] = []
    plain, odd = _PLAIN_READ.findall, _ODD_BRACKET.search
    # one string for each name and word, however often it stands in the text: half of the memory
    names: dict[str, str] = {}
    words: dict[str, str] = {}
    own_name, own_word, known_name = names.setdefault, words.setdefault, names.get
    index = 0
    for match in _LINE.finditer(text, head_end, limit):
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
                match.end(),
                None if count is None else int(count),
            )
            if kind:
                node.type = own_word(kind, bare_type(kind))
            if args is not None and args[1] == "a":
                if odd(args, 8) is None and (": " not in args or args.find(": ") > args.rfind(", kwargs = {")):
                    node.reads = tuple([known_name(read, read) for read in plain(args, 8)])
                else:
                    doubtful.append((node, reads_of_arguments(text, match.start(6), match.end(6))))
            elif args is None and opcode in _CALLS:
                graph.broken.append((start - 1, match.end()))
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
            end = _line_end(text, match.start(8), limit)
            node = Node(OUTPUT, OUTPUT, OUTPUT, index, match.start(8), match.start(8), end)
            doubtful.append((node, reads_of_return(text, match.end(8), end)))
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
    settle(doubtful, names)
    return graph


def quoted_record(text: str, start: int, limit: int, index: int) -> tuple[Node, list[Read]] | None:
    """The record that a line of other text quotes at `start` (the offset of its `%`), and its reads."""
    match = QUOTED.match(text, start, limit)
    return None if match is None else _node_of(match, index)


def _odd_record(text: str, start: int, limit: int, index: int) -> tuple[Node | None, list[Read]]:
    """The record at `start`, which the expression for a line did not take: it may go over several lines."""
    following = _LINE.search(text, _line_end(text, start, limit), limit)
    stop = following.start() if following else limit
    match = _ODD_RECORD.match(text, start, stop) or _FOLLOWED.match(text, start, stop)
    return (None, []) if match is None else _node_of(match, index)


def _node_of(match: re.Match[str], index: int) -> tuple[Node, list[Read]]:
    name, kind, count, opcode, target, args = match.groups()
    node = Node(
        name,
        PLACEHOLDER if opcode == "PlaceHolder" else opcode,
        target,
        index,
        match.start(),
        match.start(1),
        match.end(6),
        None if count is None else int(count),
        bare_type(kind) if kind else None,
    )
    if args and args.startswith("(args = "):
        return node, reads_of_arguments(match.string, match.start(6), match.end(6))
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
                    if not any(kind == "slice" for _, kind, _ in stack):
                        found += [(m[0], m.start(), True) for m in NAME.finditer(text, opened, offset)]
            element_starts = in_key = False
        elif sign == ", ":
            element_starts = bool(stack) and stack[-1][1] == "container"
            in_key = element_starts and stack[-1][2]
        elif in_key:  # ": " behind the key of a dict
            element_starts, in_key = True, False
        else:
            element_starts = False
        at = match.end()
    return found


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
