"""The body of a generated `forward`: statement after statement (torch/fx/graph.py `CodeGen._gen_python_code`).

One expression takes the statements as torch writes them; all others (strings with semicolons, several lines, what a
formatter made of them) go through `scan`.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import chain

from fxgraph.graph import CALL_FUNCTION, OUTPUT, PLACEHOLDER, Graph, Node, Page
from fxgraph.reading.expressions import IN_PLACE, Meaning, meaning, nested_call, top_level_sign
from fxgraph.reading.names import CONSTANTS, NAME, is_cut_return, names
from fxgraph.reading.scan import clauses, closing, statement_end, unwrapped, without_strings

#: A line as torch writes it: blank, comment, or one statement without strings and its list of names set to None.
_LINE = re.compile(
    r"([ \t]*)(?:(\#[^\n]*)?(?:\n|\Z)"
    r"|([A-Za-z_]\w*)(?:: \"([^\"\n]*)\"| : ([^=\n\"']+?))? = ([^=;\n\"'#](?:[^;\n\"'#]*[^;\n\"'# \t])?)"
    r"(?:;  ((?:\w+ = )+)None)?[ \t]*(?:\n|\Z))"
)
#: The most frequent statement, a call of one of torch's functions, taken in one step.
_CALL_LINE = re.compile(
    r"[ \t]*([A-Za-z_]\w*)(?:: \"([^\"\n]*)\")? = (torch\.[\w.]+)\(([^;\n\"'#<]*)\)(?:;  ((?:\w+ = )+)None)?[ \t]*\n"
)
#: A formatter may put brackets around an annotation that is too long for its line.
ASSIGN = re.compile(
    r"([A-Za-z_]\w*)(?:\s*:\s*(?:\(\s*(?=[\"']))?"
    r"(\"[^\"]*\"|'[^']*'|[^=\s\"'](?:[^=\n\"']*[^=\s\"'])?)(?:\s*\))?)?\s*=(?!=)\s*"
)
_DECLARATION = re.compile(r"([A-Za-z_]\w*)\s*:\s*(?:\(\s*)?(\"[^\"]*\"|'[^']*')(?:\s*(?:\#[^\n]*\n\s*)?\))?\Z")
_UNPACK = re.compile(r"\(?\s*([A-Za-z_]\w*\s*,(?:\s*[A-Za-z_]\w*\s*,)*(?:\s*[A-Za-z_]\w*)?)\s*(?:\)\s*)?=(?!=)\s*")
#: `x = y = None`; a formatter puts brackets around the last of these words where the line is too long.
_FREES = re.compile(r"((?:(?:[A-Za-z_]\w*|\(\s*[A-Za-z_]\w*\s*\))\s*=\s*)+)(?:None|\(\s*None\s*\))\Z")
_AUGMENTED = re.compile(r"([A-Za-z_]\w*|\S.*?\S)\s(\*\*|//|<<|>>|[+\-*/%&|^@])=\s", re.DOTALL)
_NAME_ONLY = re.compile(r"[A-Za-z_]\w*\Z")
_RETURN = re.compile(r"return\b")
#: Furniture of code generation which is no node: profiler marks, boxed arguments, flattened Python arguments.
_FURNITURE = re.compile(
    r"_rf(?:_\w+)?\s*=|_rf\w*\.__exit__|args_iter = |args_list|_fn_args = |\w+_boxed_arg_\d+ = |pass\b"
)
#: What takes the arguments apart: torch/fx/graph.py `_PyTreeCodeGen`, torch/_dynamo/functional_export.py.
_FLATTENS = re.compile(
    r"(?:fx_)?pytree\.tree_flatten_spec\(|self\._dynamo_bytecode_flatten\(|self\._in_shuffle_graph\("
)
#: Statements that code generation never writes.
_PROGRAM = re.compile(
    r"(?:if|for|while|with|try|else|elif|def|class|except|finally|raise|assert|yield|del|import|from)\b|@"
)
#: Names of flattened Python arguments: torch/_dynamo/functional_export.py writes them, they are no nodes.
_ARGUMENT_TUPLE = re.compile(r"_fn_args\Z|_tree_leaf_\d+\Z")
#: `key: 'value'` lines between triple quotes (FX_GRAPH_SHOW_META); a docstring has other words in its first line.
_META_BLOCK = re.compile(r"""[ \t]*\"{3}\n[ \t]*\w+: ['"(].*?\n[ \t]*\"{3}[ \t]*(?:\n|\Z)""", re.DOTALL)
#: The begin of a statement that a formatter may have broken over lines. Any other line with an open bracket is foreign
#: and takes nothing of the lines below.
_MAY_GO_ON = re.compile(r"[A-Za-z_]\w*[ \t]*(?:[=:\[,]|[^\w\s(]{1,2}=)|return\b|\((?:\s*\n|[^()\n]*\) = )")
#: Arguments of more characters are looked through at once.
_LONG_ARGUMENTS = 1000
#: A statement of this many characters is looked through, whatever was looked through before.
_LEAST_REACH = 1000


