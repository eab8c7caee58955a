"""What is known of PyTorch's operators without torch: the catalogue that ships with fxgraph.

The file is made by `scripts/build_catalogue.py`. Once unzipped it is text, one JSON value a line: a header, then one
packet a line, which is taken apart when somebody asks for it:

    {"format": 1, "releases": [...], "complete": mask, "namespaces": {"aten": mask, ...}, "tags": [[...], ...]}
    ["aten.sum", on_import, [["dim_IntList", [[mask, "(Tensor self, ...) -> Tensor", tags, flags], ...]], ...], orders]

* a mask has bit i set for release i;
* an overload has one variant for each different set of facts, and lies in the order of registration. Where that order
  differs in a release, `orders` has it: `{"0": [overload names]}`;
* `tags` is a place in the header's list, `flags` a sum of the `FLAG_*` below;
* a higher-order operator has one nameless overload whose "schema" is the text of its parameters, or "".

A release is `complete` if the modules of torch that register operators on import were imported before its facts were
recorded. `on_import` marks a packet that only such a record can have.
"""

from __future__ import annotations

import json
import zlib
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from fxgraph.ops.releases import in_words
from fxgraph.ops.schema import Argument, Return, Schema, parse_schema

FORMAT = 1
FLAG_DECOMPOSITION = 1
FLAG_META = 2
FLAG_SCRIPT_ONLY = 4
FLAG_HIGHER_ORDER = 8

_FILE = Path(__file__).with_name("catalogue.jsonl.gz")
_LIVE = "torch.ops."


