"""Values that a forward graph saves for its backward graph, when both stand in one log."""

import json

from fxgraph.features.definition import definition
from fxgraph.features.saved import saved_in
from fxgraph.features.siblings import forward_names
from fxgraph.features.snapshot import Snapshot
from markers import marked

FORWARD = """
TRACED GRAPH
 ===== Forward graph {number} =====
 /site/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2]"):
        sin: "f32[2]" = torch.ops.aten.sin.default(primals_1)
        cos: "f32[2]" = torch.ops.aten.cos.default(primals_1);  primals_1 = None
        return (sin, cos)
"""
BACKWARD = """
TRACED GRAPH
 ===== Backward graph {number} =====
 <eval_with_key>.1 class GraphModule(torch.nn.Module):
    def forward(self, cos: "f32[2]", tangents_1: "f32[2]"):
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(tangents_1, cos);  tangents_1 = cos = None
        return (mul,)
"""


def logged(*messages: tuple[str, str]) -> str:
    """Messages as TORCH_LOGS prints them: a prefix on every line."""
    return "\n".join(
        f"V1129 17:00:19.472000 99 torch/_functorch/x.py:1] [{compile_id}] [__aot_graphs] {line}"
        for compile_id, message in messages
        for line in message.strip("\n").split("\n")
    )


def goes_to(log: str, words: str) -> list[tuple[int, str]]:
    text = marked("")
    text.text = log
    return text.show([found.target for found in definition(text.snapshot, log.rindex(words))])


def test_the_input_of_a_backward_graph():
    log = logged(("0/0", FORWARD.format(number=0)), ("0/0", BACKWARD.format(number=0)))
    assert goes_to(log, 'cos: "f32[2]", tangents_1') == [(6, "cos")]
    assert goes_to(log, "tangents_1: ") == [(11, "tangents_1")]


def test_a_read_goes_to_the_input_first():
    log = logged(("0/0", FORWARD.format(number=0)), ("0/0", BACKWARD.format(number=0)))
    assert goes_to(log, "cos);") == [(11, "cos")]


def test_the_forward_graph_of_the_same_compilation():
    log = logged(
        ("0/0", FORWARD.format(number=0)),
        ("0/1", FORWARD.format(number=1)),
        ("0/1", BACKWARD.format(number=1)),
        ("0/0", BACKWARD.format(number=0)),
    )
    assert goes_to(log, 'cos: "f32[2]", tangents_1') == [(6, "cos")]


def test_graphs_nested_in_the_forward_graph_are_none_of_their_own():
    body = """
        class body_0(torch.nn.Module):
            def forward(self, arg0_1: "f32[2]"):
                cos: "f32[2]" = torch.ops.aten.cos.default(arg0_1);  arg0_1 = None
                return (cos,)
    """
    log = logged(("0/0", FORWARD.format(number=0) + body.rstrip()), ("0/0", BACKWARD.format(number=0)))
    assert goes_to(log, 'cos: "f32[2]", tangents_1') == [(6, "cos")]


def test_after_inductors_passes_both_graphs_have_one_title():
    after = {
        "Forward graph {number}": "AFTER POST GRAD",
        "Backward graph {number}": "AFTER POST GRAD",
    }
    forward, backward = FORWARD, BACKWARD
    for title, other in after.items():
        forward, backward = forward.replace(title, other), backward.replace(title, other)
    log = logged(
        ("0/0", FORWARD.format(number=0)), ("0/0", forward), ("0/1", forward), ("0/1", backward), ("0/0", backward)
    )
    assert goes_to(log, 'cos: "f32[2]", tangents_1') == [(13, "cos")]


def test_of_two_runs_in_one_log_the_last_forward_above():
    run = (("0/0", FORWARD.format(number=0)), ("0/0", BACKWARD.format(number=0)))
    assert goes_to(logged(*run, *run), 'cos: "f32[2]", tangents_1') == [(19, "cos")]


def test_titles_of_a_trace():
    """A structured trace holds the same graph under several titles."""
    titles = {"aot_forward_graph": FORWARD, "aot_forward_graph_copy": FORWARD, "aot_backward_graph": BACKWARD}
    trace = "\n".join(f"{record(title)}\n{payload(message)}" for title, message in titles.items())
    assert goes_to(trace, 'cos: "f32[2]", tangents_1') == [(5, "cos")]


