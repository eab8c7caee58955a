"""Types behind modules of torch.nn, from their parameters as `print(gm)` prints them."""

import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from fxgraph.cli import main
from with_torch.propagation import in_words, propagated

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

#: Modules and the input that each is called with.
CALLS = [
    (nn.Linear(6, 8, bias=False), (5, 6)),
    (nn.Bilinear(3, 4, 5), (2, 3), (2, 4)),
    (nn.Conv1d(3, 4, 3, padding="same", padding_mode="reflect"), (2, 3, 9)),
    (nn.Conv2d(3, 4, 3, stride=2, dilation=2), (2, 3, 9, 9)),
    (nn.ConvTranspose2d(3, 4, 3, stride=2, output_padding=1), (2, 3, 9, 9)),
    (nn.BatchNorm2d(3), (1, 3, 1, 1)),
    (nn.LayerNorm(6, elementwise_affine=False), (5, 6)),
    (nn.GroupNorm(3, 6), (2, 6, 4)),
    (nn.InstanceNorm1d(3), (2, 3, 4)),
    (nn.MaxPool2d(3, ceil_mode=True), (2, 3, 10, 10)),
    (nn.AvgPool2d(2), (2, 3, 8, 8)),
    (nn.AdaptiveAvgPool2d((None, 3)), (2, 3, 8, 8)),
    (nn.Dropout(0.5), (2, 3)),
    (nn.GELU("tanh"), (2, 3)),
    (nn.ReLU(inplace=True), (2, 3)),
    (nn.Softmax(dim=-1), (2, 3)),
    (nn.GLU(), (2, 4)),
    (nn.Hardshrink(0.7), (2, 3)),
    (nn.Flatten(1), (2, 3, 4)),
    (nn.Unflatten(1, (2, 3)), (2, 6)),
    (nn.PixelShuffle(2), (2, 4, 3, 3)),
    (nn.ZeroPad2d((1, 2, 3, 4)), (2, 3, 3)),
    (nn.ConstantPad1d(2, 1.5), (2, 3)),
    (nn.Upsample(scale_factor=2.5, mode="nearest"), (2, 3, 4, 4)),
    (nn.Unfold(3), (2, 3, 5, 5)),
    (nn.PReLU(3), (2, 3)),
    (nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True), (2, 5, 3)),
    (nn.GRUCell(3, 4), (2, 3)),
]


class Many(nn.Module):
    def __init__(self):
        super().__init__()
        self.all = nn.ModuleList(call[0] for call in CALLS)
        self.embedding = nn.Embedding(10, 3, padding_idx=0)

    def forward(self, *inputs):
        left = iter(inputs)
        found = [call[0](*[next(left) for _ in call[1:]]) for call in CALLS]
        return [*found, self.embedding(next(left))]


def graph_of(model, count):
    class Tracer(torch.fx.Tracer):
        def is_leaf_module(self, module, name):
            return not isinstance(module, nn.Sequential)

    graph = torch.fx.Graph()
    inputs = [graph.placeholder(f"x{number}") for number in range(count)]
    left = iter(inputs)
    results = [
        graph.call_module(f"all.{place}", tuple(next(left) for _ in call[1:])) for place, call in enumerate(CALLS)
    ]
    graph.output((*results, graph.call_module("embedding", (next(left),))))
    return torch.fx.GraphModule(model, graph)


def type_of(value):
    if isinstance(value, torch.Tensor):
        return f"f32[{', '.join(map(str, value.shape))}]"
    return f"({', '.join(map(type_of, value))})"


