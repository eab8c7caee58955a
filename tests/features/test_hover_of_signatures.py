import pytest

from fxgraph.features.hover import hover
from fxgraph.features.markdown import plain
from markers import marked

PROGRAM = """
    ExportedProgram:
        class GraphModule(torch.nn.Module):
            def forward(self, p_w: "f32[2]", b_seen: "f32[2]", c_one: "f32[2]", token: "f32[0]", x: "f32[s17, 2]", y: "f32[2]"):
                add: "f32[2]" = torch.ops.aten.add.Tensor(b_seen, p_w)
                mul: "f32[s17, 2]" = torch.ops.aten.mul.Tensor(x, c_one)
                neg: "f32[2]" = torch.ops.aten.neg.default(y)
                return (add, neg, mul)

    Graph signature:
        # inputs
        p_w: PARAMETER target='fc.w'
        b_seen: BUFFER target='seen' persistent=True
        c_one: CONSTANT_TENSOR target='one'
        token: TOKEN
        x: USER_INPUT
        y: USER_INPUT

        # outputs
        add: BUFFER_MUTATION target='seen'
        neg: USER_INPUT_MUTATION target='y'
        mul: USER_OUTPUT

    Range constraints: {s17: VR[2, int_oo]}
"""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("p_w: \"", "Parameter fc.w of the exported module."),
        ("b_seen: \"", "Buffer seen of the exported module."),
        ("c_one: \"", "Constant one of the exported module."),
        ("token: \"", "A token that keeps effects in their order."),
        ("x: \"f32[s17", "An input of the user's."),
        ("x: \"f32[s17", "s17 lies in [2, int_oo]."),
        ("f32[s17, 2]\" =", "s17 lies in [2, int_oo]."),
        ("add: \"", "Returned as the new value of the buffer seen."),
        ("neg: \"", "Returned as the new value of the input y."),
        ("mul: \"", "Returned as an output of the user's."),
        ("return (", "- add (line 4): f32[2], 8 B, the new value of the buffer seen"),
        ("return (", "- neg (line 6): f32[2], 8 B, the new value of the input y"),
    ],
)  # fmt: skip
def test_what_a_signature_says(words, says):
    text = marked(PROGRAM)
    assert says in plain(hover(text.snapshot, text.at(words)).markdown).split("\n")


def test_without_a_signature_nothing_is_said():
    text = marked(PROGRAM.partition("Graph signature")[0])
    told = plain(hover(text.snapshot, text.at('p_w: "')).markdown)
    assert "exported module" not in told
    assert "lies in" not in plain(hover(text.snapshot, text.at('f32[s17, 2]" =')).markdown)
