import re

from features.test_saved import logged
from fxgraph.features.hints import ARGUMENT_NAMES, INPUTS, LAST_USES, TYPES, hints
from fxgraph.features.snapshot import Snapshot
from markers import marked

DYNAMO = """
TRACED GRAPH
 ===== __compiled_fn_1 =====
 /site/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[2]", L_self_modules_fc_parameters_weight_: "{weight}"):
        l_x_ = L_x_
        l_self_modules_fc_parameters_weight_ = L_self_modules_fc_parameters_weight_
        y: "f32[3]" = torch.nn.functional.linear(l_x_, l_self_modules_fc_parameters_weight_)
        return (y,)
"""
FORWARD = """
TRACED GRAPH
 ===== Forward graph 0 =====
 /site/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2][1]cpu", primals_2: "f32[3, 2][2, 1]cpu"):
        mv: "f32[3][1]cpu" = torch.ops.aten.mv.default(primals_2, primals_1);  primals_2 = None
        return (mv, primals_1)
"""
BACKWARD = """
TRACED GRAPH
 ===== Backward graph 0 =====
 <eval_with_key>.1 class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2][1]cpu", tangents_1: "f32[3][1]cpu"):
        mul: "f32[3, 2][2, 1]cpu" = torch.ops.aten.outer.default(tangents_1, primals_1)
        return (None, mul)
"""


def input_hints(text: str) -> list[tuple[str, str]]:
    """Hints about inputs, each with the name in front of it."""
    return [(re.findall(r"\w+$", text[: hint.offset])[0], hint.text) for hint in hints(Snapshot(text), [INPUTS])]


def test_inputs_by_the_graph_of_dynamo():
    log = logged(("0/0", DYNAMO.format(weight="f32[3, 2]")), ("0/0", FORWARD), ("0/0", BACKWARD))
    assert input_hints(log) == [
        ("primals_1", "= L_x_"),
        ("primals_2", "= L_self_modules_fc_parameters_weight_"),
        ("primals_1", "= L_x_"),
    ]


def test_another_type_another_number_or_another_compilation_prove_nothing():
    graph = DYNAMO.format(weight="f32[3, 2]")
    assert input_hints(logged(("0/0", DYNAMO.format(weight="f32[2, 3]")), ("0/0", FORWARD))) == []
    assert input_hints(logged(("0/0", DYNAMO.format(weight="Sym(s0)")), ("0/0", FORWARD))) == []
    assert input_hints(logged(("0/0", FORWARD), ("0/0", graph))) == []  # of a later compilation under the same id
    assert input_hints(logged(("0/1", graph), ("0/0", FORWARD))) == []
    third = FORWARD.replace('cpu"):', 'cpu", primals_3: "f32[2]"):')
    assert input_hints(logged(("0/0", graph), ("0/0", third))) == []
    gap = FORWARD.replace("primals_2", "primals_3")
    assert input_hints(logged(("0/0", graph), ("0/0", gap))) == []


def test_comments_that_tell_another_order_than_the_names():
    expanded = """
TRACED GRAPH
 ===== Forward graph 0 =====
 /site/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):
    def forward(
        self,
        primals_1: "f32[2]",  # PlainAOTInput(idx={first})
        primals_2: "f32[3, 2]",  # PlainAOTInput(idx={second})
    ):
        mv: "f32[3]" = torch.ops.aten.mv.default(primals_2, primals_1);  primals_2 = None
        return (mv, primals_1)
"""
    graph = DYNAMO.format(weight="f32[3, 2]")
    same = logged(("0/0", graph), ("0/0", expanded.format(first=0, second=1)))
    assert [text for _, text in input_hints(same)] == ["= L_x_", "= L_self_modules_fc_parameters_weight_"]
    other = logged(("0/0", graph), ("0/0", expanded.format(first=1, second=0)))
    assert [text for _, text in input_hints(other)] == ["= input 1", "= input 0"]


def test_two_different_graphs_of_dynamo_prove_nothing():
    graph = DYNAMO.format(weight="f32[3, 2]")
    assert len(input_hints(logged(("0/0", graph), ("0/0", graph), ("0/0", FORWARD)))) == 2
    assert input_hints(logged(("0/0", graph), ("0/0", graph.replace("L_x_", "L_z_")), ("0/0", FORWARD))) == []


def test_inputs_by_their_comments():
    text = marked("""
        class GraphModule(torch.nn.Module):
            def forward(
                self,
                primals_1: "f32[8, 6]",  # PlainAOTInput(idx=4)
                tangents_1: "f32[8]",  # TangentAOTInput(output=PlainAOTOutput(idx=0))
                primals_2: "f32[8]"  # PlainAOTInput(idx=0)
            ):
                add: "f32[8]" = torch.ops.aten.add.Tensor(primals_2, primals_2)
                return (add,)
    """).text
    assert input_hints(text) == [("primals_1", "= input 4"), ("primals_2", "= input 0")]