class Reader:
    """One graph while it is read: its nodes, the names known so far, and what speaks for generated code."""

    def __init__(self, page: Page, begin: int, head_end: int, limit: int) -> None:
        self.page, self.text, self.limit = page, page.text, limit
        self.nodes: list[Node] = []
        self.graph = Graph("", "code", page, begin, head_end, head_end, self.nodes, has_end=False)
        # the inputs in the order of the parameters; one with a joining line (`l_x_ = L_x_`) is replaced by its node
        self.inputs: dict[str, Node] = {}
        self.known: set[str] = set()
        self.declared: dict[str, str] = {}
        self.words: dict[str, str] = {}
        # what stands between two commas -> the names it reads; a node's name -> itself, the same object everywhere
        self.reads_of: dict[str, tuple[str, ...]] = {}
        # how many characters may yet be looked through in vain for the closing brackets of statements
        self.patience = 2 * (limit - begin) + 100_000
        # where to read on, where that is not behind the statement
        self.resume: int | None = None
        self.held: tuple[int, Meaning, str] | None = None
        self.evidence = False
        # `y = f(x)` and below it `x = None`: evidence where no `if` or `for` shows that somebody wrote it
        self.frees_reads = self.has_program = False
        self.foreign = False

    def add(self, node: Node) -> None:
        """Append a node. A second assignment to one name speaks against generated code."""
        node.index = len(self.nodes)
        self.nodes.append(node)
        self.graph.end = max(self.graph.end, node.end)
        if node.name in self.known:
            self.foreign = True  # generated code assigns each name once
        self.known.add(node.name)


def read_body(reader: Reader, start: int, indent: int) -> int:
    """Statement after statement, down to the return or the first line that is not indented deeper than `def`.

    `start` is the begin of a line, or where the body begins on the line of `def`. Returns where reading ended.
    """
    text, limit = reader.text, reader.limit
    match_line, match_call = _LINE.match, _CALL_LINE.match
    graph, known = reader.graph, reader.known
    nodes, reads_of = reader.nodes, reader.reads_of
    known_reads = reads_of.__getitem__
    # one string for each target and type, however often it stands in the text
    own = reader.words.setdefault
    position = start
    inline = start if text[start - 1 : start] != "\n" else -1
    while position < limit:
        call = match_call(text, position, limit)
        if call is not None and reader.held is None:
            name, quoted, target, args, frees = call.groups()
            at = call.start(1)
            reads = reads_of.get(args)
            if at - position > indent and (reads is not None or _is_closed(args)):
                if reads is None:
                    try:
                        reads = tuple(chain.from_iterable(map(known_reads, args.split(", "))))
                    except KeyError:
                        reads = names_by_piece(reads_of, args)
                end = call.end(5) + 4 if frees else call.end(4) + 1
                kind = own(quoted, quoted) if quoted else quoted
                node = Node(name, CALL_FUNCTION, own(target, target), len(nodes), at, at, end, None, kind, reads)
                if frees:
                    freed = frees[:-3]
                    node.frees = reads_of.get(freed) or _freed_names(reads_of, freed)
                    reader.evidence = True
                elif quoted is not None:
                    reader.evidence = True
                elif nested_call(args):
                    reader.foreign = True
                if name in known:
                    reader.foreign = True
                else:
                    known.add(name)
                    reads_of[name] = () if name in CONSTANTS else (name,)
                nodes.append(node)
                graph.end = end
                position = call.end()
                continue
        line = match_line(text, position, limit)
        if line is not None:
            margin, comment, name, quoted, bare, expression, frees = line.groups()
            if name is None:
                if comment is not None:
                    graph.comments.append((line.start(2), line.end(2)))
                position = line.end()
                if position == line.start():
                    break
                continue
            if len(margin) <= indent and position != inline:
                break
            if (
                expression.count("(") == expression.count(")")
                and expression.count("[") == expression.count("]")
                and _plain(reader, line, name, quoted, bare, expression, frees)
            ):
                position = line.end()
                continue
        block = _META_BLOCK.match(text, position, limit)
        if block:
            reader.evidence = True
            position = block.end()
            continue
        begin = position
        while begin < limit and text[begin] in " \t":
            begin += 1
        if begin - position <= indent and position != inline:
            break
        end, balanced = _statement_end(reader, begin)
        if _statement(reader, begin, end, balanced):
            return end
        position = max(end if reader.resume is None else reader.resume, begin) + 1
        reader.resume = None
    return position


