"""Types of a graph's inputs that stand elsewhere in the text than beside the inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fxgraph.graph import Dump, Graph
from fxgraph.reading.scan import closing, elements, unquoted

NAMED = re.compile(r"([A-Za-z_]\w*):(.+)", re.DOTALL)
#: torch/_dynamo/debug_utils.py `InputWriter` writes these calls, one an input, with its name behind.
_CALL = re.compile(r"(?:^|[ \t;])(?:(\w+) = )?reader\.(tensor|symint|storage)\(", re.MULTILINE)
_INPUT = re.compile(r"[ \t]*#[ \t]*(\w+)(?![\w\[])")
_LOAD = re.compile(r"^[ \t]*def load_args\(reader\):", re.MULTILINE)
_DEVICE = re.compile(r"device\(type=['\"](\w+)['\"](?:, index=(\d+))?\)")
_KEYWORD = re.compile(r"(\w+)=(?!=)")
#: A call that is not closed within so many characters is none.
_LONGEST_CALL = 10_000

ABBREVIATIONS = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "complex64": "c64", "complex128": "c128",
    "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64", "bool": "b8", "float8_e4m3fn": "f8e4m3fn", "float8_e5m2": "f8e5m2",
}  # fmt: skip


def told_inputs(dump: Dump, graph: Graph, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Types by name of the input, as print_readable would print them: those given, those of a header line
    `# fxgraph: inputs=x:f32[2,3],n:Sym(s0)`, and those that a repro script loads. Types beside the inputs count more.
    """
    return {**loaded_inputs(dump, graph), **header_inputs(dump.header.get("inputs", "")), **(given or {})}


def header_inputs(text: str) -> dict[str, str]:
    """`x:f32[2,3],y:i64[4]cuda:0` taken apart; what is no pair of name and type is left out."""
    pieces = [text[a:b] for a, b in elements(text, 0, len(text))]
    matches = [NAMED.fullmatch(piece) for piece in pieces]
    return {match[1]: match[2] for match in matches if match}


def loaded_inputs(dump: Dump, graph: Graph) -> dict[str, str]:
    """What `load_args` of a repro script makes: it stands below the graph and above the next one."""
    if (graph.container != "repro" and "reader.tensor(" not in dump.text) or graph.parent is not None:
        return {}
    text = graph.page.text
    start, limit = graph.end, len(text)
    for other in dump.graphs[graph.index + 1 :]:
        if other.parent is None and other.page is graph.page:
            limit = other.begin
            break
        start = max(start, other.end) if other.page is graph.page else start
    load = _LOAD.search(text, start, limit)
    return {} if load is None else _loaded(text, load.end(), limit)


def _loaded(text: str, start: int, limit: int) -> dict[str, str]:
    """Types by name of what the calls in [start, limit) load; what is not understood is left out."""
    found: dict[str, str] = {}
    devices: dict[str, str] = {}
    for call in _CALL.finditer(text, start, limit):
        close = closing(text, call.end() - 1, min(limit, call.end() + _LONGEST_CALL))
        if close is None:
            continue
        given = [text[a:b] for a, b in elements(text, call.end(), close)]
        plain = [value for value in given if not _KEYWORD.match(value)]
        named = {key[1]: value[key.end() :] for value in given if (key := _KEYWORD.match(value))}
        if call[2] == "storage":
            device = _DEVICE.fullmatch(named.get("device", ""))
            if call[1] and device is not None:
                devices[call[1]] = device[1] + (f":{device[2]}" if device[2] else "")
            continue
        name = _INPUT.match(text, close + 1, limit)
        kind = _number(plain, named) if call[2] == "symint" else _tensor(plain, named, devices)
        if name is not None and kind is not None:
            found[name[1]] = kind
    return found


def _number(plain: list[str], named: dict[str, str]) -> str | None:
    """`reader.symint(4, expr='s77')`."""
    value = unquoted(named["expr"]) if "expr" in named else (plain[0] if plain else "")
    return f"Sym({value})" if value else None


def _tensor(plain: list[str], named: dict[str, str], devices: Mapping[str, str]) -> str | None:
    """`reader.tensor(buf0, (s77, 3), (3, 1), dtype=torch.float16)`; the CPU is not written."""
    dtype = ABBREVIATIONS.get(named["dtype"].removeprefix("torch.")) if "dtype" in named else "f32"
    if dtype is None or len(plain) < 2 or not all(value.startswith("(") for value in plain[1:3]):
        return None
    shape, *stride = [_sizes(value) for value in plain[1:3]]
    return f"{dtype}[{shape}]{f'[{stride[0]}]' if stride else ''}{devices.get(plain[0], 'cpu')}"


def _sizes(value: str) -> str:
    """`(s77, 3)` without its brackets, also where a formatter broke it over lines."""
    return ", ".join(" ".join(value[a:b].split()) for a, b in elements(value, 1, len(value) - 1))
