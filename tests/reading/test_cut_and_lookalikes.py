"""A cut dump is not judged as a whole one, and a program that somebody wrote is no dump."""

from textwrap import dedent

import pytest

from features_of import codes, graphs_of

FORWARD = """
class GraphModule(torch.nn.Module):
    def forward(self, primals_1: "f32[2]", primals_2: "f32[2]"):
        relu: "f32[2]" = torch.ops.aten.relu.default(primals_1)
        add: "f32[2]" = torch.ops.aten.add.Tensor(relu, primals_2);  primals_2 = None
        return (add, relu, primals_1)
"""
PRINTED = """
graph():
    %primals_1 : [num_users=2] = placeholder[target=primals_1]
    %relu : [num_users=2] = call_function[target=torch.ops.aten.relu.default](args = (%primals_1,), kwargs = {})
    %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%relu,), kwargs = {})
    return (neg, relu, primals_1)
"""


@pytest.mark.parametrize("text", [FORWARD, PRINTED, FORWARD.split("\n", 2)[2]])
def test_every_cut_of_the_return_line(text):
    text = text.strip("\n")
    whole = text.rindex("return")
    for end in range(whole + len("return ("), len(text)):
        assert codes(text[:end]) <= {"FX002"}, text[whole:end]
        assert [node.name for node in graphs_of(text[:end])[0].nodes] == [
            node.name for node in graphs_of(text)[0].nodes[:-1]
        ]


@pytest.mark.parametrize("behind", ["", "\n", "\n\nThat is all.\n"])
def test_a_whole_return_line_is_not_taken_for_a_cut_one(behind):
    for text in (FORWARD, PRINTED):
        assert codes(text.rstrip("\n") + behind) == set()
        assert graphs_of(text.rstrip("\n") + behind)[0].nodes[-1].opcode == "output"


def test_a_single_returned_name_that_breaks_off():
    assert codes("graph():\n    %relu_1 : [num_users=1] = placeholder[target=x]\n    return relu") == {"FX002"}
    assert codes("graph():\n    %relu_1 : [num_users=1] = placeholder[target=x]\n    return relu\n") == {
        "FX101",
        "FX104",
    }


def test_every_cut_of_the_names_set_to_none():
    line = "        mul = torch.ops.aten.mul.Tensor(add, relu);  add = relu = None"
    text = FORWARD.strip("\n").rsplit("\n", 1)[0] + "\n" + line
    for end in range(text.rindex(";"), len(text)):
        assert codes(text[:end]) <= {"FX002"}, text[end - 20 : end]


def test_an_open_return_in_the_middle_spoils_its_line_only():
    text = FORWARD.replace("(add, relu, primals_1)", "(add, relu")
    text += '        last: "f32[2]" = torch.ops.aten.neg.default(add)\n        return (last,)\n'
    (graph,) = graphs_of(text)
    assert [node.name for node in graph.nodes][-2:] == ["last", "output"]
    assert codes(text) == {"FX001"}


@pytest.mark.parametrize(
    "source",
    [
        '''
        class Net(torch.nn.Module):
            def forward(self, x):
                """
                Runs all layers.
                """
                for layer in self.layers:
                    x = layer(x)
                return x
        ''',
        '''
        def forward(self, x, y):
            """
            Args:
                x: the input
            """
            h = self.first(x)
            h = self.second(h, y)
            return self.last(h)
        ''',
        """
        def dump_graph():
            x = 1
            return e
        """,
        "def graph():\n    return foo\n",
        "    self.graph():\n    return foo\n",
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        x = torch.relu(x)\n        x = self.fc(x)\n        return x\n",
    ],
)
def test_a_program_is_no_dump(source):
    assert graphs_of(dedent(source)) == []


def test_a_pasted_piece_that_begins_among_the_inputs():
    piece = (
        "\n".join(PRINTED.strip().split("\n")[2:])
        .replace("%relu :", "%view_5 :")
        .replace("(%primals_1,)", "(%view_4,)")
    )
    assert "FX101" not in codes("    %view_5 : [num_users=1] = placeholder[target=view_5]\n" + piece)


@pytest.mark.parametrize(
    "text",
    [
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return ",
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return",
        "graph():\n    %x : [num_users=0] = placeholder[target=x]\n    return N",
        FORWARD.strip("\n").rsplit("\n", 1)[0] + "\n        return pytr",
        FORWARD.strip("\n").rsplit("\n", 1)[0] + "\n        return primals_2",
    ],
)
def test_a_return_line_that_breaks_off_without_an_open_bracket(text):
    assert codes(text) <= {"FX002"}


def test_inputs_taken_apart_behind_a_formatters_bracket():
    text = """
        class GraphModule(torch.nn.Module):
            def forward(self, arg_0):
                l_x_: "f32[2]"
                (l_x_,) = (
                    fx_pytree.tree_flatten_spec(
                        ([arg_0], {}),
                        self._in_spec,
                    )
                )
                add: "f32[2]" = torch.ops.aten.add.Tensor(l_x_, 1)
                return pytree.tree_unflatten([add], self._out_spec)
    """
    (graph,) = graphs_of(dedent(text))
    assert [(node.opcode, node.name) for node in graph.nodes[:2]] == [("placeholder", "l_x_"), ("call_function", "add")]
    assert codes(dedent(text)) == set()


def test_a_signature_speaks_of_nodes_also_where_a_parameter_has_another_name():
    (graph,) = graphs_of("""ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, input: "f32[s0]"):
            input_1 = input
            neg: "f32[s0]" = torch.ops.aten.neg.default(input_1);  input_1 = None
            return (neg,)

Graph signature:
    # inputs
    input: USER_INPUT

    # outputs
    neg: USER_OUTPUT

Range constraints: {s0: ValueRanges(lower=2, upper=5, is_bool=False), s1: VR[2, int_oo]}
""")
    assert graph.signature["user_inputs"] == ["input_1"]
    assert graph.signature["range_constraints"] == {
        "s0": "ValueRanges(lower=2, upper=5, is_bool=False)",
        "s1": "VR[2, int_oo]",
    }


@pytest.mark.parametrize("value", ["torch.float32", "cpu", "s17", "(x, torch.strided)", "1", "{'a': x}"])
def test_a_returned_value_that_is_no_node(value):
    """Printed without a line end behind it, as `str(graph)` is."""
    text = f"graph():\n    %x : [num_users={int('x' in value)}] = placeholder[target=x]\n    return {value}"
    assert graphs_of(text)[0].has_end


def test_every_cut_inside_of_an_infix_expression():
    text = """
class GraphModule(torch.nn.Module):
    def forward(self, s: "f32[2]", s_1: "f32[2]"):
        x: "f32[2]" = s + 1;  s = None
        add: "f32[2]" = x + s_1
        x_1: "f32[2]" = add + x;  add = x = None
        x_2: "f32[2]" = s_1 + x_1"""
    for end in range(text.index("add:"), len(text) + 1):
        assert codes(text[:end]) <= {"FX001", "FX002"}, text[end - 20 : end]
    # where the line ends, so does the name
    assert codes(text.removesuffix("_1") + "\n") == {"FX002", "FX105"}


@pytest.mark.parametrize("value", ["pytree.tree_unflatten([add, relu], self._out_spec)", "device(type='cpu')", "add"])
def test_every_cut_of_a_returned_value(value):
    text = FORWARD.rstrip("\n").replace("(add, relu, primals_1)", value)
    for end in range(text.rindex("return"), len(text)):
        assert codes(text[:end]) == {"FX002"}, text[end - 20 : end]
    assert "FX002" not in codes(text)
