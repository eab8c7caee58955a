"""Torch releases: which one a user means, and words for a set of them.

What is known are facts of a few releases, not of those between them: never say "since".
"""

from __future__ import annotations

from collections.abc import Sequence


def resolve(text: str, known: Sequence[str]) -> str | None:
    """The known release that `2.2`, `2.2.2`, `v2.2.2` or `2.2.2+cpu` names; None where there is none.

    `known` is ascending. Two numbers name the newest release that begins with them; `2` alone names none.
    """
    wanted = text.strip().removeprefix("v").partition("+")[0]
    if wanted in known:
        return wanted
    if wanted.count(".") != 1:
        return None
    return next((release for release in reversed(known) if release.startswith(wanted + ".")), None)


def short(release: str) -> str:
    """`2.6` for `2.6.0`."""
    return ".".join(release.split(".")[:2])


def in_words(releases: Sequence[str], known: Sequence[str]) -> str:
    """Where something exists, in words: `in 2.6 and later of the known releases`.

    `releases` are those that have it, a non-empty part of `known`, the releases in which it was looked for. Both
    ascending.
    """
    if len(known) == 1:
        return f"in {short(known[0])}, the only release it is recorded for"
    if len(releases) == len(known):
        return f"in all known releases ({short(known[0])} to {short(known[-1])})"
    if len(releases) == 1 and releases[0] != known[-1]:
        return f"in {short(releases[0])} alone of the known releases"
    if tuple(releases) == tuple(known[-len(releases) :]):
        only = len(releases) == 1
        return f"in {short(releases[0])}{' alone' if only else ' and later'} of the known releases"
    if tuple(releases) == tuple(known[: len(releases)]):
        return f"in {short(releases[-1])} and earlier of the known releases"
    return f"in {', '.join(short(release) for release in releases)} of the known releases"
