import ast
from pathlib import Path

import pytest

from fxgraph.features.snapshot import Snapshot
from fxgraph.features.views import VIEWS, nothing
from fxgraph.graph import OUTPUT
from markers import marked

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = sorted(path for path in FIXTURES.glob("2.*/*") if path.is_file())


def check_view(kind: str, source: str, expected: str) -> None:
    text = marked(source)
    written = VIEWS[kind](text.snapshot, text.snapshot.dump.graphs[0], nothing)
    assert written.text == marked(expected).text


PRINTED = """
graph():
    %l_x_ : [num_users=2] = placeholder[target=L_x_]
    %w : [num_users=1] = get_attr[target=layers.0.weight]
    %mm : Tensor "f32[2, 4]"[num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%l_x_, %w), kwargs = {})
    %fc : [num_users=2] = call_module[target=layers.1](args = (%mm,), kwargs = {})
    %view : [num_users=1] = call_method[target=view](args = (%fc, [-1, 2]), kwargs = {})
    %size : [num_users=1] = call_function[target=builtins.getattr](args = (%l_x_, shape), kwargs = {})
    %item : [num_users=1] = call_function[target=operator.getitem](args = (%size, (slice(None, 2, None), Ellipsis)), kwargs = {})
    %add : [num_users=1] = call_function[target=operator.add](args = (%view, 1), kwargs = {})
    %div : [num_users=1] = call_function[target=torch.div](args = (%add, %item), kwargs = {rounding_mode: floor, dtype: torch.float32, device: cuda:0})
    return (div, fc)
"""
READABLE = """
class GraphModule(torch.nn.Module):
    def forward(self, L_x_):
        l_x_ = L_x_
        w = getattr(self.layers, "0").weight
        mm: "f32[2, 4]" = torch.ops.aten.mm.default(l_x_, w);  w = None
        fc = getattr(self.layers, "1")(mm);  mm = None
        view = fc.view([-1, 2])
        size = l_x_.shape;  l_x_ = None
        item = size[(slice(None, 2, None), Ellipsis)];  size = None
        add = view + 1;  view = None
        div = torch.div(add, item, rounding_mode = 'floor', dtype = torch.float32, device = device(type='cuda', index=0));  add = item = None
        return (div, fc)
"""


def test_print_graph_as_code():
    check_view("readable", PRINTED, READABLE)


def test_code_as_print_graph():
    check_view("graph_str", READABLE, PRINTED)


@pytest.mark.parametrize(
    "returned", ["(x,)", "x", "[x, None]", "({'a': x},)", "(x, {'stacked': [x], 'none': 'two words'})", "((x,), -1.5)"]
)
def test_what_print_graph_returns_is_python(returned):
    check_view(
        "readable",
        f"""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            return {returned}
        """,
        f"""
        class GraphModule(torch.nn.Module):
            def forward(self, x):
                return {returned}
        """,
    )


CODE_OF_TORCH = [
    (path, code)
    for path in sorted(FIXTURES.glob("2.*/*.graph.fxgraph"))
    if (code := path.with_name(path.name.replace(".graph.fxgraph", ".code.py"))).exists()
]


