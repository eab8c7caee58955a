"""Dumps that try to make the host do something else than shapes: one test for each way in."""

import os
import signal
import sys
import threading
import time

import pytest

from fxgraph.torchhost import HostError, Limits, State, TorchHost, choices
from with_torch.propagation import propagated


@pytest.fixture
def marker(tmp_path):
    """A file that must never come to be."""
    path = tmp_path / "sprung"
    yield path
    assert not path.exists()


def stop_of(host, line: str, **inputs: str) -> str:
    """Why the node `n` of a graph with the input x has no value."""
    text = f"graph():\n    %x : [num_users=1] = placeholder[target=x]\n    {line}\n    return n\n"
    found = propagated(host, text, {"x": "f32[2]", **inputs})["n"]
    assert set(found) == {"stop"}, found
    return found["stop"]


@pytest.mark.parametrize(
    "target",
    [
        "os.system", "builtins.eval", "builtins.exec", "eval", "exec", "builtins.__import__", "builtins.open", "open",
        "subprocess.run", "torch.load", "torch.save", "torch.hub.load", "torch.ops.load_library", "torch.classes.load_library",
        "torch.package.PackageImporter", "torch.jit.load", "torch.from_file", "torch.compile", "torch.os.system",
        "torch.utils.cpp_extension.load", "torch.serialization.load", "torch.storage._load_from_bytes",
        "torch._C.import_ir_module", "torch.Tensor.__reduce_ex__", "torch.Tensor.share_memory_", "torch.Tensor.map_",
        "torch.nn.functional.torch.load", "torch.functional.torch.hub.load", "torch.nn.functional.__builtins__",
        "torch.multiprocessing.spawn", "torch._dynamo.eval_frame", "torch.set_default_device", "torch.nn.functional.boolean_dispatch",
        "operator.attrgetter", "operator.methodcaller", "operator.call", "operator.itemgetter", "math.__loader__",
        "torch.ops.aten.save.default", "torch.ops.aten.save", "torch.ops.aten.from_file.default", "torch.ops.aten.from_file",
        "torch.ops.debugprims.load_tensor.default", "torch.ops.prim.Print.default", "torch.ops.aten.__class__.default",
        "torch.ops.__class__.mro.default", "torch.ops.rpc.rpc_sync.default", "torch.ops.c10d.barrier.default",
        "torch.ops.higher_order.print", "torch.ops.higher_order.call_torchbind", "torch.ops.higher_order.run_const_graph",
        "torch.ops.higher_order.__init__", "torch.ops.profiler._record_function_enter_new.default",
    ],
)  # fmt: skip
def test_functions_that_are_not_called(torch_host, target, marker):
    line = f"%n : [num_users=1] = call_function[target={target}](args = ({marker},), kwargs = {{}})"
    stop = stop_of(torch_host, line)
    assert any(words in stop for words in ("not among the functions", "not registered", "reaches beyond"))


@pytest.mark.parametrize(
    "method",
    ["__reduce__", "__reduce_ex__", "__class__", "numpy", "apply_", "map_", "storage", "untyped_storage", "data_ptr",
     "share_memory_", "register_hook", "backward", "__init__", "__getattribute__", "__setstate__", "type", "__dlpack__"],
)  # fmt: skip
def test_methods_that_are_not_called(torch_host, method):
    line = f"%n : [num_users=1] = call_method[target={method}](args = (%x,), kwargs = {{}})"
    assert stop_of(torch_host, line) == f"the method '{method}' is not among those that are called"


def test_methods_of_strings_are_not_called(torch_host):
    line = "%n : [num_users=1] = call_method[target=format](args = (text, 1), kwargs = {})"
    assert stop_of(torch_host, line) == "the method 'format' is not among those that are called"


@pytest.mark.parametrize(
    "name", ["__class__", "__reduce__", "__init__.__globals__", "grad_fn", "_backward_hooks", "untyped_storage"]
)
def test_attributes_that_are_not_taken(torch_host, name):
    line = f"%n : [num_users=1] = call_function[target=builtins.getattr](args = (%x, {name}), kwargs = {{}})"
    assert stop_of(torch_host, line) == f"the attribute '{name}' is not among those that are taken"


@pytest.mark.parametrize("target", ["__class__", "forward.__globals__", "__init__.__globals__.os.system", "a.b"])
def test_modules_and_attributes_are_looked_up_in_the_text_alone(torch_host, target):
    line = f"%n : [num_users=1] = call_module[target={target}](args = (%x,), kwargs = {{}})"
    assert stop_of(torch_host, line).endswith("are not in the text")
    line = f"%n : [num_users=1] = get_attr[target={target}]"
    assert stop_of(torch_host, line) == "what this attribute holds is not in the text"