def record(title: str) -> str:
    """The line of a trace that announces a payload."""
    facts = {title: {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "ab"}
    return f"V1129 17:00:19.472000 99 torch/_logging/_internal.py:1] {json.dumps(facts)}"


def payload(message: str) -> str:
    """The graph of a message, indented by tabs as a payload is."""
    start = message.index("class ")
    return "\n".join("\t" + line for line in message[start:].rstrip().split("\n"))


def test_no_forward_graph_is_guessed():
    log = logged(
        ("0/0", FORWARD.format(number=0)), ("0/1", FORWARD.format(number=1)), ("0/2", BACKWARD.format(number=2))
    )
    assert goes_to(log, 'cos: "f32[2]", tangents_1') == [(18, "cos")]


UNTITLED = """
class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2]"):
        {other}: "f32[2]" = torch.ops.aten.sin.default(primals_1)
        return ({other}, {other}, primals_1)
class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[{size}]"):
        sin: "f32[{size}]" = torch.ops.aten.sin.default(primals_1)
        cos: "f32[{size}]" = torch.ops.aten.cos.default(primals_1);  primals_1 = None
        return (sin, cos)
class GraphModule(torch.nn.Module):
    def forward(self, cos: "f32[2]", tangents_1: "f32[2]"):
        mul: "f32[2]" = torch.ops.aten.mul.Tensor(tangents_1, cos);  tangents_1 = cos = None
        return (mul,)
"""


def test_of_untitled_graphs_the_forward_that_returns_the_values():
    assert goes_to(UNTITLED.format(other="exp", size=2), 'cos: "f32[2]", tangents_1') == [(9, "cos")]


def test_of_untitled_graphs_none_where_two_could_be_meant():
    assert goes_to(UNTITLED.format(other="cos", size=2), 'cos: "f32[2]", tangents_1') == [(12, "cos")]


def test_of_untitled_graphs_none_whose_values_have_another_type():
    assert goes_to(UNTITLED.format(other="exp", size=3), 'cos: "f32[2]", tangents_1') == [(12, "cos")]
    assert goes_to(UNTITLED.format(other="cos", size=3), 'cos: "f32[2]", tangents_1') == [(4, "cos")]


SAVES = "class GraphModule(torch.nn.Module):" + FORWARD.partition("class GraphModule(torch.nn.Module):")[2]
TAKES = "class GraphModule(torch.nn.Module):" + BACKWARD.partition("class GraphModule(torch.nn.Module):")[2]


def in_another_file(forward: str, backward: str, name: str = "cos") -> list[str]:
    """Names of the nodes that the forward graph of another file has saved for this input."""
    other = Snapshot(forward, "before_post_grad_graph_10.txt")
    snapshot = Snapshot(backward, "before_post_grad_graph_24.txt")
    graph = snapshot.dump.graphs[0]
    found = saved_in(other, snapshot, graph, snapshot.facts[0].definitions[name])
    return [] if found is None else [found[1].name]


def test_a_forward_graph_in_another_file():
    assert in_another_file(SAVES, TAKES) == ["cos"]
    assert in_another_file(SAVES, TAKES, "tangents_1") == []


def test_another_file_must_return_all_values_with_these_types():
    assert in_another_file(SAVES.replace("return (sin, cos)", "return (sin,)"), TAKES) == []
    assert in_another_file(SAVES.replace('cos: "f32[2]"', 'cos: "f32[3]"'), TAKES) == []
    assert in_another_file(SAVES + SAVES, TAKES) == []  # two could be meant


def test_inductor_gives_a_value_other_strides():
    printed = [text.replace('cos: "f32[2]"', f'cos: "f32[2][{n}]cpu"') for n, text in enumerate((SAVES, TAKES), 1)]
    assert in_another_file(*printed) == ["cos"]


FOLDER = [
    *("aot_backward_graph_8.txt", "aot_forward_graph_7.txt", "aot_forward_graph_17.txt", "aot_joint_graph_4.txt"),
    *(
        "before_post_grad_graph_10.txt",
        "before_post_grad_graph_24.txt",
        "model__0_forward_1.0",
        "model__0_backward_3.1",
    ),
    *("mlp.aot_forward.code.py", "mlp.aot_backward.code.py", "mlp.aot_forward.readable.py", "output_code.py"),
]


def test_names_of_files_that_may_hold_the_forward_graph():
    assert forward_names("aot_backward_graph_8.txt", FOLDER) == ["aot_forward_graph_7.txt", "aot_forward_graph_17.txt"]
    assert forward_names("before_post_grad_graph_24.txt", FOLDER) == ["before_post_grad_graph_10.txt"]
    assert forward_names("model__0_backward_3.1", FOLDER) == ["model__0_forward_1.0"]
    assert forward_names("mlp.aot_backward.code.py", FOLDER) == ["mlp.aot_forward.code.py"]
    assert forward_names("output_code.py", FOLDER) == []
