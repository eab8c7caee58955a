#!/usr/bin/env python3
"""Build the catalogue of operators: `server/fxgraph/ops/catalogue.jsonl.gz`.

The facts of each release come from one of three places, the last one that has them wins:

* the catalogue as it is (left out with `--fresh`);
* records, one file a release: `RECORD.json.gz` (see below);
* the torch of the Python that runs this script (`--installed`), any release from 1.13 on. `--record FILE` keeps its
  facts as a record, so that a catalogue can be put together from several environments.

So adding a release is `python scripts/build_catalogue.py --installed` in an environment that has it. The same facts
always give the same text, character for character (the zipped bytes depend on the zlib at hand).

A record is a JSON object: `{"torch": "2.13.0", "complete": true, "packets": {"aten.sum": {"dim_IntList": FACTS}},
"higher_order": {"cond": "(pred, ...)"}, "on_import": ["prims.fma", ...]}`, or the packets alone, with the release in
the file's name (`operators-2.13.0.json.gz`). FACTS are `s` the schema, `t` tags, `d` it has a decomposition, `m` it
has a meta or composite kernel, `x` the dispatcher does not know it (TorchScript only). Overloads are in the order of
registration: that of `torch.ops.aten.sum.overloads()`.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import inspect
import json
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from fxgraph.ops import operators as reader  # noqa: E402

#: Modules of torch that register operators when they are imported. No release has all of them.
REGISTERING_MODULES = (
    "torch._dynamo._trace_wrapped_higher_order_op",
    "torch._dynamo.variables.streams",
    "torch._export.wrappers",
    "torch._functorch._activation_offloading.offload_ops",
    "torch._functorch.autograd_function",
    "torch._inductor.fx_passes.control_dependencies",
    "torch._inductor.inductor_prims",
    "torch._prims.debug_prims",
    "torch._prims.rng_prims",
    "torch.ao.quantization.fx._decomposed",
    "torch.distributed._functional_collectives",
    "torch.distributed._ops.device_mesh",
    "torch.distributed._symmetric_memory",
    "torch.distributed.fsdp._fully_shard._fsdp_collectives",
    "torch.distributed.fsdp._fully_shard._fsdp_param",
    "torch.distributed.pipelining._IR",
    "torch.distributed.tensor._collective_utils",
    "torch.distributed.tensor.experimental._context_parallel._cp_custom_ops",
    "torch.export.custom_ops",
    "torch.nn.attention.varlen",
    "torch.nn.modules.linear_cross_entropy",
    "torch.onnx.ops",
    "torch.sparse.semi_structured",
)

#: Namespaces of torch's own tests and of a runtime that takes no FX graphs.
LEFT_OUT = frozenset({"_inductor_test", "_test", "static_runtime"})


def main() -> int:
    """Gather the records, write the catalogue, tell what is in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="*", type=Path, metavar="RECORD", help="facts of one release, a .json.gz")
    parser.add_argument("--installed", action="store_true", help="take the installed torch, too")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the facts of the installed torch, a .json.gz")
    parser.add_argument("--fresh", action="store_true", help="forget what the catalogue has now")
    parser.add_argument("--output", type=Path, default=ROOT / "server/fxgraph/ops/catalogue.jsonl.gz")
    args = parser.parse_args()

    records: dict[str, dict[str, Any]] = {}
    if not args.fresh:
        known = reader.catalogue()
        records = {release: record_of(known, release) for release in known.releases}
    for path in args.records:
        record = read_record(path)
        records[record["torch"]] = record
    if args.installed or args.record:
        record = installed_record()
        records[record["torch"]] = record
        if args.record:
            args.record.write_bytes(gzip.compress(json.dumps(record).encode(), 9, mtime=0))
    text = merge(list(records.values()))
    args.output.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{args.output}: {args.output.stat().st_size} bytes, {len(text)} unzipped")
    for release, record in sorted(records.items(), key=lambda item: as_numbers(item[0])):
        packets, higher_order = record["packets"], record["higher_order"]
        count = sum(map(len, packets.values()))
        print(f"{release}: {len(packets)} packets, {count} overloads, {len(higher_order)} higher-order operators")
    return 0


