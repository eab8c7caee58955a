"""Types of a graph's inputs that stand elsewhere in the text than beside the inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fxgraph.graph import Dump, Graph
from fxgraph.reading.scan import elements

_NAMED = re.compile(r"([A-Za-z_]\w*):(.+)", re.DOTALL)
# torch/_dynamo/debug_utils.py `InputWriter` writes these lines, one an input, with its name behind.
_LOADED = re.compile(
    r"reader\.tensor\(\w+, \((?P<shape>[\d, ]*)\)(?P<rest>[^\n]*)\)  # (?P<name>\w+)"
    r"|(?:^|[ \t;])reader\.symint\((?P<number>\d+)\)  # (?P<symbol>\w+)",
    re.MULTILINE,
)
_STORAGE = re.compile(r"(\w+) = reader\.storage\([^\n]*?device=device\(type='(\w+)'(?:, index=(\d+))?\)")
_DTYPE = re.compile(r"dtype=torch\.(\w+)")
_STRIDE = re.compile(r"\A, \(([\d, ]*)\)")

_ABBREVIATIONS = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "complex64": "c64", "complex128": "c128",
    "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64", "bool": "b8", "float8_e4m3fn": "f8e4m3fn", "float8_e5m2": "f8e5m2",
}  # fmt: skip


def told_inputs(dump: Dump, graph: Graph, given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Types by name of the input, as print_readable would print them: those given, those of a header line
    `# fxgraph: inputs=x:f32[2,3],n:Sym(s0)`, and those that a repro script loads.
    """
    return {**loaded_inputs(dump, graph), **header_inputs(dump.header.get("inputs", "")), **(given or {})}


def header_inputs(text: str) -> dict[str, str]:
    """`x:f32[2,3],y:i64[4]cuda:0` taken apart; what is no pair of name and type is left out."""
    pieces = [text[a:b] for a, b in elements(text, 0, len(text))]
    matches = [_NAMED.fullmatch(piece) for piece in pieces]
    return {match[1]: match[2] for match in matches if match}


def loaded_inputs(dump: Dump, graph: Graph) -> dict[str, str]:
    """What `load_args` of a repro script makes: it stands below the graph, which is the only one."""
    if graph.container != "repro" and "reader.tensor(" not in dump.text:
        return {}
    if sum(one.parent is None for one in dump.graphs) != 1:
        return {}
    text = graph.page.text
    found: dict[str, str] = {}
    devices = {
        storage[1]: storage[2] + (f":{storage[3]}" if storage[3] else "")
        for storage in _STORAGE.finditer(text, graph.end)
    }
    for match in _LOADED.finditer(text, graph.end):
        if match["symbol"]:
            found[match["symbol"]] = f"Sym({match['number']})"
            continue
        dtype = _DTYPE.search(match["rest"])
        name = _ABBREVIATIONS.get(dtype[1]) if dtype else "f32"
        if name is not None:
            shape = ", ".join(re.findall(r"\d+", match["shape"]))
            stride = _STRIDE.match(match["rest"])
            strides = f"[{', '.join(re.findall(r'[0-9]+', stride[1]))}]" if stride else ""
            found[match["name"]] = f"{name}[{shape}]{strides}{_device(match, devices)}"
    return found


def _device(loaded: re.Match[str], devices: Mapping[str, str]) -> str:
    """The device of the storage that a tensor is made of; the CPU is not written."""
    buffer = re.match(r"reader\.tensor\((\w+)", loaded[0])
    return devices.get(buffer[1], "cpu") if buffer else "cpu"
