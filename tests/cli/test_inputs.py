import io
import sys

import pytest

from fxgraph.cli.inputs import Inputs, UnusableError, decoded, read_text


def test_directories_are_walked_in_order_without_hidden_and_binary_files(tmp_path):
    for name in ("b.fxgraph", "a/z.txt", "a/y.log", "a/x.png", ".git/c.txt", "node_modules/d.txt", ".hidden.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    (tmp_path / "binary.txt").write_bytes(b"a\0b")
    inputs = Inputs([str(tmp_path)])
    assert [item.text for item in inputs] == ["b.fxgraph", "a/y.log", "a/z.txt"]
    assert not inputs.failed


def test_a_file_that_is_named_may_be_called_anything(tmp_path):
    path = tmp_path / "dump.weird"
    path.write_text("graph():\n")
    assert [item.text for item in Inputs([str(path)])] == ["graph():\n"]


def test_what_cannot_be_read_is_told_and_the_rest_is_still_done(tmp_path, capsys):
    good, binary = tmp_path / "good.txt", tmp_path / "binary.pt2"
    good.write_text("ok")
    binary.write_bytes(b"PK\0\0")
    inputs = Inputs([str(tmp_path / "gone.txt"), str(binary), str(good)])
    assert [item.text for item in inputs] == ["ok"]
    assert inputs.failed
    assert (
        capsys.readouterr().err == f"fxgraph: {tmp_path}/gone.txt: no such file\nfxgraph: {binary}: is a binary file\n"
    )


def test_a_path_that_no_system_can_have():
    with pytest.raises(UnusableError):
        read_text("a\0b")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"graph():\r\n")))
    assert [(item.label, item.text) for item in Inputs(["-"])] == [("-", "graph():\r\n")]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\rc\n", "a\r\nb\rc\n"),
        (b"\xef\xbb\xbfgraph", "graph"),
        ("graph\n".encode("utf-16"), "graph\n"),
        (b"a\xffb", "a\ufffdb"),
        (b"", ""),
    ],
)
def test_bytes_become_text(data, text):
    assert decoded(data) == text