def read_record(path: Path) -> dict[str, Any]:
    """A record file; one that holds the packets alone gets its release from its name."""
    data = json.loads(gzip.decompress(path.read_bytes()))
    if "packets" in data:
        return data
    release = re.search(r"\d+\.\d+\.\d+", path.name)
    if release is None:
        raise SystemExit(f"{path}: no release in the file's name")
    return {"torch": release[0], "complete": False, "packets": data, "higher_order": {}, "on_import": []}


def record_of(known: reader.Catalogue, release: str) -> dict[str, Any]:
    """What a catalogue knows of one release, as a record."""
    packets: dict[str, Any] = {}
    higher_order: dict[str, str] = {}
    for name in known.names(release):
        packet = known.packet(name, release)
        assert packet is not None
        if packet.is_higher_order:
            higher_order[name.partition(".")[2]] = packet.parameters or ""
            continue
        packets[name] = {
            overload.name: {
                "s": overload.schema,
                "t": list(overload.tags),
                "d": int(overload.has_decomposition),
                "m": int(overload.has_meta),
                "x": overload.is_script_only,
            }
            for overload in packet.overloads.values()
        }
    return {
        "torch": release,
        "complete": known.complete(release),
        "packets": packets,
        "higher_order": higher_order,
        "on_import": [name for name in known.names(release) if known.on_import(name)],
    }


# The installed torch


def installed_record() -> dict[str, Any]:
    """The facts of the torch that this Python has."""
    import torch
    import torch._decomp

    at_start = operator_names() | {f"higher_order.{name}" for name in higher_order_operators()}
    import_registering_modules()
    packets = {}
    for name in sorted(operator_names()):
        namespace, _, packet_name = name.partition(".")
        if namespace in LEFT_OUT:
            continue
        packet = getattr(getattr(torch.ops, namespace), packet_name)
        if not hasattr(packet, "overloads"):  # `torch.ops.prim.name` is the namespace's own name: out of reach there
            print(f"left out: {name}: hidden by an attribute", file=sys.stderr)
            continue
        packets[name] = {overload: facts(getattr(packet, overload)) for overload in packet.overloads()}
    higher_order = {name: parameters(operator) for name, operator in sorted(higher_order_operators().items())}
    names = [*packets, *(f"higher_order.{name}" for name in higher_order)]
    return {
        "torch": torch.__version__.partition("+")[0],
        "complete": True,
        "packets": packets,
        "higher_order": higher_order,
        "on_import": [name for name in names if name not in at_start],
    }


