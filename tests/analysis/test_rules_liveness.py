from analysis.checks import check_findings, check_message, check_nothing, facts_in_one, node_names
from fxgraph.analysis import check, facts_of
from fxgraph.reading import read


def test_dead_node():
    finding = check_message(
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %exp : [num_users=0] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
             ^^^ FX201
            return x
        """,
        "`exp` is dead: nothing reads it, and aten.exp.default has no side effect",
    )
    assert finding.severity == "hint"
    assert finding.tags == {"unnecessary"}


def test_a_dead_node_fades_to_its_end():
    (finding,) = check_findings("""
        def forward(self, x):
            exp = torch.exp(x);  exp = None
            ^ FX201
            return x
    """)
    assert finding.span.end - finding.span.start >= len("exp = torch.exp(x)")


def test_a_dead_chain_names_its_parts():
    findings = check_findings("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %mul : [num_users=2] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %x), kwargs = {})
             ^ FX201
            %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%mul,), kwargs = {})
             ^ FX201
            %rsqrt : [num_users=0] = call_function[target=torch.ops.aten.rsqrt.default](args = (%sum_1,), kwargs = {})
             ^ FX201
            %neg : [num_users=0] = call_function[target=operator.neg](args = (%mul,), kwargs = {})
             ^ FX201
            %w : [num_users=0] = get_attr[target=w]
             ^ FX201
            return x
    """)
    assert [finding.message for finding in findings] == [
        (
            "`mul` is dead: only dead nodes read it (`sum_1` and `neg`), and aten.mul.Tensor has no side effect; "
            "goes together with `rsqrt`"
        ),
        (
            "`sum_1` is dead: only dead nodes read it (`rsqrt`), and aten.sum.default has no side effect; "
            "goes together with `mul` and `neg`"
        ),
        (
            "`rsqrt` is dead: nothing reads it, and aten.rsqrt.default has no side effect; "
            "goes together with `mul`, `sum_1` and `neg`"
        ),
        (
            "`neg` is dead: nothing reads it, and operator.neg has no side effect; "
            "goes together with `mul`, `sum_1` and `rsqrt`"
        ),
        "`w` is dead: nothing reads it, and fetching an attribute has no side effect",
    ]
    assert [len(finding.related) for finding in findings] == [3, 3, 3, 3, 0]


def test_a_method_can_be_dead():
    check_message(
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %clone : [num_users=0] = call_method[target=clone](args = (%x,), kwargs = {})
             ^ FX201
            return x
        """,
        "`clone` is dead: nothing reads it, and the method clone has no side effect",
    )


def test_what_writes_is_not_dead_nor_is_what_it_takes():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %gain : [num_users=1] = get_attr[target=gain]
            %mul_ : [num_users=0] = call_method[target=mul_](args = (%x, %gain), kwargs = {})
            return None
    """)


def test_a_view_that_is_written_is_not_dead():
    check_nothing("""
        def forward(self, x):
            getitem = x[0]
            getitem += 1.0;  getitem_1 = getitem;  getitem = getitem_1 = None
            t = x.t()
            t[0] = 3.0;  setitem = t;  t = setitem = None
            return x
    """)


def test_modules_and_custom_operators_are_not_dead():
    check_nothing("""
        graph():
            %x : [num_users=4] = placeholder[target=x]
            %bn : [num_users=0] = call_module[target=bn](args = (%x,), kwargs = {})
            %scale : [num_users=0] = call_function[target=torch.ops.demo.scale.default](args = (%x,), kwargs = {})
            %helper : [num_users=0] = call_function[target=models.helper](args = (%x,), kwargs = {})
            return x
    """)


def test_nothing_is_dead_where_a_count_knows_of_more_users():
    check_findings("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
             ^ FX104
            return x
    """)


def test_nothing_is_dead_in_parts_of_graphs():
    check_nothing(
        "%exp : [num_users=0] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})\n"
    )
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %exp : [num_users=0] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
             ^ FX002
    """)


def test_a_name_defined_twice_is_not_dead():
    check_findings("""
        graph():
            %x : [num_users=3] = placeholder[target=x]
            %exp : [num_users=0] = call_function[target=torch.exp](args = (%x,), kwargs = {})
            %exp : [num_users=0] = call_function[target=torch.neg](args = (%x,), kwargs = {})
             ^ FX103
            return x
    """)


def test_a_node_that_reads_itself_is_not_dead():
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %exp : [num_users=1] = call_function[target=torch.exp](args = (%exp,), kwargs = {})
                                                                            ^ FX102
            return x
    """)


def test_a_dead_chain_out_of_order():
    facts = facts_in_one("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %neg : [num_users=0] = call_function[target=torch.neg](args = (%exp,), kwargs = {})
            %exp : [num_users=1] = call_function[target=torch.exp](args = (%x,), kwargs = {})
            return x
    """)
    assert node_names(facts, facts.dead) == ["neg", "exp"]


def test_unused_with_effect():
    findings = check_findings(
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %y : [num_users=2] = placeholder[target=y]
            %copy_ : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%x, %y), kwargs = {})
             ^ FX202
            %fc : [num_users=0] = call_module[target=fc](args = (%x,), kwargs = {})
             ^ FX202
            %exp : [num_users=0] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
            return y
        """,
        select={"FX202"},
    )
    fate = "it may not be safe to leave out, and dead code elimination may do so"
    assert [finding.message for finding in findings] == [
        "`copy_` has no users, but it writes to its argument `self`: dead code elimination keeps it (as of torch 2.13)",
        f"`fc` has no users, but it calls a module, whose code is not known here: {fate}",
    ]


def test_unused_input():
    check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %mask : [num_users=0] = placeholder[target=mask]
             ^ FX203
            return x
        """,
        "No node reads the input `mask`",
        select={"FX203"},
    )


def test_rules_about_what_is_normal_are_off():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %mask : [num_users=0] = placeholder[target=mask]
            %fc : [num_users=0] = call_module[target=fc](args = (%x,), kwargs = {})
            return None
    """)


def test_a_bound_on_the_findings_of_one_rule_is_told_at_the_head():
    lines = [
        f"    %n_{i} : [num_users=0] = call_function[target=torch.relu](args = (%x,), kwargs = {{}})" for i in range(9)
    ]
    dump = read("\n".join(["graph():", "    %x : [num_users=10] = placeholder[target=x]", *lines, "    return x", ""]))
    every, some = (check(dump, facts_of(dump), at_most=bound) for bound in (None, 4))
    assert [finding.name for finding in every] == [f"n_{i}" for i in range(9)]
    assert [finding.name for finding in some] == [None, "n_0", "n_1", "n_2", "n_3"]
    assert some[0].message.startswith("There are more than 4 findings of FX201 (dead-node) in this graph")
    assert some[0].tags == frozenset()
    assert check(dump, facts_of(dump), at_most=9) == every


def test_a_dead_chain_as_long_as_the_graph_is_judged_in_linear_time():
    """Each node of a chain names some of the others: not by looking at all of them."""
    count = 20_000
    lines = [
        f"    %n_{i} : [num_users=1] = call_function[target=torch.relu](args = (%{f'n_{i - 1}' if i else 'x'},), kwargs = {{}})"
        for i in range(count)
    ]
    dump = read("\n".join(["graph():", "    %x : [num_users=2] = placeholder[target=x]", *lines, "    return x", ""]))
    looked_at = sum(len(finding.related) for finding in check(dump, facts_of(dump), {"FX201"}))
    assert looked_at <= 10 * count
