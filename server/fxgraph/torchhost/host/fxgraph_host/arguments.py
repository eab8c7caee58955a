"""The arguments of a call from tagged data: see `values.py` of fxgraph for the tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch

from fxgraph_host import allowed
from fxgraph_host.bounded import check_value
from fxgraph_host.tensors import real_device

_DEVICE = re.compile(r"(?:cpu|cuda|xpu|npu|hpu|mps|mtia|xla|meta|ipu|maia|vulkan|privateuseone)(?::\d+)?\Z")
_OPERATOR = re.compile(r"(?:torch\.ops\.)?([A-Za-z_]\w*\.\w+\.\w+)\Z")
#: What a word behind `torch.` may be.
_KINDS = (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)
_schemas: dict[Any, Any] = {}


def nodes(value: Any) -> Iterator[str]:
    """The names of the nodes that some data reads."""
    if isinstance(value, dict):
        if "n" in value:
            yield value["n"]
        else:
            for inner in value.values():
                if isinstance(inner, list):
                    yield from nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


def build(value: Any, values: dict[str, Any], kind: str = "") -> Any:
    """A Python value. `kind` tells what a word without quotes is: `str` in the schema, or `graphs`: an argument of a
    higher-order operator, which takes devices by their names.
    """
    if isinstance(value, list):
        return [build(one, values, kind) for one in value]
    if not isinstance(value, dict):
        return _text(value) if kind == "str" and value is not None else value
    if "n" in value and not (kind == "str" and "w" in value):
        return values[value["n"]]
    if "w" in value:
        return value["w"] if kind == "str" else word(value["w"], devices=kind != "graphs")
    if "s" in value:
        return value["s"]
    if "t" in value:
        return tuple(build(one, values, kind) for one in value["t"])
    if "f" in value:
        return float(value["f"])
    if "z" in value:
        return complex(*[float(part) for part in value["z"]])
    if "c" in value:
        return slice(*[build(one, values) for one in value["c"]])
    if "d" in value:
        return {_key(key): build(one, values) for key, one in value["d"]}
    if "e" in value:
        return Ellipsis
    name, positional, keyword = value["x"]
    return _called(name, [build(one, values) for one in positional], {key: build(one, values) for key, one in keyword})


def _text(value: Any) -> str:
    return str(value)


def _key(key: Any) -> Any:
    if isinstance(key, dict):
        return key.get("s", key.get("w", ""))
    return key


def _called(name: str, positional: list[Any], keyword: dict[str, Any]) -> Any:
    if name == "device":
        return real_device(torch.device(*positional, **keyword))
    if name == "range" and len(positional) <= 3 and all(isinstance(one, int) for one in positional):
        return check_value(range(*positional))
    raise ValueError(f"{name[:40]} is not built here")


def word(text: str, *, devices: bool = True) -> Any:
    """What a word without quotes stands for: a dtype, a device, an operator; else it is a string."""
    if text.startswith("torch.") and not text.startswith("torch.ops."):
        found = getattr(torch, text[len("torch.") :], None) if text[len("torch.") :].isidentifier() else None
        if isinstance(found, _KINDS):
            return found
        raise ValueError(f"{text[:60]!r} is no dtype, layout or memory format")
    if devices and _DEVICE.match(text):
        return real_device(text)
    operator = _OPERATOR.match(text)
    if operator:
        return allowed.function("torch.ops." + operator[1])
    return text


def of_call(
    function: Any, args: list[Any], kwargs: list[Any], values: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Positional and keyword arguments of a call, words told apart by the operator's schema where it has one."""
    schema = _schema(function) if isinstance(function, torch._ops.OpOverload) else None
    if schema is None:
        kind = "graphs" if isinstance(function, torch._ops.HigherOrderOperator) else ""
        return [build(one, values, kind) for one in args], {key: build(one, values, kind) for key, one in kwargs}
    kinds, places = schema
    if len(args) > places:
        args = _merged(args, kinds, places)
    positional = [build(one, values, kinds[place][1] if place < len(kinds) else "") for place, one in enumerate(args)]
    by_name = dict(kinds)
    if any(key not in by_name for key, _ in kwargs):
        kwargs = _merged_keywords(kwargs, by_name)
    return positional, {key: build(one, values, by_name.get(key, "")) for key, one in kwargs}


def _schema(overload: Any) -> tuple[list[tuple[str, str]], int]:
    """Names and kinds of the arguments, and how many may be given by their place."""
    found = _schemas.get(overload)
    if found is None:
        arguments = overload._schema.arguments
        kinds = [(one.name, "str" if "str" in str(one.type) else "") for one in arguments]
        found = _schemas[overload] = (kinds, sum(not one.kwarg_only for one in arguments))
    return found


def _merged(args: list[Any], kinds: list[tuple[str, str]], places: int) -> list[Any]:
    """print(graph) leaves out quotes: a string with `, ` in it looks like more arguments than there are."""
    extra = len(args) - places
    texts = [place for place, (_, kind) in enumerate(kinds[:places]) if kind == "str"]
    if len(texts) != 1:
        return args
    at = texts[0]
    return [*args[:at], {"s": ", ".join(map(_printed, args[at : at + extra + 1]))}, *args[at + extra + 1 :]]


def _merged_keywords(kwargs: list[Any], kinds: dict[str, str]) -> list[Any]:
    merged: list[Any] = []
    for key, value in kwargs:
        if key not in kinds and merged and kinds.get(merged[-1][0]) == "str":
            merged[-1] = [merged[-1][0], {"s": f"{_printed(merged[-1][1])}, {key}: {_printed(value)}"}]
        else:
            merged.append([key, value])
    return merged


def _printed(value: Any) -> str:
    """A piece of a string as print(graph) showed it."""
    if isinstance(value, dict):
        for key in ("s", "w", "f"):
            if key in value:
                return str(value[key])
        if "n" in value:
            return "%" + str(value["n"])
    return str(value)
