"""Which files beside the one of a backward graph may hold its forward graph: told by their names alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: tlparse counts all files of a compilation (`aot_forward_graph_7.txt`), TORCH_COMPILE_DEBUG its folders
#: (`model__0_forward_1.0`).
_COUNT = re.compile(r"_(\d{1,9})(?:\.\d{1,9})?(?=\.[A-Za-z]\w*\Z|\Z)")
#: So many are looked into.
_MOST = 4


def forward_names(name: str, names: Iterable[str]) -> list[str]:
    """Of the names in a folder those of the forward graph's file, or folder, the nearest one in front first.

    They differ from `name` in the count and in the word that says which of the two it is. After inductor's passes the
    two have the same name: `before_post_grad_graph_10.txt` and `before_post_grad_graph_24.txt`.
    """
    count, wanted = _count_of(name), _uncounted(name).replace("backward", "forward")
    found = [other for other in names if other != name and _uncounted(other) == wanted]
    # the forward is compiled first
    return sorted(found, key=lambda other: (_count_of(other) > count, abs(count - _count_of(other)), other))[:_MOST]


def _uncounted(name: str) -> str:
    return _COUNT.sub("", name)


def _count_of(name: str) -> int:
    match = _COUNT.search(name)
    return int(match[1]) if match else 0