@pytest.mark.parametrize(("path", "code"), CODE_OF_TORCH[::5], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_print_graph_as_code_is_the_code_that_torch_writes(path, code):
    """But for what no longer stands in print(graph): `+=`, item assignment, and out_spec."""

    def statements(file: Path) -> list[str]:
        snapshot = Snapshot(file.read_text(), str(file))
        lines = VIEWS["readable"](snapshot, snapshot.dump.graphs[0]).text.replace('"', "'").split("\n")
        return [line.split(";  ")[0].strip() for line in lines]

    pairs = list(zip(statements(path), statements(code), strict=True))
    odd = [
        (ours, theirs)
        for ours, theirs in pairs[2:]
        if ours != theirs and "_operator_" not in ours and "self._out_spec" not in theirs
    ]
    assert not odd


def test_code_keeps_its_source_lines():
    source = """
        def forward(self, x: "f32[2]", y = None):
            # File: net.py:3 in forward, code: return x.relu()
            relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
            return (relu,)
    """
    check_view(
        "readable",
        source,
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]", y):

                # File: net.py:3 in forward, code: return x.relu()
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                return (relu,)
        """,
    )
    check_view(
        "graph_str",
        source,
        """
        graph():
            %x : Tensor "f32[2]"[num_users=1] = placeholder[target=x]
            %y : [num_users=0] = placeholder[target=y](default=None)
            %relu : Tensor "f32[2]"[num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
            return (relu,)
        """,
    )


def test_table():
    check_view(
        "table",
        PRINTED.replace("torch.div", "my::op"),
        """
        opcode         name    target                     shape   dtype  users
        -------------  ------  -------------------------  ------  -----  -----
        placeholder    l_x_    L_x_                                      2
        get_attr       w       layers.0.weight                           1
        call_function  mm      torch.ops.aten.mm.default  (2, 4)  f32    1
        call_module    fc      layers.1                                  2
        call_method    view    view                                      1
        call_function  size    builtins.getattr                          1
        call_function  item    operator.getitem                          1
        call_function  add     operator.add                              1
        call_function  div     my::op                                    1
        output         output  output
        """,
    )


def test_a_log_without_its_prefixes():
    log = """\
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code] TRACED GRAPH
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]  def forward(self, x):
W0102 03:04:05.000000 7 torch/other.py:1] something else
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]     relu = torch.relu(x);  x = None
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]     return relu
"""
    snapshot = Snapshot(log)
    [graph] = snapshot.dump.graphs
    written = VIEWS["bare"](snapshot, graph, nothing)
    assert "def forward(self, x):\n    relu = torch.relu(x);  x = None\n    return relu\n" in written.text
    lines, shown = log.split("\n"), written.text.split("\n")
    for line, source in zip(shown, written.sources, strict=False):
        assert lines[source].endswith(line)
    line, column = written.places[1]
    assert shown[line][column:].startswith("relu = ")


def test_lines_lead_back():
    text = marked(PRINTED)
    snapshot = text.snapshot
    written = VIEWS["readable"](snapshot, snapshot.dump.graphs[0], nothing)
    shown, lines = written.text.split("\n"), text.text.split("\n")
    for node in snapshot.dump.graphs[0].nodes:
        line, column = written.places[node.index]
        word = "return" if node.opcode == OUTPUT else node.name
        assert shown[line][column:].startswith(word)
        assert word in lines[written.sources[line]]


def shape(graph, users):
    return [(node.opcode, [user.index for user in users[node.index]]) for node in graph.nodes]


@pytest.mark.parametrize("kind", ["graph_str", "readable"])
def test_a_view_reads_back_to_the_same_nodes_and_users(kind):
    for path in FILES:
        snapshot = Snapshot(path.read_bytes().decode(), str(path))
        for graph in snapshot.dump.graphs:
            written = VIEWS[kind](snapshot, graph, nothing)
            again = Snapshot(written.text)
            [view] = again.dump.graphs
            assert view.form == kind
            expected = shape(graph, snapshot.facts[graph.index].links.users)
            assert shape(view, again.facts[0].links.users) == expected, (path, graph)
            # `input` and the like are renamed in code, as torch does
            names = [(old.name, new.name) for old, new in zip(graph.nodes, view.nodes, strict=True)]
            assert all(old == new or new == f"{old}_1" for old, new in names), path
            if graph.form != "tabular":  # a table names functions by their Python objects
                assert [node.target for node in view.nodes] == [node.target for node in graph.nodes], path
            lines = written.text.split("\n")
            assert len(written.sources) == len(lines) - 1
            for node in graph.nodes:
                line, column = written.places[node.index]
                assert lines[line][column:].startswith(node.name) or node.opcode == OUTPUT or kind == "readable"
            if kind == "readable" and graph.is_whole and graph.form != "tabular":
                ast.parse(written.text)


def test_every_table_and_bare_text_has_all_nodes():
    for path in FILES[::5]:
        snapshot = Snapshot(path.read_bytes().decode(), str(path))
        for graph in snapshot.dump.graphs:
            for kind in ("table", "bare"):
                written = VIEWS[kind](snapshot, graph, nothing)
                lines = written.text.split("\n")
                for node in graph.nodes:
                    if node.opcode != OUTPUT:
                        line, column = written.places[node.index]
                        assert lines[line][column:].startswith(node.name)


def test_a_return_over_several_lines():
    source = """
        class G(torch.nn.Module):
            def forward(
                self,
                x: "f32[2]",  # PlainAOTInput(idx=0)
            ):
                neg: "f32[2]" = torch.ops.aten.neg.default(x);  x = None
                return (
                    neg,  # PlainAOTOutput(idx=0)
                    'a  #b',
                )
        """
    text = marked(source)
    for kind in ("graph_str", "readable"):
        written = VIEWS[kind](text.snapshot, text.snapshot.dump.graphs[0], nothing)
        assert written.text.split("\n")[-2].strip() == "return ( neg, 'a  #b', )"
