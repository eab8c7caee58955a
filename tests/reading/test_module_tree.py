"""Which modules stand beside a graph, and how they are printed."""

import pytest

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


def beside(text):
    """The modules of the first graph."""
    graphs = read(text).graphs
    return modules_beside(graphs[0], graphs).modules


def sizes(*pieces):
    """What `layers.0` gives in each graph of a text, None where its tree is unclear. `T8` is a tree whose layer gives 8
    values, `C` the code that print(gm) writes below, `G` print(gm.graph), `O` another graph.
    """
    made = {"C": CODE, "G": PRINTED, "O": PRINTED.replace("layers.0", "other.0").replace("layers_0", "other_0")}
    text = "".join(
        TREE.replace("out_features=8", f"out_features={piece[1:]}") if piece[0] == "T" else made[piece]
        for piece in pieces
    )
    graphs = read(text).graphs
    assert len(graphs) == sum(piece[0] != "T" for piece in pieces)
    found = [modules_beside(graph, graphs) for graph in graphs]
    assert all((one.tree is None) == ("layers.0" not in one.modules) for one in found)
    assert all((one.tree is None) == (one.unclear is not None) for one in found)
    printed = [one.modules.get("layers.0") for one in found]
    return [None if one is None else int(one.split("out_features=")[1].split(",")[0]) for one in printed]


@pytest.mark.parametrize(
    ("pieces", "wanted"),
    [
        ("T8 C", [8]),
        ("T8 G", [8]),
        ("G T8", [8]),
        ("T8 C G", [8, 8]),
        ("G T8 C", [8, 8]),
        ("T8 C G T9 C G", [8, 8, 9, 9]),  # print(gm), print(gm.graph), twice
        ("T8 G T9 G", [8, 9]),
        ("T8 C T9 C", [8, 9]),
        ("T8 T9 C G", [9, 9]),
        ("T8 G G", [8, None]),
        ("T8 C G G", [8, 8, None]),
        ("G T8 C G T9 C", [8, 8, None, 9]),
        ("T8 C G T9 C", [8, None, 9]),
        ("G T8 G", [None, None]),
        ("G G T8 T9", [None, None]),
        ("G G T8", [None, None]),
        ("T8 T9 G", [None]),
        ("T8 O G", [None, None]),
        ("T8 C O", [8, None]),
        ("O G T8", [None, 8]),
    ],
)
def test_which_tree_is_whose(pieces, wanted):
    assert sizes(*pieces.split()) == wanted


def test_the_tree_above_the_code():
    one = "Linear(in_features=1, out_features=2, bias=True)"
    assert beside(TREE + CODE) == {
        "layers.0": LINEAR,
        "layers.act": "GELU(approximate='none')",
        "many.0": one,
        "many.1": one,
        "many.2": one,
        "layers": "Module(",
        "many": "ModuleList(",
        "own": "Own(",
        "own.fc": "Linear(in_features=3, out_features=3, bias=False)",
        "same": "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=same)",
    }


def test_a_tree_elsewhere_counts_where_it_knows_all_modules():
    text = f"{PRINTED}\nthe module:\n{TREE}\nand more\n"
    assert beside(text)["layers.0"] == LINEAR
    assert beside(text.replace("layers.0]", "layers.7]")) == {}
    assert beside(text.replace("and more", PRINTED)) == {}
    assert beside(text.replace("the module:", "one\ntwo\nthree\nfour")) == {}


def test_of_two_trees_none():
    assert beside(f"{PRINTED}\n{TREE}\nbefore\n{TREE.replace('out_features=8', 'out_features=9')}\n") == {}


def test_a_tree_that_is_cut():
    cut = TREE[: TREE.index("  (many)")]
    text = f"{PRINTED}\n{cut}"
    assert beside(text) == {
        "layers": "Module(",
        "layers.0": LINEAR,
        "layers.act": "GELU(approximate='none')",
    }


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
    assert beside(text) == {
        "fc": LINEAR,
        "conv": "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1))",
    }


def test_repeated_modules_in_repeated_modules_are_bounded():
    lines = [f"{'  ' * depth}(0-999): 1000 x Block(" for depth in range(1, 400)]
    text = f"{PRINTED}\nNet(\n" + "\n".join(lines) + "\n" + f"{'  ' * 400}(0-999): 1000 x ReLU()\n" * 2000
    assert beside(text) == {}


def test_many_trees_are_read_once_each():
    text = PRINTED + "\n" + "Net(\n  (a): B(\n" * 20_000
    assert beside(text) == {}
