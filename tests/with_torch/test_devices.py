"""Dumps of a machine with a GPU on one without: ten dumps with every `cpu` turned into `cuda:0`."""

import re
from pathlib import Path

import pytest

from with_torch.propagation import propagated

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "2.13.0"
DUMPS = [path.name for path in sorted(FIXTURES.glob("*.readable_stride_device.py")) if ".symbolic." not in path.name][
    :10
]


@pytest.mark.parametrize("name", DUMPS)
def test_a_dump_of_the_cpu_as_one_of_a_gpu(torch_host, name):
    text = (FIXTURES / name).read_text()
    on_gpu = re.sub(r"\]cpu\b", "]cuda:0", text.replace("device(type='cpu')", "device(type='cuda', index=0)"))
    assert on_gpu.count("cuda:0") > 2
    found, before = propagated(torch_host, on_gpu), propagated(torch_host, text)
    assert not any("stop" in told or told.get("agrees") is False for told in found.values())
    assert sum(told.get("agrees") is True for told in found.values()) > 0
    on_cpu = {name: told for name, told in before.items() if told.get("device") == "cpu"}
    assert on_cpu and all(found[name] == {**told, "device": "cuda:0"} for name, told in on_cpu.items())


def test_there_are_ten():
    assert len(DUMPS) == 10


@pytest.mark.parametrize(
    ("line", "device"),
    [
        ("call_method[target=to](args = (%x, cuda), kwargs = {})", "cpu"),
        ("call_method[target=to](args = (%x,), kwargs = {device: cuda})", "cuda:0"),
        ("call_function[target=torch.ops.aten._to_copy.default](args = (%x,), kwargs = {device: xpu:1})", "xpu:1"),
        ("call_function[target=torch.ops.aten._to_copy.default](args = (%x,), kwargs = {device: meta})", "cpu"),
        ("call_function[target=torch.set_default_device](args = (meta,), kwargs = {})", "cpu"),
        ("call_function[target=torch.set_default_device](args = (), kwargs = {device: cuda})", "cpu"),
    ],
)
def test_a_word_is_a_device_where_it_is_printed_as_one(torch_host, line, device):
    text = f"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %n : [num_users=1] = {line}\n    return n\n"
    assert propagated(torch_host, text, {"x": "f32[2]"})["x"]["device"] == device
