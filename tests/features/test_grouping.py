from pathlib import Path

from fxgraph.features.folding import folds
from fxgraph.features.grouping import Run, grouping_of
from fxgraph.features.snapshot import Snapshot
from fxgraph.features.symbols import symbols

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = sorted(path for path in FIXTURES.glob("2.*/*") if path.is_file())


def layer(number: int, value: str, activation: str = "relu") -> tuple[str, str]:
    """Four nodes of a layer that read its two parameters, and the name of the last."""
    inputs = "".join(
        f"    %p_layers_{number}_{name} : [num_users=1] = placeholder[target=L_self_modules_layers_modules_{number}_modules_fc_parameters_{name}_]\n"
        for name in ("weight", "bias")
    )
    call = "call_function[target=torch.ops.aten"
    nodes = (
        f"    %t_{number} : [num_users=1] = {call}.t.default](args = (%p_layers_{number}_weight,), kwargs = {{}})\n"
        f"    %act_{number} : [num_users=1] = {call}.{activation}.default](args = (%{value},), kwargs = {{}})\n"
        f"    %mm_{number} : [num_users=1] = {call}.addmm.default](args = (%p_layers_{number}_bias, %act_{number}, %t_{number}), kwargs = {{}})\n"
        f"    %add_{number} : [num_users=1] = {call}.add.Tensor](args = (%mm_{number}, 1), kwargs = {{}})\n"
    )
    return inputs, nodes


def model(count: int, odd: int | None = None) -> Snapshot:
    inputs, nodes, value = "    %x : [num_users=1] = placeholder[target=L_x_]\n", "", "x"
    for number in range(count):
        more, body = layer(number, value, "gelu" if number == odd else "relu")
        inputs, nodes, value = inputs + more, nodes + body, f"add_{number}"
    return Snapshot(f"graph():\n{inputs}{nodes}    return {value}\n")


def shown(snapshot: Snapshot):
    found = grouping_of(snapshot.dump.graphs[0])
    return None if found is None else (found.grounds, [(part.label, part.words) for part in found.parts])


def test_layers_that_look_the_same_are_one_run():
    assert shown(model(8)) == (
        ["names of parameters"],
        [("layers.0 ... layers.7", "8 times the same: 3 nodes")],
    )


def test_a_layer_that_differs_parts_the_run():
    assert shown(model(8, odd=3)) == (
        ["names of parameters"],
        [
            ("layers.0 ... layers.2", "3 times the same: 3 nodes"),
            ("layers.3", "3 nodes (2 told, 1 between)"),
            ("layers.4 ... layers.7", "4 times the same: 3 nodes"),
        ],
    )


def test_a_small_graph_has_no_groups():
    assert shown(model(2)) is None


def test_names_that_tell_nothing_give_no_groups():
    text = model(8).text
    for number in range(8):
        for name in ("weight", "bias"):
            text = text.replace(
                f"L_self_modules_layers_modules_{number}_modules_fc_parameters_{name}_", f"primals_{number}"
            )
    assert shown(Snapshot(text)) is None


def test_calls_of_modules_and_no_claim_about_what_they_compute():
    nodes = "".join(
        f"    %m_{number} : [num_users=1] = call_module[target=seq.{number}](args = (%{'x' if number == 0 else f'm_{number - 1}'},), kwargs = {{}})\n"
        for number in range(20)
    )
    text = f"graph():\n    %x : [num_users=1] = placeholder[target=x]\n{nodes}    return m_19\n"
    grounds, parts = shown(Snapshot(text))
    assert grounds == ["call_module targets"]
    assert parts == [(f"seq.{number}", "1 node") for number in range(20)]


def test_the_signature_of_an_exported_program():
    text = (FIXTURES / "2.13.0" / "block.export.program.txt").read_text()
    grounds, parts = shown(Snapshot(text))
    assert grounds == ["the signature"]
    assert [label for label, _ in parts] == ["norm_1", "qkv", "out", "norm_2", "mlp.0", "mlp.2"]