class Overload:
    """One overload of a packet, with the facts of one release.

    name               `dim_IntList`, `default`
    packet             name of its packet: `aten.sum`
    schema             the schema as that release prints it
    tags               names of torch.Tag (`core`, `pointwise`, `view_copy`), sorted
    has_decomposition  it is in torch._decomp.decomposition_table
    has_meta           it has a kernel for meta tensors or a composite one: fake tensors go through it
    is_script_only     known to TorchScript alone, not to the dispatcher: `aten.sum.int` adds Python ints
    release            the release that these facts are of
    releases           all known releases that have such an overload, ascending, whatever its schema there
    recorded           the releases in which it was looked for; the rest of the known ones say nothing of it
    """

    __slots__ = (
        "__dict__",
        "has_decomposition",
        "has_meta",
        "is_script_only",
        "name",
        "packet",
        "recorded",
        "release",
        "releases",
        "schema",
        "tags",
    )

    def __init__(
        self,
        packet: str,
        name: str,
        schema: str,
        tags: tuple[str, ...],
        flags: int,
        release: str,
        releases: tuple[str, ...],
        recorded: tuple[str, ...],
    ) -> None:
        self.packet = packet
        self.name = name
        self.schema = schema
        self.tags = tags
        self.has_decomposition = bool(flags & FLAG_DECOMPOSITION)
        self.has_meta = bool(flags & FLAG_META)
        self.is_script_only = bool(flags & FLAG_SCRIPT_ONLY)
        self.release = release
        self.releases = releases
        self.recorded = recorded

    def __repr__(self) -> str:
        return f"<{self.schema} of torch {self.release}>"

    @property
    def qualified(self) -> str:
        """`aten.sum.dim_IntList`."""
        return f"{self.packet}.{self.name}"

    @property
    def known_in(self) -> str:
        """Where it exists, in words: `in 2.6 and later of the known releases`."""
        return in_words(self.releases, self.recorded)

    @cached_property
    def parsed(self) -> Schema:
        """The schema taken apart."""
        return parse_schema(self.schema)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments of the schema."""
        return self.parsed.arguments

    @property
    def returns(self) -> tuple[Return, ...]:
        """The returned values of the schema."""
        return self.parsed.returns

    @property
    def is_core(self) -> bool:
        """Whether it belongs to the core aten operators (torch.Tag.core)."""
        return "core" in self.tags

    @property
    def is_mutable(self) -> bool:
        """Whether the schema says that it may write to an argument."""
        return self.parsed.is_mutable

    @property
    def is_view(self) -> bool:
        """Whether the schema lets it return memory of an argument, and it writes none.

        torch's own `OpOverload.is_view`; so `reshape`, `contiguous` and `to` are views, which copy where they must.
        """
        return self.parsed.is_view

    @property
    def has_alias(self) -> bool:
        """Whether the schema has any alias annotation."""
        return self.parsed.has_alias


class Packet:
    """An overload family, as of one release.

    name             `aten.sum`, `higher_order.cond`
    release          the release that it is shown as of
    overloads        by name, in the order of registration; empty for a higher-order operator
    is_higher_order  it takes graphs and has no schema
    parameters       of a higher-order operator: `(pred, true_fn, false_fn, operands)`, or None where torch has no
                     more than `(*args, **kwargs)`
    releases, recorded  as in `Overload`
    """

    __slots__ = ("is_higher_order", "name", "overloads", "parameters", "recorded", "release", "releases")

    def __init__(
        self,
        name: str,
        release: str,
        overloads: dict[str, Overload],
        releases: tuple[str, ...],
        recorded: tuple[str, ...],
        *,
        is_higher_order: bool = False,
        parameters: str | None = None,
    ) -> None:
        self.name = name
        self.release = release
        self.overloads = overloads
        self.releases = releases
        self.recorded = recorded
        self.is_higher_order = is_higher_order
        self.parameters = parameters

    def __repr__(self) -> str:
        return f"<{self.name} of torch {self.release}: {', '.join(self.overloads)}>"

    @property
    def namespace(self) -> str:
        """`aten`."""
        return self.name.partition(".")[0]

    @property
    def known_in(self) -> str:
        """Where it exists, in words."""
        return in_words(self.releases, self.recorded)


class Catalogue:
    """The operators of all known releases.

    releases    the known releases, ascending
    namespaces  the namespaces that have operators in any of them
    """

    def __init__(self, text: str) -> None:
        """Take the unzipped text; raises ValueError where it is of another format."""
        head, *lines = text.splitlines()
        header: dict[str, Any] = json.loads(head)
        if header.get("format") != FORMAT:
            raise ValueError(f"a catalogue of format {header.get('format')!r}, this reads {FORMAT}")
        self.releases: tuple[str, ...] = tuple(header["releases"])
        self._complete: int = header["complete"]
        self._namespaces: dict[str, int] = header["namespaces"]
        self._tags: list[tuple[str, ...]] = [tuple(tags) for tags in header["tags"]]
        self._lines = {line[2 : line.index('"', 2)]: line for line in lines}
        self._entries: dict[str, list[Any]] = {}
        self._packets: dict[tuple[str, int], Packet | None] = {}
        self._overloads_of: dict[tuple[str, str], Overload] = {}

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The namespaces that have operators in any known release."""
        return tuple(self._namespaces)

    @property
    def newest(self) -> str:
        """The newest known release."""
        return self.releases[-1]

    def complete(self, release: str) -> bool:
        """Whether the operators that modules of torch register on import were recorded of that release, too."""
        return bool(self._complete >> self.releases.index(release) & 1)

    def on_import(self, name: str) -> bool:
        """Whether this packet of `names()` is registered by a module that `import torch` alone does not load."""
        return bool(self._entry(name)[1])

    def names(self, release: str | None = None) -> list[str]:
        """Names of all packets of a release, or of all releases together, sorted."""
        if release is None:
            return list(self._lines)
        bit = 1 << self.releases.index(release)
        return [name for name in self._lines if self._mask(name) & bit]

    def packet(self, name: str, release: str | None = None) -> Packet | None:
        """The packet `aten.sum` (or `torch.ops.aten.sum`) of a release, by default the newest that has it.

        None where that release is not known to have it: see `covers` for whether that says anything.
        Raises ValueError where the release is none of `releases`.
        """
        name = name.removeprefix(_LIVE)
        if name not in self._lines:
            return None
        mask = self._mask(name)
        index = mask.bit_length() - 1 if release is None else self.releases.index(release)
        if (name, index) not in self._packets:
            self._packets[name, index] = self._make(name, index) if mask >> index & 1 else None
        return self._packets[name, index]

    def overload(self, name: str, release: str | None = None) -> Overload | None:
        """The overload `aten.sum.dim_IntList` of a release, by default the newest that has it.

        None and ValueError as in `packet`.
        """
        packet_name, _, overload = name.removeprefix(_LIVE).rpartition(".")
        if release is None:
            return self._newest(packet_name, overload)
        packet = self.packet(packet_name, release)
        return None if packet is None else packet.overloads.get(overload)

    def _newest(self, packet_name: str, overload: str) -> Overload | None:
        """The overload as of the newest release that has it. What was found is kept: names that exist are few."""
        found = self._overloads_of.get((packet_name, overload))
        if found is None:
            mask = next((_mask_of(one[1]) for one in self._overloads(packet_name) if one[0] == overload), 0)
            packet = self.packet(packet_name, self.releases[mask.bit_length() - 1]) if mask else None
            found = packet.overloads.get(overload) if packet is not None else None
            if found is not None:
                self._overloads_of[packet_name, overload] = found
        return found

    def covers(self, name: str, release: str) -> bool:
        """Whether the record of a release would hold the packet `aten.sum` if that release had it.

        Where it would, a missing packet or overload does not exist there; where it would not, nothing is known.
        """
        name = name.removeprefix(_LIVE)
        return release in self._recorded(name)

    def _recorded(self, name: str) -> tuple[str, ...]:
        mask = self._namespaces.get(name.partition(".")[0], 0)
        if name in self._lines:
            on_import = self._entry(name)[1]
        else:  # not known at all: outside aten it may be one that is registered on import
            on_import = not name.startswith("aten.")
        return self._of(mask & self._complete if on_import else mask)

    def _make(self, name: str, index: int) -> Packet:
        overloads: dict[str, Overload] = {}
        release = self.releases[index]
        recorded = self._recorded(name)
        releases = self._of(self._mask(name))
        schema_name = name.replace(".", "::", 1)
        for overload, variants in self._overloads(name):
            variant = next((variant for variant in variants if variant[0] >> index & 1), None)
            if variant is None:
                continue
            _, schema, tags, flags = variant
            if flags & FLAG_HIGHER_ORDER:
                return Packet(name, release, {}, releases, recorded, is_higher_order=True, parameters=schema or None)
            full = schema_name + schema if overload == "default" else f"{schema_name}.{overload}{schema}"
            overloads[overload] = Overload(
                name, overload, full, self._tags[tags], flags, release, self._of(_mask_of(variants)), recorded
            )
        order = self._entry(name)[3].get(str(index))
        if order is not None:
            overloads = {overload: overloads[overload] for overload in order}
        return Packet(name, release, overloads, releases, recorded)

    def _entry(self, name: str) -> list[Any]:
        entry = self._entries.get(name)
        if entry is None:
            entry = self._entries[name] = json.loads(self._lines[name])
        return entry

    def _overloads(self, name: str) -> list[Any]:
        overloads: list[Any] = self._entry(name)[2] if name in self._lines else []
        return overloads

    def _mask(self, name: str) -> int:
        mask = 0
        for _, variants in self._overloads(name):
            mask |= _mask_of(variants)
        return mask

    def _of(self, mask: int) -> tuple[str, ...]:
        return tuple(release for index, release in enumerate(self.releases) if mask >> index & 1)


def _mask_of(variants: list[Any]) -> int:
    mask = 0
    for variant in variants:
        mask |= variant[0]
    return mask


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The catalogue that ships with fxgraph, read at the first call."""
    return Catalogue(zlib.decompress(_FILE.read_bytes(), wbits=31).decode())
