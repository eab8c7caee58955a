import pytest

from fxgraph.features.snapshot import Snapshot
from fxgraph.reading import read
from markers import marked


def check_findings(source: str) -> None:
    """A finding is expected exactly at each mark, which names its code."""
    text = marked(source)
    found = [(found.span.start, found.code) for found in text.snapshot.findings()]
    assert found == [(span.start, code) for span, code in text.marks]


def test_at_the_end_of_the_line():
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %a : [num_users=3] = call_function[target=torch.relu](args = (%x,), kwargs = {})  # fxgraph: ignore[FX104]
            %b : [num_users=3] = call_function[target=torch.relu](args = (%a,), kwargs = {})
             ^ FX104
            return b
    """)


def test_on_the_line_above():
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            # fxgraph: ignore[wrong-user-count]
            %a : [num_users=3] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %b : [num_users=3] = call_function[target=torch.relu](args = (%a,), kwargs = {})
             ^ FX104
            return b
    """)


def test_a_comment_of_another_rule_silences_nothing():
    check_findings("""
        graph():
            %x : [num_users=2] = placeholder[target=x]  # fxgraph: ignore[FX2, nope]
             ^ FX104
            return x
    """)


def test_without_a_bracket_every_rule():
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %a : [num_users=4] = call_function[target=torch.relu](args = (%lost,), kwargs = {})  # fxgraph: ignore
            return x
    """)


def test_generated_code():
    check_findings("""
        def forward(self, x):
            relu = torch.relu(x);  x = None
            a = relu + x  # fxgraph: ignore[FX105]
            # fxgraph: ignore[FX105]
            b = a + x
            c = b + x;  b = None
                    ^ FX105
            return c  # fxgraph: ignore[FX105]
    """)


def test_a_table_with_comments_has_the_same_nodes():
    table = """
opcode         name    target                   args     kwargs
-------------  ------  -----------------------  -------  --------
placeholder    x       x                        ()       {}{0}
call_function  neg     aten.neg.default         (x,)     {}{1}
{2}call_function  exp     aten.exp.default         (x,)     {}
output         output  output                   ((x,),)  {}
"""

    def filled(*comments):
        text = table
        for place, comment in enumerate(comments):
            text = text.replace(f"{{{place}}}", comment)
        return text

    plain = filled("", "", "")
    text = filled("  # fxgraph: ignore[FX203]", "  # fxgraph: ignore[FX201]", "# fxgraph: ignore[FX201]\n")
    nodes, others = read(plain).graphs[0].nodes, read(text).graphs[0].nodes
    assert [(node.name, node.target, node.reads) for node in nodes] == [(o.name, o.target, o.reads) for o in others]
    assert [found.name for found in Snapshot(plain).findings()] == ["neg", "exp"]
    assert Snapshot(text).findings() == []


def test_the_lines_of_a_log():
    log = """\
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]  def forward(self, x):
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]     relu = torch.relu(x);  x = None
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]     # fxgraph: ignore[FX105]
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]     a = relu + x;  relu = None
V0102 03:04:05.000000 7 torch/fx.py:1] [0/0] [__graph_code]     return a
"""
    assert [found.code for found in Snapshot(log.replace("ignore[FX105]", "")).findings()] == ["FX105"]
    assert Snapshot(log).findings() == []


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_positions_behind_a_comment_stay(line_end):
    text = line_end.join(
        [
            "graph():",
            "    %x : [num_users=1] = placeholder[target=x]  # fxgraph: ignore[FX203]",
            "    %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})",
            "    return a",
            "",
        ]
    )
    dump = read(text)
    assert [node.name for node in dump.graphs[0].nodes] == ["x", "a", "output"]
    for node in dump.graphs[0].nodes[:2]:
        start = dump.graphs[0].page.to_document(node.start)
        assert text[start - 1 : start + 1] == f"%{node.name}"


def test_a_silence_in_front_does_not_hide_the_header():
    text = (
        "# fxgraph: ignore[FX002]\n# fxgraph: torch=2.2.2\ngraph():\n    %x : [num_users=0] = placeholder[target=x]\n"
    )
    assert read(text).header == {"torch": "2.2.2"}
    assert [found.code for found in Snapshot(text).findings()] == ["FX002"]


def test_a_lone_carriage_return_ends_the_comment():
    text = "graph():\r    %x : [num_users=2] = placeholder[target=x]  # fxgraph: ignore[FX104]\r    return x\r"
    assert Snapshot(text).findings() == []
    assert [found.code for found in Snapshot(text.replace("FX104", "FX2")).findings()] == ["FX104"]
