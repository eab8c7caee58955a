import io
import os
import sys
from pathlib import Path

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


def walk(top, *names):
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return [Path(item.label).relative_to(top).as_posix() for item in Inputs([str(top)])]


def test_a_report_of_tlparse_is_walked_in_the_order_of_its_compilations_and_nothing_of_it_twice(tmp_path):
    names = ("-_2_0_0/dynamo_output_graph_40.txt", "-_10_0_0/dynamo_output_graph_50.txt", "-_0_0_0/index.html")
    copies = ("compile_directory.json", "raw.log", "raw.jsonl", "payloads/0f0f.txt")
    steps = ("dynamo_output_graph_1", "before_pre_grad_graph_2", "aot_joint_graph_4", "after_post_grad_graph_11")
    assert walk(tmp_path, *names, *copies, *(f"-_0_0_0/{step}.txt" for step in steps)) == [
        "-_0_0_0/dynamo_output_graph_1.txt",
        "-_0_0_0/before_pre_grad_graph_2.txt",
        "-_0_0_0/aot_joint_graph_4.txt",
        "-_0_0_0/after_post_grad_graph_11.txt",
        "-_2_0_0/dynamo_output_graph_40.txt",
        "-_10_0_0/dynamo_output_graph_50.txt",
    ]


def test_a_raw_log_elsewhere_is_a_log_like_any_other(tmp_path):
    assert walk(tmp_path, "raw.log", "payloads/a.txt") == ["raw.log", "payloads/a.txt"]


def test_a_folder_of_torch_compile_debug(tmp_path):
    run = "torch_compile_debug/run_2026_11_29_12_00_00_000000-pid_1"
    model = f"{run}/torchinductor/model__0_inference_0.0"
    names = ("fx_graph_readable.py", "fx_graph_runnable.py", "fx_graph_transformed.py", "output_code.py")
    written = [f"{run}/torchdynamo/debug.log", *(f"{model}/{name}" for name in names)]
    assert walk(tmp_path, *written, f"{model}/inductor_provenance_tracking_node_mappings.json") == written


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


def test_a_device_is_no_file(capsys):
    assert list(Inputs(["/dev/zero"])) == []
    assert capsys.readouterr().err == "fxgraph: /dev/zero: is neither a file nor a pipe\n"


def test_a_stream_that_does_not_end(monkeypatch, capsys):
    """It is read up to a bound; one that begins with a NUL is given up at once."""

    class Endless(io.RawIOBase):
        def __init__(self, sign):
            self.sign, self.given = sign, 0

        def readable(self):
            return True

        def readinto(self, buffer):
            buffer[:] = self.sign * len(buffer)
            self.given += len(buffer)
            return len(buffer)

    monkeypatch.setattr("fxgraph.cli.inputs.MOST", 3 << 20)
    for sign, complaint, at_most in ((b"x", "is longer than 3 MiB", 5 << 20), (b"\0", "is a binary file", 2 << 20)):
        endless = Endless(sign)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(endless)))
        assert list(Inputs(["-"])) == []
        assert capsys.readouterr().err == f"fxgraph: -: {complaint}\n"
        assert endless.given <= at_most


def test_a_pipe_that_is_named_like_a_file(tmp_path):
    """As a shell makes one of `<(command)`."""
    reader, writer = os.pipe()
    os.write(writer, b"graph():\n")
    os.close(writer)
    assert [item.text for item in Inputs([f"/dev/fd/{reader}"])] == ["graph():\n"]
    os.close(reader)


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
