import pytest

from analysis.checks import check_findings, check_nothing, facts_in_one


@pytest.mark.parametrize(
    "gap", ["...", "# ...", "[...]", "…", "<snip>", "--- 120 lines ---", "... 3 more lines", "(truncated)"]
)
def test_nothing_is_said_about_what_was_left_out(gap):
    text = f"""
        graph():
            %x : [num_users=3] = placeholder[target=x]
            %exp : [num_users=0] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {{}})
            {gap}
            %relu : [num_users=1] = call_method[target=relu](args = (%sin,), kwargs = {{}})
            return relu
    """
    check_nothing(text)
    facts = facts_in_one(text)
    assert facts.dead == frozenset()
    assert facts.level.name != "mixed"


def test_dots_inside_a_line_are_no_gap():
    check_findings("""
        def forward(self, x):
            # File: net.py:4 in forward, code: y = x[..., 0]
            exp = torch.exp(x);  exp = None
            ^ FX201
            getitem = x[(Ellipsis, 0)];  x = None
            return getitem
    """)


def test_order_is_judged_across_a_gap():
    check_findings("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %add : [num_users=1] = call_function[target=torch.add](args = (%x, %relu), kwargs = {})
                                                                                ^ FX102
            ...
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%y,), kwargs = {})
            return add
    """)