def test_every_kind_of_module_gives_what_it_gives_itself(torch_host):
    torch.manual_seed(0)
    model = Many().eval()
    shapes = [shape for call in CALLS for shape in call[1:]]
    gm = graph_of(model, len(shapes) + 1)
    values = [*[torch.zeros(shape) for shape in shapes], torch.zeros(7, dtype=torch.int64)]
    inputs = {f"x{number}": f"f32[{', '.join(map(str, shape))}]" for number, shape in enumerate(shapes)}
    found = propagated(torch_host, str(gm), {**inputs, f"x{len(shapes)}": "i64[7]"})
    wanted = {
        node.name: type_of(value) for node, value in zip(list(gm.graph.nodes)[-1].args[0], gm(*values), strict=True)
    }
    assert {name: in_words(found[name]) for name in wanted} == wanted


MLP = {"layers_0": "f32[5, 8]", "layers_1": "f32[5, 8]", "layers_2": "f32[5, 4]", "mean": "f32[5, 1]"}


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_the_traced_mlp_with_a_line_that_tells_its_inputs(torch_host, device):
    printed = (FIXTURES / "2.13.0" / "mlp.symbolic.str.txt").read_text()
    here = "" if device == "cpu" else f" {device}"
    found = propagated(torch_host, f"# fxgraph: inputs=x:f32[5,6]{device},shift:f32[4]{device}\n{printed}")
    every = {"x": "f32[5, 6]", **MLP, "shift": "f32[4]", "add": "f32[5, 4]", "softmax": "f32[5, 4]"}
    assert {name: in_words(told) for name, told in found.items()} == {
        name: f"{kind}{here}" for name, kind in every.items()
    }
    assert found["layers_2"]["bytes"] == 80 and found["layers_2"]["stride"] == [4, 1]


def test_why_not_all_of_the_traced_mlp(torch_host):
    """A tree tells no buffers; print(graph) alone tells no modules."""
    printed = (FIXTURES / "2.13.0" / "mlp.symbolic.str.txt").read_text()
    found = propagated(torch_host, printed, {"x": "f32[5,6]"})
    assert {name: in_words(found[name]) for name in MLP} == MLP
    assert in_words(found["shift"]) == "stop: what this attribute holds is not in the text"
    assert in_words(found["softmax"]) == "waits for shift"
    alone = (FIXTURES / "2.13.0" / "mlp.symbolic.graph.fxgraph").read_text()
    assert in_words(propagated(torch_host, alone, {"x": "f32[5,6]"})["layers_0"]) == (
        "stop: the module layers.0 and its parameters, which print(gm) prints, are not in the text"
    )


NET = """\
Net(
  (fc): {module}
)



def forward(self, x):
    fc = self.fc(x);  x = None
    {more}
"""


def told_of(host, module, more="return fc", inputs="x:f32[2,3,8,8]"):
    text = f"# fxgraph: inputs={inputs}\n" + NET.format(module=module, more=more)
    return in_words(propagated(host, text)["fc"])


def test_what_a_print_leaves_out_is_not_guessed(torch_host):
    pool = "MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)"
    assert told_of(torch_host, pool) == "f32[2, 3, 4, 4]"
    assert told_of(torch_host, pool, "getitem = fc[0]\n    return getitem") == (
        "stop: MaxPool2d does not print return_indices, which decides here"
    )
    average = "AvgPool2d(kernel_size={0}, stride={0}, padding=0)"
    assert told_of(torch_host, average.format(2)) == "f32[2, 3, 4, 4]"
    assert told_of(torch_host, average.format(3)) == "stop: AvgPool2d does not print ceil_mode, which decides here"


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("MultiheadAttention()", "MultiheadAttention is not among the modules whose shapes their print tells"),
        ("DataParallel()", "DataParallel is not among"),
        ("load('x')", "load is not among"),
        ("Linear(in_features=__import__('os').system('true'), out_features=2)", "the print of fc cannot be read"),
        ("Linear(6, 8, device='cpu')", "holds what no print holds"),
        ("Linear(6, 8, dtype=torch.float16)", "holds what no print holds"),
        ("Embedding(6, 8, _weight=[[1.0]])", "holds what no print holds"),
        ("Linear(torch.ops.aten.add.Tensor, 8)", "holds what no print holds"),
        ("LSTM(3, 4, num_layers=100000000)", "has more layers than are made"),
        ("Linear(in_features=99999999999999, out_features=2, bias=True)", "holds what no print holds"),
        ("Linear(in_features=5, odd=2)", "unexpected keyword argument"),
    ],
)
def test_hostile_prints(torch_host, module, reason):
    assert reason in told_of(torch_host, module)