def test_inputs_by_comments_above_the_line_that_unpacks_them():
    text = marked("""
        class inner_f(torch.nn.Module):
            def forward(
                self,
                primals,
                tangents,
            ):
                primals_1: "f32[8]"  # PlainAOTInput(idx=3)
                tangents_1: "f32[8]"  # TangentAOTInput(output=PlainAOTOutput(idx=0))
                primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)
                add: "f32[8]" = torch.ops.aten.add.Tensor(primals_1, tangents_1)
                return (add,)
    """).text
    assert input_hints(text) == [("primals_1", "= input 3")]


def test_inputs_by_a_signature():
    text = """\
ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_fc_weight: "f32[3, 2]", x: "f32[2]"):
             # File: m.py:3 in forward, code: return self.fc(x)
            mv: "f32[3]" = torch.ops.aten.mv.default(p_fc_weight, x);  p_fc_weight = x = None
            return (mv,)

Graph signature:
    # inputs
    p_fc_weight: PARAMETER target='fc.weight'
    x: USER_INPUT

    # outputs
    mv: USER_OUTPUT

Range constraints: {}
"""
    assert input_hints(text) == [("p_fc_weight", "= fc.weight")]
    assert [hint.ground for hint in hints(Snapshot(text), [INPUTS])] == ["the graph's signature"]


GRAPH = """\
graph():
    %x : [num_users=2] = placeholder[target=x]
    %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%x, [1], True), kwargs = {dtype: torch.float32})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %sum_1), kwargs = {alpha: 2})
    %cat : [num_users=1] = call_function[target=torch.ops.aten.cat.default](args = ([%add, %add], 1), kwargs = {})
    return (cat,)
"""


def shown(text: str, *wanted: str) -> list[str]:
    """The lines that have hints, with the hints between `⟨` and `⟩`."""
    for hint in reversed(hints(Snapshot(text), wanted)):
        text = f"{text[: hint.offset]}⟨{hint.text}⟩{text[hint.offset :]}"
    return [line.strip() for line in text.split("\n") if "⟨" in line]


def test_last_uses_in_print_graph():
    assert [line[line.index("⟨") :] for line in shown(GRAPH, LAST_USES)] == [
        "⟨;  x = sum_1 = None⟩",
        "⟨;  add = None⟩",
    ]
    assert shown(GRAPH.replace("    return (cat,)\n", ""), LAST_USES) == []  # what is missing may read them


def test_names_of_literal_arguments():
    lines = shown(GRAPH, ARGUMENT_NAMES)
    assert [line[line.index("args = ") :] for line in lines] == [
        "args = (%x, ⟨dim:⟩[1], ⟨keepdim:⟩True), kwargs = {dtype: torch.float32})",
        "args = ([%add, %add], ⟨dim:⟩1), kwargs = {})",
    ]


def test_names_of_literal_arguments_in_generated_code():
    text = """\
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[2]"):
        sum_1: "f32[1]" = torch.ops.aten.sum.dim_IntList(x, [0], keepdim = True);  x = None
        return (sum_1,)
"""
    [line] = shown(text, ARGUMENT_NAMES)
    assert "(x, ⟨dim:⟩[0], keepdim = True)" in line


def test_types_that_are_known_from_elsewhere_stand_where_none_is_printed():
    snapshot = Snapshot(GRAPH.replace("%add : ", '%add : Tensor "f32[2]" '))
    types = {0: "f32[2, 2]", 1: "f32[2, 1]", 2: "f32[2, 2]", 4: "f32[2, 4]"}
    assert hints(snapshot, [TYPES]) == []
    snapshot.known_types = lambda graph: (types, "torch computes it")
    found = hints(snapshot, [TYPES])
    told = [(snapshot.text[: hint.offset].rsplit("%", 1)[1], hint.text, hint.ground) for hint in found]
    assert told == [
        ("x", ": f32[2, 2]", "torch computes it"),
        ("sum_1", ": f32[2, 1]", "torch computes it"),
    ]


def test_a_range_has_the_hints_of_its_lines():
    snapshot = Snapshot(GRAPH)
    start = GRAPH.index("    %cat")
    assert [hint.text for hint in hints(snapshot, [LAST_USES, ARGUMENT_NAMES], start)] == ["dim:", ";  add = None"]


def test_text_of_a_dump_stays_one_short_line_in_a_hint():
    snapshot = Snapshot(GRAPH)
    snapshot.known_types = lambda graph: ({0: "a\nb" + "c" * 500}, "")
    found = hints(snapshot, [TYPES])
    assert [(len(hint.text) < 130, "\n" in hint.text) for hint in found] == [(True, False)]
