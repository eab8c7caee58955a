"""Text of a dump on a terminal: never more than one line of it, and no control codes."""

from __future__ import annotations

import re

# C0 and C1 controls, and the marks that turn the direction of the text round.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str) -> str:
    """The text with each run of control characters, line ends among them, as one blank."""
    return _CONTROL.sub(" ", text) if not text.isprintable() else text


def reason(error: OSError) -> str:
    """Why the system refused something, in lower case and without its number."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return (error.strerror or type(error).__name__).lower()


def count_of(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
