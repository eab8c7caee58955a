import pytest

from analysis.checks import check_findings, check_message, check_nothing


def test_unreadable_line():
    check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=1] = call_function[targ
            ^ FX001
            return relu
        """,
        "This line begins as a node, but cannot be read as one",
    )


def test_foreign_lines_are_silent():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            INFO: something else was printed here
            return x
    """)


def test_cut_graph():
    finding = check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
             ^ FX002
        """,
        "The graph ends behind `relu` without its return line: users that are missing here are not judged",
    )
    assert finding.severity == "information"
    assert [words for _, words in finding.related] == ["the graph begins here"]


@pytest.mark.parametrize(
    "text",
    [
        "graph():\n",
        "%x : [num_users=1] = placeholder[target=x]\n",
        "While executing %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n",
    ],
    ids=["a graph without nodes", "a quoted input", "a quoted node"],
)
def test_what_is_not_cut(text):
    check_nothing(text)


def test_the_graph_of_a_failed_export_is_not_cut():
    check_nothing("""
        def forward(self, arg0_1: "f32[3]"):
            # File: /home/dev/model.py:126 in forward, code: if x.sum() > 0:
            sum_1: "f32[]" = torch.ops.aten.sum.default(arg0_1);  arg0_1 = None
            gt: "b8[]" = torch.ops.aten.gt.Scalar(sum_1, 0);  sum_1 = None

        Traceback (most recent call last):
          File "/home/dev/model.py", line 467, in <module>
    """)


def test_wrong_user_counts():
    findings = check_findings(
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
             ^ FX104
            %mask : [num_users=1] = placeholder[target=mask]
             ^ FX104
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
             ^ FX104
            return [relu, relu, torch.float32, {'a': relu}, relu]
    """.replace("[num_users=1] = call", "[num_users=4] = call")
    )
    assert [finding.message for finding in findings] == [
        "`x` is printed with 2 users, but 1 node reads it",
        "`mask` is printed with 1 user, but no node reads it",
        "`relu` is printed with 4 users, but 1 node reads it",
    ]
    assert findings[0].severity == "warning"
    assert [words for _, words in findings[0].related] == ["reads `x`"]


def test_a_node_that_takes_a_value_twice_is_one_user():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %cat : [num_users=1] = call_function[target=torch.cat](args = ([%x, %x],), kwargs = {dim: 0, out: %x})
            return cat
    """)


def test_reads_inside_slices_and_keywords_count():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %n : [num_users=1] = placeholder[target=n]
            %f : [num_users=1] = call_function[target=operator.getitem](args = (%x, slice(0, n, None)), kwargs = {})
            return {'first': f}
    """)


def test_counts_of_a_fragment_are_those_of_the_whole_graph():
    check_nothing("""
        # Graph fragment:
        #   %a : Tensor "f32[4][1]cuda:0" = PlaceHolder[target=a]
        #   %exp : [num_users=7] = call_function[target=torch.ops.aten.exp.default](args = (%a,), kwargs = {})
        #   return %exp
    """)


def test_counts_of_a_name_defined_twice_are_not_judged():
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=0] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %relu : [num_users=1] = call_function[target=torch.ones](args = (3,), kwargs = {})
             ^ FX103
            return relu
    """)
