from analysis.checks import check_findings, check_nothing, facts_in, facts_in_one


def graph_of(*targets, inputs=("x",), returns="x"):
    """A print(graph) with one node for each target; `.relu` is a method, `#fc` a module."""
    lines = ["graph():"]
    lines += [f"    %{name} : [num_users=1] = placeholder[target={name}]" for name in inputs]
    for index, target in enumerate(targets):
        opcode = {".": "call_method", "#": "call_module"}.get(target[0], "call_function")
        name = target.lstrip(".#")
        lines.append(f"    %n{index} : [num_users=1] = {opcode}[target={name}](args = (%{inputs[0]},), kwargs = {{}})")
    return "\n".join([*lines, f"    return {returns}", ""])


def level(*targets, path=None, **options):
    return facts_in_one(graph_of(*targets, **options), path).level


EXP = "torch.ops.aten.exp.default"
MM = "torch.ops.aten.mm.default"
PRIM = "torch.ops.prims.exp.default"
CONVERT = "torch.ops.prims.convert_element_type.default"
EDGE = "executorch.exir.dialects.edge._ops.aten.exp.default"
NEUTRAL = """
    operator.add operator.getitem torch.sym_max torch._sym_sqrt math.ceil builtins.getattr
    torch.ops.higher_order.cond torch._higher_order_ops.map.map torch.ops._c10d_functional.all_reduce.default
    torch.ops.demo.scale.default torch._C._functorch._add_batch_dim torch._functorch.predispatch._add_batch_dim
    torch._C._set_grad_enabled torch.amp.autocast_mode._enter_autocast torch._assert torch._check
    torch.ops.aten._assert_scalar.default torch.ops.aten.sym_constrain_range.default torch.ops.aten.sym_size
    models.helper #_guards_fn #submod_0 #_run_on_acc_0
"""


def test_levels_by_target():
    for target in ("torch.relu", "torch._C._nn.gelu", "torch.nn.functional.pad", "torch.Tensor.add_", ".relu", "#fc"):
        assert level(target).name == "torch", target
    assert level("torch.ops.aten.slice").name == "torch"  # no overload: the model's own call
    assert level(EXP).name == "aten"
    assert level("aten.exp.default").name == "aten"
    assert level(PRIM).name == "prims"
    assert level(EDGE).name == "edge"
    assert level("executorch_exir_dialects_edge__ops_aten_exp_default").name == "edge"


def test_neutral_targets():
    for target in NEUTRAL.split():
        assert level(target).name is None, target
        assert level(EXP, EXP, target).name == "aten", target
        assert level("torch.relu", target).name == "torch", target


def test_a_graph_without_nodes_of_a_level():
    assert level().name is None
    assert level().reason == "no node of it belongs to a level"


def test_reason_counts():
    assert level(*[EXP] * 12, *[CONVERT] * 3).reason == (
        "12 aten operators; 3 prims that decompositions leave beside them"
    )
    assert level("torch.relu").reason == "1 torch call"


def test_one_method_left_in_an_aten_graph():
    check_findings("""
        graph():
        ^ FX301
            %x : [num_users=1] = placeholder[target=x]
            %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
            %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%exp,), kwargs = {})
            %relu : [num_users=1] = call_method[target=relu](args = (%sin,), kwargs = {})
             ^ FX301
            return relu
    """)


def test_mixed_levels_names_culprits_and_counts():
    head, culprit = check_findings("""
        graph():
        ^ FX301
            %x : [num_users=1] = placeholder[target=x]
            %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
            %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%exp,), kwargs = {})
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%sin,), kwargs = {})
             ^ FX301
            return relu
    """)
    assert (head.severity, culprit.severity) == ("information", "warning")
    assert head.message == "Mixed levels: 2 aten operators and 1 torch call; of torch: `relu`"
    assert culprit.message == "`relu` (torch.relu) is of level torch, in a graph of level aten"
    assert [words for _, words in head.related] == ["torch: torch.relu"]


