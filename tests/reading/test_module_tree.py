"""Which modules stand beside a graph, and how they are printed."""

from fxgraph.reading import read
from fxgraph.reading.module_tree import modules_beside

TREE = """\
Net(
  (layers): Module(
    (0): Linear(in_features=6, out_features=8, bias=True)
    (act): GELU(approximate='none')
  )
  (many): ModuleList(
    (0-2): 3 x Linear(in_features=1, out_features=2, bias=True)
  )
  (own): Own(
    size 3
    with words
    (fc): Linear(in_features=3, out_features=3, bias=False)
  )
  (same): Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=same)
)
"""
CODE = """


def forward(self, x):
    layers_0 = getattr(self.layers, "0")(x);  x = None
    return layers_0
"""
PRINTED = """\
graph():
    %x : [num_users=1] = placeholder[target=x]
    %layers_0 : [num_users=1] = call_module[target=layers.0](args = (%x,), kwargs = {})
    return layers_0
"""
LINEAR = "Linear(in_features=6, out_features=8, bias=True)"


def test_the_tree_above_the_code():
    (graph,) = read(TREE + CODE).graphs
    one = "Linear(in_features=1, out_features=2, bias=True)"
    assert modules_beside(graph) == {
        "layers.0": LINEAR,
        "layers.act": "GELU(approximate='none')",
        "many.0": one,
        "many.1": one,
        "many.2": one,
        "own.fc": "Linear(in_features=3, out_features=3, bias=False)",
        "same": "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=same)",
    }


def test_a_tree_elsewhere_counts_where_it_knows_all_modules():
    text = f"{PRINTED}\nthe module:\n{TREE}\nand more\n"
    assert modules_beside(read(text).graphs[0])["layers.0"] == LINEAR
    assert modules_beside(read(text.replace("layers.0]", "layers.7]")).graphs[0]) == {}


def test_of_two_trees_what_they_agree_about():
    text = f"{PRINTED}\n{TREE}\nbefore\n{TREE.replace('out_features=8', 'out_features=9')}\n"
    found = modules_beside(read(text).graphs[0])
    assert "layers.0" not in found
    assert found["layers.act"] == "GELU(approximate='none')"


def test_a_tree_that_is_cut():
    cut = TREE[: TREE.index("  (many)")]
    text = f"{PRINTED}\n{cut}"
    assert modules_beside(read(text).graphs[0]) == {"layers.0": LINEAR, "layers.act": "GELU(approximate='none')"}


def test_what_a_written_module_makes():
    text = """\
class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = Linear(in_features=6, out_features=8, bias=True).cuda()
        setattr(self, 'conv', Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1)))

    def forward(self, x):
        fc = self.fc(x);  x = None
        conv = self.conv(fc);  fc = None
        return conv
"""
    assert modules_beside(read(text).graphs[0]) == {
        "fc": LINEAR,
        "conv": "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1))",
    }


def test_repeated_modules_in_repeated_modules_are_bounded():
    lines = [f"{'  ' * depth}(0-999): 1000 x Block(" for depth in range(1, 400)]
    text = f"{PRINTED}\nNet(\n" + "\n".join(lines) + "\n" + f"{'  ' * 400}(0-999): 1000 x ReLU()\n" * 2000
    assert modules_beside(read(text).graphs[0]) == {}


def test_many_trees_are_read_once_each():
    text = PRINTED + "\n" + "Net(\n  (a): B(\n" * 20_000
    assert modules_beside(read(text).graphs[0]) == {}
