from textwrap import dedent

import pytest

from fxgraph.features.hover import hover
from fxgraph.features.markdown import plain
from markers import marked


def hovered(source: str) -> str:
    """The hover at the cursor, as plain text."""
    text = marked(source)
    found = hover(text.snapshot, text.cursor)
    assert found is not None
    assert found.span.start <= text.cursor <= found.span.end
    return plain(found.markdown)


def check_hover(source: str, expected: str) -> None:
    assert hovered(source) == dedent(expected).strip("\n")


def test_a_node():
    check_hover(
        """
        class <lambda>(torch.nn.Module):
            def forward(self, arg0_1: "f32[4]", arg1_1: "f32[2, 3]", arg2_1: "f32[3, 4]"):
                # File: model.py:7 in forward, code: return self.fc(x).relu()
                add|mm: "f32[2, 4]" = torch.ops.aten.addmm.default(arg0_1, arg1_1, arg2_1);  arg0_1 = arg1_1 = arg2_1 = None
                relu: "f32[2, 4]" = torch.ops.aten.relu.default(addmm)
                neg: "f32[2, 4]" = torch.ops.aten.neg.default(addmm);  addmm = None
                return (relu, neg)
        """,
        """
        addmm call_function torch.ops.aten.addmm.default

        f32[2, 4], 32 B (printed in the dump)

        - self = arg0_1: f32[4], 16 B
        - mat1 = arg1_1: f32[2, 3], 24 B
        - mat2 = arg2_1: f32[3, 4], 48 B

        2 users: relu (line 5), neg (line 6)

        Last use: neg (line 6). Generated code drops the reference here.

        Source: model.py:7 in forward: return self.fc(x).relu()
        """,
    )


def test_a_read_tells_of_the_node_that_it_reads():
    check_hover(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%|x,), kwargs = {})
            return relu
        """,
        """
        x placeholder x

        1 user: relu (line 3)
        """,
    )


def test_operands_in_a_list_and_keywords():
    text = hovered("""
        class <lambda>(torch.nn.Module):
            def forward(self, a: "f32[4]", b: "f32[2]"):
                c|at: "f32[10]" = torch.ops.aten.cat.default([a, b, a]);  a = b = None
                sum_1: "f64[]" = torch.ops.aten.sum.default(cat, dtype = torch.float64);  cat = None
                return (sum_1,)
    """)
    assert "- tensors = [a, b, a] with a: f32[4], 16 B; b: f32[2], 8 B\n" in text + "\n"


VIEWED = """
    graph():
        %x : [num_users=1] = placeholder[target=x]
        %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})
        %t : [num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%mm,), kwargs = {})
        %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%t,), kwargs = {})
        return (neg,)
"""


def test_a_view_goes_on_behind_the_last_use():
    text = hovered(VIEWED.replace("%mm :", "%|mm :"))
    assert (
        "Last use: t (line 4). Generated code drops the reference here; t, a view of it, goes on until line 5." in text
    )


def test_nothing_is_dropped_of_inputs_and_returned_values():
    assert "Last use" not in hovered(VIEWED.replace("%x :", "%|x :"))
    assert "Last use" not in hovered(VIEWED.replace("%neg :", "%|neg :"))
    assert "Last use: neg (line 5). Generated code drops the reference here." in hovered(
        VIEWED.replace("%t :", "%|t :")
    )


def test_a_view_that_is_returned():
    text = hovered(VIEWED.replace("%mm :", "%|mm :").replace("return (neg,)", "return (neg, t)"))
    assert "t, a view of it, goes on and is returned." in text


def test_nothing_is_said_of_the_last_use_where_the_end_is_missing():
    text = hovered(VIEWED.replace("%mm :", "%|mm :").replace("    return (neg,)\n", ""))
    assert "Last use" not in text
    assert "1 user: t (line 4)" in text


UNUSED = """
    graph():
        %x : [num_users=4] = placeholder[target=x]
        %y : [num_users=0] = placeholder[target=y]
        %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
        %neg : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%exp,), kwargs = {})
        %copy_ : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%x, %x), kwargs = {})
        return (x,)