def test_half_lowered_from_a_tenth_on():
    assert level(*["torch.relu"] * 10, EXP).name == "torch"
    mixed = level(*["torch.relu"] * 9, EXP)
    assert mixed.name == "mixed"
    assert mixed.majority == "torch"


def test_dynamo_keeps_aten_calls_of_the_model():
    for inputs in (("l_x_",), ("L_x_",), ("x", "L_self_modules_fc_parameters_weight_")):
        assert level("torch.relu", EXP, EXP, inputs=inputs, returns=inputs[0]).name == "torch"
    assert level("torch.relu", EXP, path="/tmp/mlp.dynamo.graph.fxgraph").name == "torch"
    assert level("torch.relu", EXP, path="C:\\dumps\\dynamo_output_graph_1.txt").name == "torch"
    assert level("torch.relu", EXP, path="/home/dynamo/net.fxgraph").name == "mixed"


def test_a_nested_graph_of_dynamo_keeps_aten_calls_of_the_model():
    text = """
        class GraphModule(torch.nn.Module):
            def forward(self, L_x_: "f32[2]"):
                l_x_ = L_x_
                body_0 = self.body_0
                wrap = torch.ops.higher_order.wrap(body_0, l_x_);  body_0 = l_x_ = None
                return wrap

            class body_0(torch.nn.Module):
                def forward(self, y: "f32[2]"):
                    exp: "f32[2]" = torch.ops.aten.exp.default(y);  y = None
                    relu: "f32[2]" = torch.relu(exp);  exp = None
                    return relu
    """
    assert [facts.level.name for facts in facts_in(text)] == [None, "torch"]
    check_nothing(text)


def test_modules_of_an_unflattened_graph():
    assert level("#fc", "#layers.0", EXP).name == "aten"
    assert level("#fc", "#layers.0").name == "torch"
    assert level("#fc", "#layers.0", ".relu", ".sum", EXP).name == "mixed"
    assert level(*["#fc"] * 9, ".relu", EXP).name == "torch"


def test_prims_beside_aten():
    mixed = level(EXP, EXP, MM, PRIM)
    assert mixed.name == "mixed"
    assert {name: len(nodes) for name, nodes in mixed.nodes.items()} == {"aten": 3, "prims": 1}
    assert level(PRIM, PRIM, EXP).majority == "prims"


def test_aten_operators_without_a_prim_beside_prims():
    found = level(PRIM, PRIM, MM)
    assert found.name == "prims"
    assert found.reason == "2 prims; 1 aten operator without a prim beside them"
    assert level(PRIM, MM).name == "prims"


def test_prims_that_decompositions_leave():
    for target in ("convert_element_type", "device_put", "fma", "iota", "inductor_seeds", "_make_token"):
        assert level(EXP, f"torch.ops.prims.{target}.default").name == "aten"
    assert level(PRIM, CONVERT).nodes["prims"][1].target == CONVERT


def test_writes_at_the_end_of_an_edge_graph():
    assert level(EDGE, "torch.ops.aten.copy_.default", "torch.ops.aten.add.out").name == "edge"
    assert level(EXP, "torch.ops.aten.copy_.default").nodes["aten"][1].target == "torch.ops.aten.copy_.default"


def test_sizes_that_dynamo_computes_are_no_half_lowering():
    assert level("torch.relu", "torch.relu", "torch.ops.aten.sym_size.int").name == "torch"
    assert level(EXP, "torch.ops.aten.sym_size.int").nodes.keys() == {"aten"}


def test_a_fragment_is_never_mixed():
    text = graph_of(EXP, EXP, ".relu").split("\n", 2)[2]
    assert facts_in_one(text).level.name == "aten"
    check_nothing(text)


def test_the_body_of_an_inductor_loop():
    text = """
        graph():
            %ops : [num_users=1] = placeholder[target=ops]
            %get_index : [num_users=1] = call_module[target=get_index](args = (index0,), kwargs = {})
            %load : [num_users=1] = call_method[target=load](args = (%ops, arg0_1, %get_index), kwargs = {})
            return load
    """
    assert facts_in_one(text).level.name is None