def test_parameters_that_a_graph_reads_itself(torch_host):
    text = NET.format(
        module="Linear(in_features=3, out_features=4, bias=True)",
        more="weight = self.fc.weight\n    t = weight.t()\n    return (fc, t)",
    )
    found = propagated(torch_host, "# fxgraph: inputs=x:bf16[2,3]\n" + text)
    assert [in_words(found[name]) for name in ("fc", "weight", "t")] == ["bf16[2, 4]", "bf16[4, 3]", "bf16[3, 4]"]


def screen_of(capsys, tmp_path, text):
    path = tmp_path / "net.fxgraph"
    path.write_text(text)
    assert main(["inspect", "--shapes", "propagate", "--python", sys.executable, str(path)]) == 0
    return capsys.readouterr().out.replace(str(path), "net").splitlines()


ALIKE = "a class of your own of such a name looks the same"


def test_what_is_assumed_is_said_where_it_was(capsys, tmp_path):
    tree = "Net(\n  (fc): Linear(in_features=3, out_features=4, bias=True)\n)\n"
    graph = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %fc : [num_users=1] = call_module[target=fc](args = (%x,), kwargs = {})\n    return fc\n"
    lines = screen_of(capsys, tmp_path, f"# fxgraph: inputs=x:f32[2,3]\n{tree}{graph}{graph}")
    assert [line for line in lines if line.startswith(("shapes: ", "assumed: m", "assumed: p", "stopped"))] == [
        f"shapes: 1 value computed by torch {torch.__version__}",
        f"assumed: modules printed as Linear in the module tree of line 2 are those of torch.nn: {ALIKE}",
        "assumed: parameters of modules have the dtype and device of the floating-point input that they get",
        f"shapes: 0 values computed by torch {torch.__version__}",
        "stopped at fc: whose module fc is unclear: the module tree in line 2 may be another model's",
    ]


def test_the_dtype_of_parameters_that_no_input_tells(capsys, tmp_path):
    text = (
        "# fxgraph: inputs=i:i64[7]\nM(\n  (emb): Embedding(10, 4)\n)\ngraph():\n"
        "    %i : [num_users=1] = placeholder[target=i]\n"
        "    %emb : [num_users=1] = call_module[target=emb](args = (%i,), kwargs = {})\n    return emb\n"
    )
    lines = screen_of(capsys, tmp_path, text)
    assert "assumed: parameters of modules that get no such input are float32, torch's default" in lines


def test_the_node_says_what_it_was_taken_for(torch_host):
    text = "# fxgraph: inputs=x:f32[2,3]\n" + NET.format(
        module="Linear(in_features=3, out_features=4, bias=True)", more="return fc"
    )
    assert propagated(torch_host, text)["fc"]["module"] == "Linear"


def test_a_module_with_modules_inside(torch_host):
    text = (
        "# fxgraph: inputs=x:f32[2,3]\nNet(\n  (fc): Own(\n    (inner): ReLU()\n  )\n  (dropout): Dropout(\n    (inner): "
        "ReLU()\n  )\n)\n\n\n\ndef forward(self, x):\n    fc = self.fc(x)\n    dropout = self.dropout(x)\n"
        "    gone = self.gone(x);  x = None\n    return (fc, dropout, gone)\n"
    )
    found = propagated(torch_host, text)
    assert {name: told["stop"] for name, told in found.items() if "stop" in told} == {
        "fc": "Own is not among the modules whose shapes their print tells",
        "dropout": "the print of dropout cannot be read",
        "gone": "the module tree in line 2 has no module gone",
    }