"""


def test_dead_nodes_and_kept_ones():
    dead = "is known to have no effect. Dead code elimination takes it out."
    assert f"Dead: nobody reads it, and its target {dead}" in hovered(UNUSED.replace("%neg :", "%|neg :"))
    assert f"Dead: only dead nodes read it, and its target {dead}" in hovered(UNUSED.replace("%exp :", "%|exp :"))
    written = "No users, but it writes to its argument self: dead code elimination keeps it (as of torch 2.13)."
    assert written in hovered(UNUSED.replace("%copy_ :", "%|copy_ :"))
    assert "No users: an unused input stays in the signature." in hovered(UNUSED.replace("%y :", "%|y :"))
    assert "Dead" not in hovered(UNUSED.replace("%x :", "%|x :"))


@pytest.mark.parametrize(
    ("call", "effect"),
    [
        ("call_method[target=mul_](args = (%x, 2)", "writes in place"),
        ("call_function[target=torch.nn.functional.dropout](args = (%x,)", "draws random numbers"),
        ("call_function[target=torch.ops.aten.batch_norm.default](args = (%x,)", "updates running statistics"),
        ("call_function[target=torch.ops.aten.native_batch_norm.default](args = (%x,)", "updates running statistics"),
        ("call_function[target=builtins.print](args = (%x,)", "prints"),
        ("call_function[target=torch._check](args = (%x,)", "checks a condition"),
        ("call_function[target=torch.ops.aten.bernoulli.default](args = (%x,)", "draws random numbers"),
    ],
)
def test_nodes_without_users_that_dead_code_elimination_may_take_out(call: str, effect: str):
    text = hovered(f"""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %u|nused : [num_users=0] = {call}, kwargs = {{}})
            return (x,)
    """)
    assert f"No users, but it {effect}" in text
    assert "it may not be safe to leave out, and dead code elimination may do so." in text
    assert "keeps" not in text


def test_operators_that_update_what_their_schema_does_not_name():
    for name in ("batch_norm", "native_batch_norm", "cudnn_batch_norm", "instance_norm"):
        text = hovered(f"""
            graph():
                %x : [num_users=1] = placeholder[target=x]
                %one : [num_users=1] = call_function[target=torch.ops.aten.|{name}.default](args = (%x,), kwargs = {{}})
                return (one,)
        """)
        assert "No view, and writes nothing by its schema; it updates running statistics when it trains; " in text


def test_an_undefined_name():
    assert (
        hovered("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            return (x, g|one)
    """)
        == "gone is not defined in this graph."
    )


def test_an_opcode():
    assert hovered(VIEWED.replace("= placeholder", "= place|holder")).startswith("placeholder: an input of the graph.")
    assert hovered(VIEWED.replace("return", "ret|urn")).startswith("output output")


def test_the_number_of_users():
    text = hovered("""
        graph():
            %x : [num_|users=5] = placeholder[target=x]
            %mul : [num_users=1] = call_function[target=torch.mul](args = (%x, %x), kwargs = {})
            return (mul, x)
    """)
    assert "A node that reads it twice counts once" in text
    assert "Printed is 5, the text has 2." in text
    assert "2 users: mul (line 3), output (line 4)" in text