def _is_closed(args: str) -> bool:
    """Whether the bracket that opens these arguments is closed behind them, and all brackets in them are."""
    if "(" not in args and ")" not in args:
        return args.count("[") == args.count("]")
    return args.count("[") == args.count("]") and closing(f"({args})", 0, len(args) + 2) == len(args) + 1


def names_by_piece(reads_of: dict[str, tuple[str, ...]], args: str) -> tuple[str, ...]:
    """The names in arguments. No name goes over a comma, so they are those of the pieces between commas."""
    if len(args) > _LONG_ARGUMENTS:  # lists of numbers: no piece comes twice
        return tuple([(reads_of.get(read) or (read,))[0] for read in NAME.findall(args) if read not in CONSTANTS])
    found: list[str] = []
    for piece in args.split(", "):
        reads = reads_of.get(piece)
        if reads is None:
            reads = reads_of[piece] = tuple([read for read in NAME.findall(piece) if read not in CONSTANTS])
        found += reads
    return tuple(found)


def _freed_names(reads_of: dict[str, tuple[str, ...]], freed: str) -> tuple[str, ...]:
    """The names of `x = y`."""
    found: list[str] = []
    for name in freed.split(" = "):
        found += reads_of.get(name) or (name,)
    return tuple(found)


def _statement_end(reader: Reader, begin: int) -> tuple[int, bool]:
    """The end of the statement at `begin`. Statements whose brackets never close share what may be looked through."""
    line_end = reader.text.find("\n", begin, reader.limit)
    line_end = reader.limit if line_end < 0 else line_end
    reach = 0
    if _MAY_GO_ON.match(reader.text, begin, reader.limit):
        reach = max(reader.patience, _LEAST_REACH)
    end, balanced, seen = statement_end(reader.text, begin, min(reader.limit, max(begin + reach, line_end)))
    if not balanced:
        reader.patience -= seen - begin
        end = line_end
    return end, balanced


def _plain(
    reader: Reader,
    line: re.Match[str],
    name: str,
    quoted: str | None,
    bare: str | None,
    expression: str,
    frees: str | None,
) -> bool:
    """Takes a statement as torch writes it. False where it needs a closer look."""
    if reader.held is not None or name.startswith("_rf") or name == "args_iter":
        return False
    told = meaning(expression)
    if told is None or told.opcode == PLACEHOLDER:
        return False
    node = Node(
        name, told.opcode, told.target, 0, line.start(3), line.start(3), line.end(6), None, bare or quoted, told.reads
    )
    if quoted is not None:
        reader.evidence = True
    if frees is not None:
        reader.evidence = True
        node.frees = frees.split(" = ")[:-1]
        node.end = line.end(7) + 4
    reader.add(node)
    return True