LINES = """\
def forward(self, primals_1, primals_2):
{body}    return (last,)
"""
TURN = """\
    # File: /home/me/net.py:7 in forward, code: x = self.act(x)
    relu_{n} = torch.ops.aten.relu.default({before});  {before} = None
    neg_{n} = torch.ops.aten.neg.default(relu_{n});  relu_{n} = None

    # File: /home/me/net.py:9 in forward, code: x = x + 1
    add_{n} = torch.ops.aten.add.Tensor(neg_{n}, 1);  neg_{n} = None

"""


def by_lines(turns: int) -> Snapshot:
    body = "".join(TURN.format(n=n, before=f"add_{n - 1}" if n else "primals_1") for n in range(turns))
    end = "    # File: /home/me/net.py:11 in forward, code: return x.exp()\n"
    end += f"    last = torch.ops.aten.exp.default(add_{turns - 1});  add_{turns - 1} = None\n"
    return Snapshot(LINES.format(body=body + end))


def test_source_lines_where_nothing_names_submodules():
    assert shown(by_lines(8)) == (
        ["`# File` lines"],
        [
            ("net.py:7: x = self.act(x) ... net.py:9: x = x + 1", "8 times the same: 2 lines, 3 nodes"),
            ("net.py:11: return x.exp()", "1 node"),
        ],
    )


def nodes_in(symbol):
    names = []
    assert len(symbol.children) == len(list(symbol.children))
    for child in symbol.children:
        assert symbol.span.start <= child.span.start <= child.name_span.start
        assert child.name_span.end <= child.span.end <= symbol.span.end
        names += nodes_in(child) if child.kind in ("group", "run") else [child.name]
    return names


def test_the_outline_holds_every_node_once_whatever_the_groups():
    for snapshot in (model(8), model(8, odd=3), by_lines(8)):
        [graph] = snapshot.dump.graphs
        [root] = symbols(snapshot)
        assert nodes_in(root) == [node.name for node in graph.nodes]
        assert root.children[-1].name == "output"


def test_the_outline_tells_the_ground():
    [root] = symbols(model(8))
    [run] = [child for child in root.children if child.kind == "run"]
    assert (run.name, run.detail) == (
        "layers.0 ... layers.7",
        "8 times the same: 3 nodes, by names of parameters",
    )
    first = run.children[0]
    assert (first.name, first.detail) == ("layers.0", "3 nodes (2 told, 1 between), by names of parameters")
    assert [child.name for child in first.children] == ["t_0", "act_0", "mm_0"]


def test_submodules_fold_and_no_two_folds_cross():
    snapshot = model(8)
    line = snapshot.lines.line_of
    found = [(line(fold.span.start), line(fold.span.end)) for fold in folds(snapshot) if fold.kind == "module"]
    assert found[:2] == [(18, 48), (18, 20)]
    assert len(found) == 9


def test_folds_of_real_dumps_never_cross():
    for path in FILES[::3]:
        snapshot = Snapshot(path.read_bytes().decode(), str(path))
        # graphs of several compilations in a log may lie between each other: only folds of one graph are looked at
        for graph in snapshot.dump.graphs:
            around = graph.span()
            spans = sorted(
                (fold.span.start, -fold.span.end)
                for fold in folds(snapshot)
                if fold.kind in ("module", "source") and around.start <= fold.span.start and fold.span.end <= around.end
            )
            ends = []
            for start, end in spans:
                while ends and ends[-1] <= start:
                    ends.pop()
                assert not ends or -end <= ends[-1], path
                ends.append(-end)


def test_runs_are_stretches_of_the_graph():
    for path in FILES:
        for graph in Snapshot(path.read_bytes().decode(), str(path)).dump.graphs:
            found = grouping_of(graph)
            at = 0
            for part in found.parts if found else ():
                for group in part.groups if isinstance(part, Run) else [part]:
                    assert at <= group.start < group.end <= len(graph.nodes)
                    assert 0 < group.grounded <= group.end - group.start
                    at = group.end