@pytest.mark.parametrize(
    "size",
    [
        "__import__('os').system('touch {marker}')",
        "open('{marker}', 'w')",
        "s0.__class__",
        "(lambda: 0)()",
        "exec('import os')",
        "Function('f')(s0)",
        "9**9**9**9",
        "(" * 500 + "s0" + ")" * 500,
        "9" * 200,
        "S(0)",
        "{}",
    ],
)
def test_sizes_are_read_by_a_reader_of_our_own(torch_host, size, marker):
    text = size.replace("{marker}", str(marker))
    code = f'class G(torch.nn.Module):\n    def forward(self, x: "Sym({text})", y: "f32[2]"):\n        n: "Sym({text})" = torch.ops.aten.sym_size.int(y, 0);  y = None\n        return (n,)\n'
    found = propagated(torch_host, code.replace('"__', "'__").replace('os")', "os')"))
    assert "stop" in found.get("x", {"stop": ""})
    assert found.get("n", {}).get("agrees") is not True
    found = propagated(
        torch_host, "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n", {"x": f"f32[{text}]"}
    )
    assert "stop" in found["x"]


@pytest.mark.parametrize(
    "word", ["torch.os", "torch.hub", "torch.load", "torch.float32.__class__", "torch.nn", "torch.Tensor"]
)
def test_words_are_dtypes_layouts_formats_or_strings(torch_host, word):
    line = f"%n : [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {{memory_format: {word}}})"
    assert stop_of(torch_host, line) == f"'{word}' is no dtype, layout or memory format"


def test_an_operator_among_the_arguments_goes_through_the_same_list(torch_host):
    line = "%n : [num_users=1] = call_function[target=torch.ops.higher_order.with_effects](args = (%x, aten.save.default, %x), kwargs = {})"
    assert stop_of(torch_host, line) == "aten.save.default is not registered in this torch"


