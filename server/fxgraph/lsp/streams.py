"""The bytes below the protocol: standard streams or one TCP connection, and the frames in them.

LSP, section "Base Protocol": header lines, an empty line, then `Content-Length` bytes of JSON.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

log = logging.getLogger(__name__)

_LENGTH = re.compile(rb"\s*content-length\s*:\s*([0-9]{1,18})\s*", re.IGNORECASE)

#: Editors stop syncing files long before this. A larger length is taken for a garbled header.
MAX_FRAME = 1 << 30

#: A longer header line is garbage, too; it is taken in parts.
_MAX_HEADER = 1 << 16


class Streams(NamedTuple):
    """What the protocol is read from and written to."""

    incoming: BinaryIO
    outgoing: BinaryIO


def frames(stream: BinaryIO) -> Iterator[bytes]:
    """The bodies of the messages, until the stream ends. Lines that are no header are skipped, and logged once each."""
    length: int | None = None
    while line := stream.readline(_MAX_HEADER):
        if found := _LENGTH.fullmatch(line):
            length = int(found[1])
            if length > MAX_FRAME:
                log.error("a message of %d bytes is announced: ignored", length)
                length = None
        elif line in (b"\r\n", b"\n"):
            if length is not None:
                body = stream.read(length)
                if len(body) < length:
                    log.error("the stream ended inside a message")
                    return
                yield body
                length, body = None, b""  # a whole document may have been in it
        elif b":" not in line:
            log.error("%d bytes that are no protocol header: ignored", len(line))


def standard_streams() -> Streams:
    """The process's own input and output, kept for the protocol alone.

    What anything else in the process prints, C code included, goes to standard error from here on.
    """
    sys.stdout.flush()
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    if sys.stderr is None:  # started without one
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return Streams(sys.stdin.buffer, outgoing)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Port 0 takes a free one.

    Raises OSError where the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1)


def accept(listening: socket.socket) -> Streams:
    """The streams of the first client; further ones are refused."""
    connection, _ = listening.accept()
    listening.close()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # makefile keeps the connection open until both are closed.
    return Streams(connection.makefile("rb"), connection.makefile("wb"))
