import io

import pytest

from fxgraph.lsp import streams


def bodies(stream: bytes) -> list[bytes]:
    return list(streams.frames(io.BytesIO(stream)))


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [b"{}", b"[1]"]),
        (b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}", [b"{}"]),
        (b"content-type: x\r\ncontent-length:2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 2\n\n{}", [b"{}"]),
        (b"\r\n\r\nContent-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", [b"", b"{}"]),
        (b"noise\r\nContent-Length: two\r\n\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"\x00\xff" * 70_000 + b"\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 99999999999999999\r\n\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: -2\r\n\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 20\r\n\r\n{}", []),
        (b"Content-Length: 2", []),
        (b"", []),
    ],
)
def test_frames(stream, expected):
    assert bodies(stream) == expected
