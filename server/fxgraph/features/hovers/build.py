"""What a hover says of an operator by an installed torch: whether this build has it, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fxgraph.features.markdown import code, paragraphs, prose
from fxgraph.features.told import Torch
from fxgraph.ops import Target, catalogue, split_target

_SCHEMA = 700
#: Namespaces of torch itself: what they lack, this build does not have.
_OWN = frozenset({"aten", "prim", "prims", "higher_order", "quantized", "inductor"})


def build_text(torch: Torch, target: str) -> str | None:
    """What the user's build has under a target's name; None where torch is not asked, or has not answered yet."""
    operator = split_target(target)
    if operator is None:
        return None
    found = torch.family(operator.name)
    return None if found is None else _words(operator, *found)


def _words(target: Target, version: str, family: Mapping[str, Any]) -> str:
    here = f"your torch {prose(version)}"
    if family.get("higher_order"):
        return f"In {here}: a higher-order operator, too."
    overloads = {str(one["name"]): one for one in family.get("overloads", ())}
    if not overloads:
        if target.namespace in _OWN:
            return f"Not in {here}."
        return f"Not registered in {here} as it starts: `fxgraph.torch.imports` names packages that register operators."
    if target.overload is None:
        return f"In {here}: {len(overloads)} overload{'' if len(overloads) == 1 else 's'}."
    chosen = overloads.get(target.overload)
    if chosen is None:
        return f"Not in {here}: the packet has no overload {code(target.overload)} there."
    facts = ["has a decomposition" if chosen["has_decomposition"] else "no registered decomposition"]
    facts.append("runs on meta tensors" if chosen["has_meta"] else "no kernel for meta tensors")
    known = catalogue().overload(target.qualified)
    same = known is not None and known.schema == chosen["schema"]
    tags = sorted(map(str, chosen.get("tags", ())))
    if tags and (known is None or tags != sorted(known.tags)):
        facts.append("tags " + ", ".join(map(code, tags)))
    return paragraphs(
        [
            f"In {here}: {'the same schema; ' if same else ''}{'; '.join(facts)}.",
            None if same else code(str(chosen["schema"]), _SCHEMA),
        ]
    )
