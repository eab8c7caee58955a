"""The type of a node's value as print_readable writes it with strides and devices: `f32[2, 3][3, 1]cpu`.

torch/fx/graph.py `dtype_abbrs` and `CodeGen._gen_python_code`.
"""

_ABBREVIATIONS = {
    "bfloat16": "bf16",
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "complex32": "c32",
    "complex64": "c64",
    "complex128": "c128",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "bool": "b8",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
}


def known_types(graph):
    """Types by name of the node, from `meta`; a node that has no value there is left out."""
    found = {}
    for node in graph.nodes:
        value = node.meta.get("val", node.meta.get("example_value")) if node.op != "output" else None
        type_text = text_of(value)
        if type_text is not None:
            found[node.name] = type_text
    return found


def text_of(value):
    """The type of a value in words, or None where print_readable would write none."""
    import torch

    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return "Sym({})".format(value)
    if isinstance(value, (list, tuple)) and value:
        parts = [text_of(one) for one in value]
        if all(part is not None for part in parts):
            return "({}{})".format(", ".join(parts), "," if len(parts) == 1 else "")
    return None


def _tensor(value):
    name = str(value.dtype).rpartition(".")[2]
    short = _ABBREVIATIONS.get(name, name.replace("float", "f"))
    try:
        strides = list(value.stride()) if str(value.layout) == "torch.strided" else None
    except (RuntimeError, NotImplementedError):
        strides = None
    return "{}[{}]{}{}".format(
        short,
        ", ".join(map(str, value.shape)),
        "" if strides is None else "[{}]".format(", ".join(map(str, strides))),
        value.device,
    )
