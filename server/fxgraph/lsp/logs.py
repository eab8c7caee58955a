"""The server's log: on standard error or in a file. It names documents and never quotes them: logs get sent around."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import TextIO

#: Exceptions whose words speak of code. Those of others (KeyError, ValueError) may quote the document.
_ABOUT_CODE = (AttributeError, ImportError, NameError, NotImplementedError, OSError, RecursionError, TypeError)


def set_up(log_file: str | None) -> None:
    """Send what fxgraph logs to this file, or to standard error.

    Raises OSError where the file cannot be written.
    """
    stream: TextIO = sys.stderr
    if log_file is not None:
        stream = open(log_file, "a", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115, PTH123
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))
    root = logging.getLogger()
    root.addHandler(handler)
    # pygls logs whole messages at the level of information, and parameters with its errors.
    root.setLevel(logging.CRITICAL)
    logging.getLogger("fxgraph").setLevel(logging.INFO)
    logging.getLogger("concurrent.futures").setLevel(logging.ERROR)


def log_exception(log: logging.Logger, what: str, error: BaseException) -> None:
    """One entry with the place an error came from, without words that may quote a document."""
    words = f": {str(error)[:200]}" if isinstance(error, _ABOUT_CODE) else ""
    frames = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    log.error("%s: %s%s\n%s", what, type(error).__name__, words, frames)
