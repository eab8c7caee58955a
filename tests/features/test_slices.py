from pathlib import Path

import pytest

from fxgraph.features.actions import node_to_slice
from fxgraph.features.slices import slice_of
from fxgraph.features.snapshot import Snapshot
from markers import marked

FIXTURES = Path(__file__).parents[2] / "fixtures"


def check_slice(source: str, expected: str) -> None:
    """The slice of the node at the cursor."""
    text = marked(source)
    graph, node = node_to_slice(text.snapshot, text.cursor)
    assert slice_of(text.snapshot, graph, node).text == marked(expected).text


def test_a_node_with_all_it_depends_on():
    check_slice(
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %y : [num_users=1] = placeholder[target=y]
            %a : [num_users=2] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %b : [num_users=1] = call_function[target=torch.add](args = (%x, %y), kwargs = {})
            %c| : [num_users=1] = call_function[target=torch.mul](args = (%a, %a), kwargs = {})
            %d : [num_users=1] = call_function[target=torch.add](args = (%a, %c), kwargs = {})
            return (b, d)
        """,
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %c : [num_users=1] = call_function[target=torch.mul](args = (%a, %a), kwargs = {})
            return c
        """,
    )


def test_generated_code_and_what_writes_in_place():
    check_slice(
        """
        def forward(self, x: "f32[2]", y: "f32[2]"):
            fill_: "f32[2]" = torch.ops.aten.fill_.Scalar(x, 1)
            zero_: "f32[2]" = torch.ops.aten.zero_.default(y);  y = None
            n|eg: "f32[2]" = torch.ops.aten.neg.default(x)
            exp_: "f32[2]" = torch.ops.aten.exp_.default(x);  x = None
            return (neg,)
        """,
        """
        graph():
            %x : Tensor "f32[2]"[num_users=2] = placeholder[target=x]
            %fill_ : Tensor "f32[2]"[num_users=0] = call_function[target=torch.ops.aten.fill_.Scalar](args = (%x, 1), kwargs = {})
            %neg : Tensor "f32[2]"[num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
            return neg
        """,
    )


def test_what_a_fragment_lacks_becomes_an_input():
    check_slice(
        """
            %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %b| : [num_users=1] = call_function[target=torch.add](args = (%a, %w), kwargs = {})
        """,
        """
        # x is read and not defined above: here it is an input
        # w is read and not defined above: here it is an input
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %w : [num_users=1] = placeholder[target=w]
            %a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %b : [num_users=1] = call_function[target=torch.add](args = (%a, %w), kwargs = {})
            return b
        """,
    )


DUMPS = sorted(path for path in FIXTURES.glob("2.*/*") if path.is_file())[::6]


@pytest.mark.parametrize("share", [0.3, 0.7, 1])
def test_a_slice_reads_back_complete_and_without_findings_of_its_own(share):
    for path in DUMPS:
        snapshot = Snapshot(path.read_bytes().decode(), str(path))
        for graph in snapshot.dump.graphs[:2]:
            node = graph.nodes[int((len(graph.nodes) - 1) * share)]
            made = slice_of(snapshot, graph, node)
            again = Snapshot(made.text)
            [whole] = again.dump.graphs
            assert whole.is_whole
            assert len(whole.nodes) == made.nodes + 1
            known = {found.code for found in snapshot.findings()}
            # with less around it, another level may be seen
            assert {found.code for found in again.findings()} <= known | {"FX301"}, path
