"""What the C library does with memory that is free again."""

from __future__ import annotations

import ctypes
import sys

#: mallopt(3): blocks of at least so many bytes are mapped by themselves.
_M_MMAP_THRESHOLD = -3
_BIG = 1 << 20


def give_big_blocks_back() -> None:
    """Have texts of a megabyte and more go back to the system as soon as they are free; only glibc takes the advice.

    It would raise that limit by itself as texts come and go, and keep the holes they leave: the memory of several
    versions of a document.
    """
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _BIG)
        except (OSError, AttributeError):  # another C library
            pass