def test_module_names_in_a_dump_are_not_imported(torch_host, tmp_path, monkeypatch, marker):
    (tmp_path / "evil.py").write_text(f"open({str(marker)!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    for target in ("evil.f", "torch.ops.evil.f.default", "torch.evil.f"):
        line = f"%n : [num_users=1] = call_function[target={target}](args = (%x,), kwargs = {{}})"
        assert stop_of(torch_host, line)


def test_names_of_nodes_become_no_code(torch_host, marker):
    name = "x):\\n__import__('os').system('touch')#"
    code = f"""\
class G(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[2]"):
        {name} = self.body
        body = self.body
        n = torch.ops.higher_order.cond(p, body, body, (x,))
        return (n,)

    class body(torch.nn.Module):
        def forward(self, __import__: "f32[2]"):
            eval_1: "f32[2]" = torch.ops.aten.sin.default(__import__)
            return (eval_1,)
"""
    assert propagated(torch_host, code)["eval_1"]["type"] == "f32[2]"


#: Keeps torch busy for some seconds.
LONG = "graph():\n    %n0 : [num_users=1] = call_function[target=torch.ops.aten.ones.default](args = ([2],), kwargs = {})\n"
LONG += "".join(
    f"    %n{number + 1} : [num_users=1] = call_function[target=torch.sin](args = (%n{number},), kwargs = {{}})\n"
    for number in range(10_000)
)


@pytest.mark.parametrize(
    ("target", "args", "reason"),
    [
        ("operator.pow", "9999999, 99999999", "an integer of more than 4,096 bits is not computed"),
        ("builtins.pow", "3, 99999999", "an integer of more than 4,096 bits is not computed"),
        ("operator.ipow", "3, 99999999", "an integer of more than 4,096 bits is not computed"),
        ("operator.lshift", "1, 9999999999", "an integer of more than 4,096 bits is not computed"),
        ("operator.lshift", "1, 99999", "an integer of more than 4,096 bits is not computed"),
        ("operator.mul", "[1], 9999999999", "a sequence of more than 1,000,000 items is not made"),
        ("operator.mul", "9999999999, (1, 2)", "a sequence of more than 1,000,000 items is not made"),
        ("operator.imul", "[1], 9999999999", "a sequence of more than 1,000,000 items is not made"),
        ("operator.mul", "text, 9999999999", "a sequence of more than 1,000,000 items is not made"),
        ("operator.mod", "a%999999999d, 1", "texts are not formatted"),
        ("builtins.round", "5, -999999999", "so many digits are not rounded to"),
        ("builtins.sum", "[[1], [2]], []", "sequences are not added up"),
        ("math.prod", f"{[1 << 600] * 9}", "an integer of more than 4,096 bits is not computed"),
        ("math.lcm", ", ".join([str(1 << 600)] * 9), "an integer of more than 4,096 bits is not computed"),
    ],
)
def test_numbers_and_sequences_have_bounds(torch_host, target, args, reason):
    line = f"%n : [num_users=1] = call_function[target={target}](args = ({args}), kwargs = {{}})"
    assert stop_of(torch_host, line) == reason


@pytest.mark.parametrize("last", ["0, 99999999999", "99999999999, 0, -1"])
def test_ranges_have_bounds(torch_host, last):
    code = f"def forward(self, x):\n    n = builtins_list(range({last}))\n    return n\n".replace("builtins_", "")
    assert propagated(torch_host, code, {"x": "f32[2]"})["n"]["stop"] == (
        "a sequence of more than 1,000,000 items is not made"
    )


def test_doubling_again_and_again(torch_host):
    for target, first in (("add", "operator.add](args = ([1], [2])"), ("mul", "operator.pos](args = (3,)")):
        lines = [f"    %n0 : [num_users=1] = call_function[target={first}, kwargs = {{}})\n"]
        lines += [
            f"    %n{place + 1} : [num_users=1] = call_function[target=operator.{target}](args = (%n{place}, %n{place}), kwargs = {{}})\n"
            for place in range(40)
        ]
        found = propagated(torch_host, "graph():\n" + "".join(lines) + "    return n40\n")
        assert sum("stop" in told for told in found.values()) == 1, target


def test_a_symbol_to_a_large_power(torch_host):
    text = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %n : [num_users=1] = call_function[target=operator.pow](args = (%x, 99999999), kwargs = {})\n    return n\n"
    assert propagated(torch_host, text, {"x": "Sym(s0)"})["n"] == {"stop": "a power that no size has"}


def test_what_stops_at_one_node_costs_no_other(torch_host):
    text = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %n : [num_users=1] = call_function[target=operator.lshift](args = (1, 99999), kwargs = {})
    %full : [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([100000000000, 1000000], 1), kwargs = {})
    %sin : [num_users=1] = call_function[target=torch.sin](args = (%relu,), kwargs = {})
    return sin
"""
    found = propagated(torch_host, text, {"x": "f32[2]"})
    assert found["relu"]["type"] == found["sin"]["type"] == "f32[2]"
    assert found["n"] == {"stop": "an integer of more than 4,096 bits is not computed"}
    assert "MemoryError" not in str(found["full"])


def test_a_graph_that_hangs_is_ended_and_the_host_answers_on():

    clock = Clock()
    host = TorchHost(choices(named=sys.executable), limits=Limits(answer=0.5), clock=clock)
    try:
        with pytest.raises(HostError, match=r"^torch \S+ gave no answer: no answer within 0.5 s$"):
            propagated(host, LONG)
        clock.ahead, host._limits = 10.0, Limits()  # past the back-off
        line = "%n : [num_users=1] = call_function[target=torch.load](args = (a,), kwargs = {})"
        assert "not among" in stop_of(host, line)
    finally:
        host.close()


def test_killed_while_busy():

    clock = Clock()
    host = TorchHost(choices(named=sys.executable), clock=clock)
    host.start()
    pid = host._process.pid
    killer = threading.Thread(target=lambda: (wait_until_busy(host), os.kill(pid, signal.SIGKILL)))
    killer.start()
    with pytest.raises(HostError, match=r"its process ended \(signal SIGKILL\)"):
        propagated(host, LONG)
    killer.join()
    assert host.state is State.FAILED
    clock.ahead = 10.0  # past the back-off
    assert "torch" in host.start()
    assert host._process.pid != pid
    host.close()


class Clock:
    """The time, or a time ahead of it."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


def wait_until_busy(host) -> None:

    while host.state is not State.BUSY:
        pass


def test_levels_of_vmap_that_are_left_open_or_were_never_entered(torch_host):
    enter = "%n : [num_users=1] = call_function[target=torch._functorch.predispatch._vmap_increment_nesting](args = (2, error), kwargs = {})"
    text = f"graph():\n    {enter}\n    return n\n"
    assert propagated(torch_host, text)["n"] == {"value": "1"}
    leave = "%n : [num_users=1] = call_function[target=torch._functorch.predispatch._vmap_decrement_nesting](args = (), kwargs = {})"
    assert stop_of(torch_host, leave) == "no level of vmap was entered here"