def _statement(reader: Reader, begin: int, end: int, balanced: bool) -> bool:
    """Takes a statement of any layout; True where it was the return."""
    text = reader.text
    if _FURNITURE.match(text, begin, end):
        return text.startswith("pass", begin) and _take_pass(reader, begin)
    if not balanced:
        if _RETURN.match(text, begin, end):
            return _break_return(reader, begin, end)
        _break(reader, begin, end)
        return False
    if _RETURN.match(text, begin, end):
        return _take_return(reader, begin, end)
    if _PROGRAM.match(text, begin, end):
        reader.foreign = reader.has_program = True
        return False
    pieces = clauses(text, begin, end)
    for place, (a, b) in enumerate(pieces):
        frees = _FREES.match(text, a, b)
        if frees and reader.graph.nodes:
            _take_frees(reader, frees, is_tail=place > 0)
        elif place > 0 and reader.held is None and ASSIGN.match(text, a, b):
            break  # `;  x = y = No`: a list of names set to None that was cut
        elif frees or not _clause(reader, a, b):
            if place == 0:
                _spoil(reader, begin, end)
            break
    return False


def _take_pass(reader: Reader, begin: int) -> bool:
    reader.graph.has_end = True
    reader.graph.end = begin + len("pass")
    return True


def _take_return(reader: Reader, begin: int, end: int) -> bool:
    text = reader.text
    pieces = clauses(text, begin, end)
    stop = pieces[0][1] if pieces else end
    value = text[begin + len("return") : stop]
    node = Node(OUTPUT, OUTPUT, OUTPUT, 0, begin, begin, max(stop, begin + 6), None, None, names(value))
    if "self._out_spec" in value or "_dynamo_bytecode" in value:
        reader.evidence = True
    elif nested_call(value) or top_level_sign(without_strings(value)):
        reader.foreign = True
    node.reads = [name for name in node.reads if not _ARGUMENT_TUPLE.match(name)]
    if is_cut_return(text, begin, end, reader.known, partial(_freed, reader)):
        return _break_return(reader, begin, end)
    reader.nodes.append(node)
    node.index = len(reader.nodes) - 1
    reader.graph.end = node.end
    reader.graph.has_end = True
    return True


def _freed(reader: Reader) -> set[str]:
    return {name for node in reader.graph.nodes for name in node.frees}


def _break_return(reader: Reader, begin: int, end: int) -> bool:
    """A return line whose brackets stay open: what it returns is not known. True where the text was cut there."""
    if not reader.text[end : reader.limit].strip():
        return True
    reader.graph.broken.append((begin, end))
    reader.graph.end = max(reader.graph.end, end)
    return False


def _take_frees(reader: Reader, frees: re.Match[str], *, is_tail: bool) -> None:
    """Names set to None. Behind a semicolon that is generated code; a line of its own may be anybody's, unless it lets
    go of what the line above reads.
    """
    node = reader.graph.nodes[-1]
    names_freed = [name.strip(" \t\n()") for name in frees[1].split("=")[:-1]]
    if not isinstance(node.frees, list):
        node.frees = list(node.frees)
    node.frees += names_freed
    node.end = frees.end()
    reader.graph.end = max(reader.graph.end, node.end)
    reader.evidence = reader.evidence or is_tail
    reader.frees_reads = reader.frees_reads or set(names_freed) <= set(node.reads)


def _clause(reader: Reader, a: int, b: int) -> bool:
    """One part of a statement between semicolons. False where it is none that code generation writes."""
    text = reader.text
    declaration = _DECLARATION.match(text, a, b)
    if declaration:
        reader.declared[declaration[1]] = declaration[2][1:-1]
        reader.evidence = True
        return True
    unpack = _UNPACK.match(text, a, b)
    if unpack:
        return _take_inputs(reader, unpack, b)
    assign = ASSIGN.match(text, a, b)
    if assign:
        return _take_assignment(reader, assign, a, b)
    return _hold_in_place(reader, a, b)