def import_registering_modules() -> None:
    """Import all that registers operators; what this build lacks is told and left out."""
    names = list(REGISTERING_MODULES)
    try:
        package = importlib.import_module("torch._higher_order_ops")
    except ImportError:
        pass
    else:
        names += [f"torch._higher_order_ops.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:  # builds differ: without distributed, without onnx, older than the module
            print(f"left out: {name}: {type(error).__name__}: {str(error).splitlines()[0]}", file=sys.stderr)


def operator_names() -> set[str]:
    """Names of all packets registered now: `aten.sum`."""
    import torch

    names = {schema.name for schema in torch._C._jit_get_all_schemas()}
    return {name.replace("::", ".", 1) for name in names}


def higher_order_operators() -> dict[str, Any]:
    """Higher-order operators by name: torch._ops._higher_order_ops, before 2.0 `pyop_namespace`."""
    import torch._ops

    found: dict[str, Any] = getattr(torch._ops, "_higher_order_ops", None) or getattr(torch._ops, "pyop_namespace", {})
    return dict(found)


def facts(overload: Any) -> dict[str, Any]:
    """What is recorded of one OpOverload."""
    import torch

    schema = overload._schema
    name = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    found: dict[str, Any] = {"s": str(schema), "t": sorted(str(tag).rpartition(".")[2] for tag in tags(overload))}
    if overload in torch._decomp.decomposition_table:
        found["d"] = 1
    try:
        has = torch._C._dispatch_has_kernel_for_dispatch_key
        if any(has(name, key) for key in ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd")):
            found["m"] = 1
    except RuntimeError:
        found["x"] = True
    return found


def tags(overload: Any) -> list[Any]:
    """The tags of an OpOverload; those of TorchScript's have none and may say so with an error."""
    try:
        return list(overload.tags)
    except (AttributeError, RuntimeError):
        return []


def parameters(operator: Any) -> str:
    """`(pred, true_fn, false_fn, operands)`: how a higher-order operator is called, "" where its code does not tell."""
    try:
        found = list(inspect.signature(type(operator).__call__).parameters.values())[1:]
    except (TypeError, ValueError):
        return ""
    if not any(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) for one in found):
        return ""
    texts: list[str] = []
    keyword_only = False
    for one in found:
        if one.kind is one.VAR_POSITIONAL:
            keyword_only = True
        elif one.kind is one.KEYWORD_ONLY and not keyword_only:
            texts.append("*")
            keyword_only = True
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        default = "" if one.default is one.empty else f"={plain(one.default)}"
        texts.append(f"{stars}{one.name}{default}")
    return f"({', '.join(texts)})"


def plain(value: object) -> str:
    """A default value's text, `...` where it is more than a constant."""
    return repr(value) if value is None or isinstance(value, (bool, int, float, str)) else "..."


# Merging


def merge(records: list[dict[str, Any]]) -> str:
    """The catalogue's text: see fxgraph/ops/operators.py for its format."""
    records = sorted(records, key=lambda record: as_numbers(record["torch"]))
    expanded = [with_higher_order(record) for record in records]
    all_tags = sorted({tuple(sorted(f.get("t", ()))) for p in expanded for os in p.values() for f in os.values()})
    tag_sets = {names: index for index, names in enumerate(all_tags)}
    names = sorted({name for packets in expanded for name in packets})
    on_import = {name for record in records for name in record["on_import"]}
    namespaces = {
        namespace: sum(
            1 << index
            for index, packets in enumerate(expanded)
            if records[index]["complete"] or any(name.startswith(namespace + ".") for name in packets)
        )
        for namespace in sorted({name.partition(".")[0] for name in names})
    }
    header = {
        "format": reader.FORMAT,
        "releases": [record["torch"] for record in records],
        "complete": sum(1 << index for index, record in enumerate(records) if record["complete"]),
        "namespaces": namespaces,
        "tags": all_tags,
    }
    lines: list[Any] = [header]
    for name in names:
        orders = {index: list(packets[name]) for index, packets in enumerate(expanded) if name in packets}
        union = one_order(list(orders.values()))
        overloads = []
        for overload in union:
            variants: dict[tuple[str, int, int], int] = {}
            for index, packets in enumerate(expanded):
                found = packets.get(name, {}).get(overload)
                if found is not None:
                    key = variant(name, overload, found, tag_sets)
                    variants[key] = variants.get(key, 0) | 1 << index
            overloads.append([overload, [[mask, *key] for key, mask in variants.items()]])
        differing = {
            str(index): order
            for index, order in orders.items()
            if order != [overload for overload in union if overload in set(order)]
        }
        lines.append([name, int(name in on_import), overloads, differing])
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def with_higher_order(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """All packets of a record; a higher-order operator has one nameless overload."""
    higher_order = {f"higher_order.{name}": {"": {"h": text}} for name, text in record["higher_order"].items()}
    return {**record["packets"], **higher_order}


def variant(
    name: str, overload: str, found: dict[str, Any], tag_sets: dict[tuple[str, ...], int]
) -> tuple[str, int, int]:
    """The schema without its name, the place of its tags, and its flags."""
    tags_index = tag_sets[tuple(sorted(found.get("t", ())))]
    if "h" in found:
        return found["h"], tags_index, reader.FLAG_HIGHER_ORDER
    prefix = name.replace(".", "::", 1) + ("" if overload == "default" else f".{overload}")
    if not found["s"].startswith(prefix + "("):
        raise SystemExit(f"{name}.{overload} has the schema of another operator: {found['s']}")
    flags = (
        reader.FLAG_DECOMPOSITION * bool(found.get("d"))
        | reader.FLAG_META * bool(found.get("m"))
        | reader.FLAG_SCRIPT_ONLY * bool(found.get("x"))
    )
    return found["s"][len(prefix) :], tags_index, flags


def one_order(orders: list[list[str]]) -> list[str]:
    """One order for all releases: that of the newest, each older name behind the one it stands behind there."""
    union = list(orders[-1])
    for order in reversed(orders[:-1]):
        at = 0
        for name in order:
            if name in union:
                at = union.index(name) + 1
            else:
                union.insert(at, name)
                at += 1
    return union


def as_numbers(release: str) -> tuple[int, ...]:
    """A release's numbers, to sort by."""
    return tuple(int(number) for number in re.findall(r"\d+", release))


if __name__ == "__main__":
    sys.exit(main())
