"""What `fxgraph ops NAME` asks: the family of an operator, as of a torch release."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from fxgraph.analysis.purity import STATISTICS, function_effect
from fxgraph.ops import Overload, Packet, catalogue, guess_family, split_target

_MOST_MATCHES = 3
#: Longer names are nobody's operator: no search for similar ones.
_LONGEST_NAME = 200


class Family(NamedTuple):
    """An overload family.

    packet   the packet, as of a release
    chosen   name of the overload that was asked for, None where the packet was
    guessed  the name asked for is not the packet's: the family was found by a likeness of names alone
    """

    packet: Packet
    chosen: str | None
    guessed: bool

    @property
    def overloads(self) -> list[Overload]:
        """All overloads, in the order of registration."""
        return list(self.packet.overloads.values())


class Unknown(NamedTuple):
    """There is no such family in the release. `reason` is one sentence without its full stop, `close` similar names."""

    reason: str
    close: list[str]


def family(name: str, release: str | None = None) -> Family | Unknown:
    """The family that a name means, as of a release of the catalogue, by default the newest that has it.

    Takes all that `split_target` takes, the schema's spelling (`aten::sum.dim_IntList`), a bare name (`sum`, `cond`),
    and a torch-level target (`torch.relu`). Raises ValueError where the release is none of the catalogue's.
    """
    target = split_target(name.replace("::", ".", 1))
    if target is None:
        return _by_likeness(name, release)
    known = catalogue()
    elsewhere = known.packet(target.name)
    if elsewhere is None:
        return Unknown(f"no operator {shown(target.name)} is known", _close(target.name, known.names(release)))
    if target.overload is None:
        packet = known.packet(target.name, release)
        return _missing(target.name, elsewhere, release) if packet is None else Family(packet, None, guessed=False)
    overload = known.overload(target.qualified, release)
    if overload is not None:
        packet = known.packet(target.name, overload.release)
        return Family(packet or elsewhere, overload.name, guessed=False)
    older = known.overload(target.qualified)
    if older is not None:
        return _missing(target.qualified, older, release)
    similar = _close(target.overload, list(elsewhere.overloads))
    return Unknown(
        f"{target.name} has no overload {shown(target.overload)}", [f"{target.name}.{one}" for one in similar]
    )


def _by_likeness(name: str, release: str | None) -> Family | Unknown:
    """The family of a name that is no operator's."""
    known = catalogue()
    packet = guess_family(name, release=release)
    if packet is None and name.isidentifier():
        packet = guess_family(f"torch.{name}", release=release) or known.packet(f"higher_order.{name}", release)
    if packet is not None:
        return Family(packet, None, guessed=True)
    close = _close(name if "." in name else f"aten.{name}", known.names(release))
    return Unknown(f"no operator {shown(name)} is known", close)


def _missing(name: str, elsewhere: Packet | Overload, release: str | None) -> Unknown:
    """Words for a release that is not known to have what other releases have."""
    if release is not None and release not in elsewhere.recorded:
        return Unknown(f"no record tells of {name} in torch {release}; it is known {elsewhere.known_in}", [])
    return Unknown(f"{name} is not in torch {release}; it is known {elsewhere.known_in}", [])


def _close(name: str, names: list[str]) -> list[str]:
    return get_close_matches(name, names, _MOST_MATCHES) if len(name) <= _LONGEST_NAME else []


def shown(text: str) -> str:
    """A name that somebody typed, quoted, on one line and not too long."""
    text = re.sub(r"[^\x20-\x7e]+", "?", text)
    return f"'{text[:_LONGEST_NAME]}...'" if len(text) > _LONGEST_NAME else f"'{text}'"


def remarks(overload: Overload) -> list[str]:
    """What is worth knowing of an overload, in a few words each: `core`, `writes self`, `has a decomposition`."""
    words = ["core"] if overload.is_core else []
    written = [argument.name for argument in overload.arguments if argument.writes]
    if written:
        words.append(f"writes {', '.join(written)}")
    elif overload.is_view:
        words.append(f"may alias {', '.join(one.name for one in overload.arguments if one.alias is not None)}")
    elif function_effect(overload.qualified) == STATISTICS:
        words.append(STATISTICS)
    if overload.is_script_only:
        words.append("TorchScript only")
    if overload.has_decomposition:
        words.append("has a decomposition")
    if "nondeterministic_seeded" in overload.tags:
        words.append("random")
    return [*words, overload.known_in]