def _take_inputs(reader: Reader, unpack: re.Match[str], end: int) -> bool:
    """`a, b, = fx_pytree.tree_flatten_spec(...)`: the names on the left are the inputs, the parameters are none."""
    text = reader.text
    right = text[slice(*unwrapped(text, unpack.end(), end))]
    if right.startswith("pytree.tree_leaves("):
        return True
    if not _FLATTENS.match(right):
        reader.foreign = True
        return False
    reader.evidence = True
    reader.inputs = {}
    for match in re.compile(r"[A-Za-z_]\w*").finditer(text, *unpack.span(1)):
        if match[0] == "self":
            continue  # symbolic_trace with concrete_args flattens the module with its arguments
        node = Node(match[0], PLACEHOLDER, match[0], 0, match.start(), match.start(), match.end())
        node.type = reader.declared.get(match[0])
        reader.inputs[match[0]] = node
        reader.known.add(match[0])
    reader.graph.end = max(reader.graph.end, end)
    return True


def _take_assignment(reader: Reader, assign: re.Match[str], a: int, b: int) -> bool:
    text = reader.text
    name, kind = assign[1], assign[2]
    quoted = bool(kind) and kind[0] in "\"'"
    kind = kind[1:-1] if quoted else kind
    start, stop = unwrapped(text, assign.end(), b)
    expression = text[start:stop]
    if _NAME_ONLY.match(expression):
        if reader.held is not None and reader.held[2] == expression:
            begin, held, _ = reader.held
            reader.held = None
            reader.add(Node(name, held.opcode, held.target, 0, begin, assign.start(1), b, None, kind, held.reads))
            return True
        parameter = reader.inputs.get(expression)
        if parameter is None or parameter.name != expression:
            return False
        node = Node(name, PLACEHOLDER, parameter.target, 0, a, a, b, None, kind or parameter.type)
        reader.inputs[expression] = node
        reader.add(node)
        return True
    told = meaning(expression) or (meaning(" ".join(expression.split())) if "\n" in expression else None)
    if told is None:
        if quoted:
            _spoil(reader, a, b)
            return True
        reader.foreign = True
        return False
    if told.opcode == PLACEHOLDER and "args_iter" not in expression:
        return False
    node = Node(name, told.opcode, told.target or name, 0, a, a, b, None, kind, told.reads)
    if told.opcode == PLACEHOLDER:
        reader.evidence = True
        reader.inputs.pop("args_list", None)
    if quoted:
        reader.evidence = True
    elif told.opcode != PLACEHOLDER and "(" in expression:
        inside = expression[expression.index("(") + 1 : -1]
        if not expression.startswith("getattr(") and nested_call(inside):
            reader.foreign = True
    reader.add(node)
    return True


def _hold_in_place(reader: Reader, a: int, b: int) -> bool:
    """`t += y` and `t[0] = y`, which the next statement (`t_1 = t`) gives its name."""
    text = reader.text
    augmented = _AUGMENTED.match(text, a, b)
    if augmented and augmented[2] in IN_PLACE:
        told = Meaning(CALL_FUNCTION, f"operator.{IN_PLACE[augmented[2]]}", names(text[a : augmented.end(1)]))
        reader.held = (a, told._replace(reads=told.reads + names(text[augmented.end() : b])), augmented[1])
        return True
    item = re.compile(r"([A-Za-z_]\w*)\[").match(text, a, b)
    close = closing(text, item.end() - 1, b) if item else None
    if item and close is not None:
        equals = re.compile(r"\s*=(?!=)\s*").match(text, close + 1, b)
        if equals:
            reads = [item[1], *names(text[item.end() : close]), *names(text[equals.end() : b])]
            reader.held = (a, Meaning(CALL_FUNCTION, "operator.setitem", reads), item[1])
            return True
    return False


def _spoil(reader: Reader, begin: int, end: int) -> None:
    """A statement that says nothing. Where it goes over several lines, a bracket too many took in those below:
    they are read by themselves.
    """
    line_end = reader.text.find("\n", begin, end)
    if line_end >= 0:
        reader.patience -= end - begin
        reader.resume = end = line_end
    _break(reader, begin, end)


def _break(reader: Reader, begin: int, end: int) -> None:
    """A line that begins as a node and then fails; any other line is foreign and nobody's business."""
    if ASSIGN.match(reader.text, begin, end):
        reader.graph.broken.append((begin, end))
        reader.graph.end = max(reader.graph.end, end)
        reader.foreign = True
