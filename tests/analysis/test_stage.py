import pytest

from analysis.checks import facts_in, facts_in_one
from analysis.test_level import graph_of
from fxgraph.analysis import Stage

EXP = "torch.ops.aten.exp.default"


def stage(*targets, path=None, inputs=("x",), returns=None):
    return facts_in_one(graph_of(*targets, inputs=inputs, returns=returns or inputs[0]), path).stage


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mlp.symbolic.graph.fxgraph", "symbolic_trace"),
        ("mlp.dynamo1.graph.fxgraph", "dynamo"),
        ("-_0_0_0/dynamo_output_graph_1.txt", "dynamo"),
        ("before_pre_grad_graph_2.txt", "pre_grad"),
        ("after_pre_grad_graph_3.txt", "pre_grad"),
        ("inductor_pre_grad_graph_3.txt", "pre_grad"),
        ("optimize_ddp_split_graph_5.txt", "dynamo"),
        ("optimize_ddp_split_child_submod_0_6.txt", "dynamo"),
    ],
)
def test_torch_stages_by_file_name(file, name):
    assert stage("torch.relu", path=f"/data/{file}") == Stage(name, f"the file name {file.split('/')[-1]}")
    assert stage(EXP, path=f"/data/{file}") is None  # an aten graph cannot be one, whatever its file is called


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("aot_joint_graph_4.txt", "aot_joint"),
        ("aot_forward_graph_7.txt", "aot_forward"),
        ("mlp.aot_backward.graph.fxgraph", "aot_backward"),
        ("aot_inference_graph_5.txt", "aot_inference"),
        ("before_post_grad_graph_10.txt", "post_grad"),
        ("after_post_grad_graph_10.txt", "post_grad"),
        ("inductor_post_grad_graph_11.txt", "post_grad"),
        ("fx_graph_transformed.py", "post_grad"),
        ("before_joint_graph_7.txt", "aot_inference"),  # torch writes the two of inference graphs alone
        ("after_joint_graph_8.txt", "aot_inference"),
        ("aot_inference_graph_after_hop_passes_6.txt", "aot_inference"),
        ("min_cut_failed_fx_graph_5.txt", "aot_joint"),
        ("exported_program_3.txt", "export"),
        ("C:\\dumps\\mlp.export.graph.fxgraph", "export"),
        ("mlp.export_decomp.graph.fxgraph", "export"),
    ],
)
def test_aten_stages_by_file_name(file, name):
    assert stage(EXP, path=file).name == name
    assert stage("torch.relu", path=file) is None


@pytest.mark.parametrize(
    "file",
    [
        "fx_graph_readable.py",
        "fx_graph_runnable_9.txt",
        "inductor_output_code_cnby_12.txt",
        "compiled_autograd_graph_7.txt",
        "graph_diff.txt",
    ],
)
def test_file_names_that_tell_no_stage(file):
    assert stage(EXP, path=file) is None
    assert stage("torch.relu", path=file) is None


@pytest.mark.parametrize("file", ["compiled_autograd_graph_7.txt", "optimize_ddp_split_graph_5.txt"])
def test_file_names_that_are_a_sign_of_dynamo(file):
    half_lowered = graph_of("torch.relu", EXP, EXP)
    assert facts_in_one(half_lowered).level.name == "mixed"
    assert facts_in_one(half_lowered, file).level.name == "torch"


def test_a_folder_proves_nothing():
    assert stage(EXP, path="/home/export.d/aot_forward/net.fxgraph") is None


def test_stages_by_inputs():
    assert stage("torch.relu", inputs=("l_x_",)) == Stage("dynamo", "the input l_x_")
    assert stage(EXP, inputs=("primals_1", "primals_2")).name == "aot_forward"
    assert stage(EXP, inputs=("primals_1", "relu", "tangents_1")).name == "aot_backward"
    assert stage(EXP, inputs=("primals_2", "tangents_1")).name == "aot_backward"
    assert stage(EXP, inputs=("p_fc_weight", "b_shift", "x")).name == "export"
    joint = stage(EXP, inputs=("primals_1", "tangents_1"), returns="[n0, tangents_1]")
    assert joint == Stage("aot_joint", "the input tangents_1, all primals, and more outputs than primals")


def test_thin_evidence_is_none():
    assert stage(EXP) is None
    assert stage(EXP, inputs=("arg0_1",)) is None
    assert stage(EXP, inputs=("l_x_",)) is None
    assert stage(EXP, inputs=("primals_1", "tangents_1")) is None
    assert stage("#fc") is None
    assert stage("torch.relu") is None


def test_stages_by_opcodes():
    assert stage("#fc", ".relu").name == "symbolic_trace"
    assert stage(EXP, "#_guards_fn").name == "export"
    assert stage("executorch.exir.dialects.edge._ops.aten.exp.default").name == "edge"


def test_an_inference_graph_needs_lines_of_source():
    text = """
        class <lambda>(torch.nn.Module):
            def forward(self, arg0_1: "f32[2]"):
                # {} code: return x.exp()
                exp: "f32[2]" = torch.ops.aten.exp.default(arg0_1);  arg0_1 = None
                return (exp,)
    """
    assert facts_in_one(text.replace("{}", "File: net.py:4 in forward,")).stage.name == "aot_inference"
    assert facts_in_one(text).stage is None


def test_a_fragment_has_no_inputs_of_its_graph():
    assert facts_in_one("""
        # Graph fragment:
        #   %primals_1 : Tensor "f32[4][1]cuda:0" = PlaceHolder[target=primals_1]
        #   %exp : [num_users=7] = call_function[target=torch.ops.aten.exp.default](args = (%primals_1,), kwargs = {})
        #   return %exp
    """).stage is None  # fmt: skip


LOG = """
    I0101 12:00:00.000000 1 t/x.py:1] [0/0] [__aot_graphs] TRACED GRAPH
    I0101 12:00:00.000000 1 t/x.py:1] [0/0] [__aot_graphs]  ===== TITLE =====
    I0101 12:00:00.000000 1 t/x.py:1] [0/0] [__aot_graphs]  /t/x.py class GraphModule(torch.nn.Module):
    I0101 12:00:00.000000 1 t/x.py:1] [0/0] [__aot_graphs]     def forward(self, arg0_1: "f32[2]"):
    I0101 12:00:00.000000 1 t/x.py:1] [0/0] [__aot_graphs]         exp: "f32[2]" = torch.ops.aten.exp.default(arg0_1)
    I0101 12:00:00.000000 1 t/x.py:1] [0/0] [__aot_graphs]         return (exp, arg0_1)
"""


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Forward graph 0", "aot_inference"),
        ("Backward graph 3", "aot_backward"),
        ("Joint graph 0", "aot_joint"),
        ("BEFORE PRE GRAD", "pre_grad"),
        ("AFTER POST GRAD", "post_grad"),
        ("__compiled_fn_1_5d5a", "dynamo"),
    ],
)
def test_stages_by_title(title, name):
    (facts,) = facts_in(LOG.replace("TITLE", title))
    assert facts.stage.name == name
    assert title in facts.stage.evidence


def test_an_exported_program():
    (facts,) = facts_in("""
        ExportedProgram:
            class GraphModule(torch.nn.Module):
                def forward(self, x: "f32[3, 4]"):
                    exp: "f32[3, 4]" = torch.ops.aten.exp.default(x);  x = None
                    return (exp,)

        Graph signature:
            # inputs
            x: USER_INPUT

            # outputs
            exp: USER_OUTPUT

        Range constraints: {}
    """)
    assert facts.stage == Stage("export", "the ExportedProgram around it")