def test_a_table_of_two_levels():
    check_findings("""
        opcode         name    target              args              kwargs
        ^ FX301
        -------------  ------  ------------------  ----------------  --------
        placeholder    a_1     a_1                 ()                {}
        call_function  exp     aten.exp.default    (a_1,)            {}
        call_function  gt      aten.gt.Scalar      (exp, 18)         {}
        call_function  tanh    prims.tanh.default  (gt,)             {}
                       ^ FX301
        output         output  output              (tanh,)           {}
    """)


TABLE = """
    opcode         name    target                            args        kwargs
    -------------  ------  --------------------------------  ----------  --------
    placeholder    x       x                                 ()          {}
    call_function  one     <function relu at 0x7f015e1213a0>  (x,)        {}
    call_function  two     <built-in function gelu>          (one,)      {}
    call_function  three   aten.exp.default                  (two,)      {}
    output         output  output                            (three,)    {}
"""


def test_a_table_does_not_tell_functions_of_torch_from_those_of_the_program():
    found = facts_in_one(TABLE).level
    assert found.name is None
    assert found.reason == (
        "1 aten operator; 2 functions, <function relu> say, may be torch's or the program's: a table does not tell"
    )
    check_nothing(TABLE, select={"FX301"})
    only_functions = "".join(line for line in TABLE.splitlines(keepends=True) if "aten" not in line)
    assert facts_in_one(only_functions.replace("(three,)", "(two,)")).level.name is None


def test_a_table_with_functions_that_cannot_change_its_level():
    """Torch functions are the majority with or without them, and Python's own functions are of no level."""
    assert facts_in_one(
        TABLE.replace("aten.exp.default", "<built-in method cat of type object at 0x7f>")
    ).level.name == ("torch")
    python = TABLE.replace("<function relu at 0x7f015e1213a0>", "<built-in function add>").replace("gelu", "getitem")
    assert facts_in_one(python).level.name == "aten"


def test_three_levels_at_once():
    """All but the largest side are marked."""
    check_findings("""
        graph():
        ^ FX301
            %x : [num_users=1] = placeholder[target=x]
            %a : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
            %b : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%a,), kwargs = {})
            %c : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%b, %b), kwargs = {})
            %d : [num_users=1] = call_function[target=torch.relu](args = (%c,), kwargs = {})
             ^ FX301
            %e : [num_users=1] = call_function[target=torch.ops.prims.exp.default](args = (%d,), kwargs = {})
             ^ FX301
            %f : [num_users=1] = call_function[target=torch.relu](args = (%e,), kwargs = {})
             ^ FX301
            return f
    """)


def test_a_table_that_is_mixed_at_any_rate_but_does_not_tell_which_side_is_the_smaller():
    """Two torch calls for sure and two that may be, beside three operators."""
    rows = ["<built-in method cat of type object at 0x7f>"] * 2 + ["aten.exp.default"] * 3
    assert facts_in_one(_table(rows)).level.majority == "aten"
    unsure = [*rows, "<function pad at 0x7f>", "<function einsum at 0x7f>"]
    assert facts_in_one(_table(unsure)).level.name is None
    check_nothing(_table(unsure), select={"FX301"})
    assert facts_in_one(_table([*rows, *rows[2:], *unsure[5:]])).level.majority == "aten"


def _table(targets: list[str]) -> str:
    names = ["x", *[f"n{number}" for number in range(len(targets))]]
    rows = [("opcode", "name", "target", "args", "kwargs"), ("------",) * 5, ("placeholder", "x", "x", "()", "{}")]
    rows += [("call_function", names[i + 1], target, f"({names[i]},)", "{}") for i, target in enumerate(targets)]
    rows.append(("output", "output", "output", f"({names[-1]},)", "{}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows[1] = tuple("-" * width for width in widths)
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in rows
    )