def test_an_operator():
    text = hovered("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.|sum.dim_IntList](args = (%x, [0]), kwargs = {})
            return (sum_1,)
    """)
    first, schema, facts, family, others, release = text.split("\n\n")
    assert first == "aten.sum.dim_IntList"
    assert schema.startswith(
        "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
    )
    assert facts.startswith("Functional: no view, writes nothing; ")
    assert "known releases" in facts
    assert family == "Other overloads of aten.sum:"
    assert "- aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor" in others
    assert "dim_IntList(" not in others
    assert release.startswith("As of torch ")


def test_an_operator_of_the_release_that_the_header_names():
    text = hovered("""
        # fxgraph: source=model.py torch=2.2.2
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.|sum.default](args = (%x,), kwargs = {})
            return (sum_1,)
    """)
    assert text.endswith("As of torch 2.2.2.")


def test_views_and_writers():
    source = """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %y : [num_users=1] = call_function[target=torch.ops.aten.|OP](args = (%x, 1), kwargs = {})
            return (y,)
    """
    assert "A view of self by its schema;" in hovered(source.replace("OP", "t.default"))
    assert "Writes to self;" in hovered(source.replace("OP", "add_.Tensor"))
    assert "aten.add has no overload nope in the known releases." in hovered(source.replace("OP", "add.nope"))


def test_targets_above_aten():
    source = """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %y : [num_users=1] = call_function[target=|TARGET](args = (%x,), kwargs = {})
            return (y,)
    """
    relu = hovered(source.replace("TARGET", "torch.relu"))
    assert "The ATen family of that name, aten.relu, is likely what it calls; which overload runs depends" in relu
    assert "aten::relu(Tensor self) -> Tensor" in relu
    method = hovered(source.replace("TARGET", "relu").replace("call_function", "call_method"))
    assert method.startswith("relu: a method of the first argument")
    assert "aten::relu(Tensor self) -> Tensor" in method
    assert hovered(source.replace("TARGET", "operator.add")) == "operator.add: a + b in Python."
    assert "writes into a" in hovered(source.replace("TARGET", "operator.iadd"))
    assert hovered(source.replace("TARGET", "models.helper")) == "models.helper: a Python function."
    assert "which overload runs depends on the arguments" in hovered(source.replace("TARGET", "torch.ops.aten.add"))
    assert "Nothing is known of it here" in hovered(source.replace("TARGET", "torch.ops.mylib.twice.default"))
    cond = hovered(source.replace("TARGET", "torch.ops.higher_order.cond"))
    assert "a higher-order operator. Runs one of two graphs, by a predicate" in cond


def test_a_type():
    check_hover(
        """
        def forward(self, x: "f|32[2, s77][s77, 1]cuda:0"):
            return (x,)
        """,
        """
        x

        - dtype f32, torch.float32
        - shape (2, s77)
        - stride (s77, 1)
        - device cuda:0
        """,
    )


def test_the_head():
    check_hover(
        """
        class <lam|bda>(torch.nn.Module):
            def forward(self, arg0_1: "f32[2, 3]", arg1_1: "f32[3]"):
                exp: "f32[2, 3]" = torch.ops.aten.exp.default(arg0_1)
                neg: "f32[2, 3]" = torch.ops.aten.neg.default(arg0_1);  arg0_1 = None
                neg_1: "f32[2, 3]" = torch.ops.aten.neg.default(exp);  exp = None
                return (neg_1,)
        """,
        """
        <lambda>: 6 nodes (placeholder 2, call_function 3, output 1)

        - aten.neg.default x 2, 48 B
        - aten.exp.default x 1, 24 B

        Level aten: 3 aten operators

        Inputs (2): arg0_1, arg1_1

        Outputs: neg_1

        Dead: neg
        """,
    )


def test_long_lists_are_capped():
    many = "\n".join(
        f"            %n{i} : [num_users=0] = call_function[target=torch.neg](args = (%x,), kwargs = {{}})"
        for i in range(30)
    )
    text = hovered(f"""
        graph():
            %|x : [num_users=30] = placeholder[target=x]
{many}
            return None
    """)
    assert text.endswith("n7 (line 10), and 22 more")


def test_hostile_names_stay_inside_code():
    text = marked("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %y : [num_users=1] = call_function[target=<img src=x onerror=alert(1)>.`[a](command:b)`](args = (%x, [c](http://d)), kwargs = {})
            return (y,)
    """)
    found = hover(text.snapshot, text.at("%y") + 1)
    assert "call_function `` <img src=x onerror=alert(1)>.`[a](command:b)` ``\n" in found.markdown
    assert "\n- `[c](http://d)`\n" in found.markdown


def test_nothing_outside_of_graphs_and_between_parts():
    text = marked(VIEWED)
    assert hover(text.snapshot, text.at("kwargs = {})\n    %t") + 8) is None
    assert hover(text.snapshot, len(text.text)) is None
