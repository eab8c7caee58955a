"""What this build of torch knows of its operators."""

from __future__ import annotations

from typing import Any

import torch


def counts() -> dict[str, int]:
    """How many operators there are by the recipe that people use, right only in a fresh process:

    for name in dir(torch.ops.aten): len(getattr(torch.ops.aten, name).overloads())

    It sees only those that something has looked up so far; `schema_counts` sees all.
    """
    names = dir(torch.ops.aten)
    overloads = without = 0
    for name in names:
        try:
            overloads += len(getattr(torch.ops.aten, name).overloads())
        except Exception:
            without += 1
    return {"names": len(names), "overloads": overloads, "without": without, "prims": len(dir(torch.ops.prims))}


def schema_counts() -> dict[str, int]:
    """How many operators are registered, by `torch._C._jit_get_all_schemas()`: all of them, looked up or not."""
    names: dict[str, set[str]] = {}
    overloads: dict[str, int] = {}
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, name = schema.name.partition("::")
        names.setdefault(namespace, set()).add(name)
        overloads[namespace] = overloads.get(namespace, 0) + 1
    return {
        "aten_names": len(names.get("aten", ())),
        "aten_overloads": overloads.get("aten", 0),
        "prims_names": len(names.get("prims", ())),
        "prims_overloads": overloads.get("prims", 0),
        "schemas": sum(overloads.values()),
    }


def family(name: str) -> dict[str, Any]:
    """The overloads of `aten.sum` in this build, in the order of registration; none where there is no such operator.

    Nothing is imported: a custom operator is found if something has registered it.
    """
    namespace, _, packet_name = name.partition(".")
    if namespace == "higher_order":
        operator = higher_order(packet_name)
        return {"name": name, "higher_order": operator is not None, "overloads": []}
    packet = _packet(namespace, packet_name)
    found = []
    for overload_name in packet.overloads() if packet is not None else ():
        overload = getattr(packet, overload_name)
        dispatched = is_dispatched(overload)
        found.append(
            {
                "name": overload_name,
                "schema": str(overload._schema),
                # Without the dispatcher there are no tags to ask for: `aten::sum.int` of TorchScript.
                "tags": sorted(str(tag).rpartition(".")[2] for tag in overload.tags) if dispatched else [],
                "has_decomposition": overload in torch._decomp.decomposition_table,
                "has_meta": dispatched and has_meta(overload),
                "is_script_only": not dispatched,
            }
        )
    return {"name": name, "higher_order": False, "overloads": found}


def _packet(namespace: str, name: str) -> Any:
    """A registered packet, or None. Attributes that are no operators (`__doc__`, `_dir`) are none."""
    if not (namespace.isidentifier() and name.isidentifier()) or namespace.startswith("_" * 2):
        return None
    try:
        packet = getattr(getattr(torch.ops, namespace), name)
    except (AttributeError, RuntimeError):
        return None
    return packet if isinstance(packet, torch._ops.OpOverloadPacket) else None


def overload(namespace: str, packet_name: str, name: str) -> Any:
    """A registered overload, or None."""
    packet = _packet(namespace, packet_name)
    if packet is None or name not in packet.overloads():
        return None
    found = getattr(packet, name)
    return found if isinstance(found, torch._ops.OpOverload) else None


def packet(namespace: str, name: str) -> Any:
    """A registered packet, or None."""
    return _packet(namespace, name)


def higher_order(name: str) -> Any:
    """A registered higher-order operator, or None."""
    return getattr(torch._ops, "_higher_order_ops", {}).get(name)


def is_dispatched(overload: Any) -> bool:
    """Whether the dispatcher knows the operator. Others belong to TorchScript alone, run at once whatever mode is on,
    and may write files (`aten::save`).
    """
    schema = overload._schema
    try:
        torch._C._dispatch_find_schema_or_throw(schema.name, schema.overload_name)
    except RuntimeError:
        return False
    return True


def has_meta(overload: Any) -> bool:
    """Whether fake tensors go through it: a kernel for meta tensors, a composite one, or a decomposition."""
    name = overload._schema.name
    full = f"{name}.{overload._schema.overload_name}" if overload._schema.overload_name else name
    keys = ("Meta", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
    return any(torch._C._dispatch_has_kernel_for_dispatch_key(full, key) for key in keys)
