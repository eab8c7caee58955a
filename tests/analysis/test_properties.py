"""What holds for any graph, well formed or not."""

from hypothesis import given
from hypothesis import strategies as st

from fxgraph.analysis import check, facts_of
from fxgraph.reading import read

_NAMES = st.sampled_from([f"v{i}" for i in range(8)])
_TARGETS = st.sampled_from(
    [
        "torch.ops.aten.add.Tensor",
        "torch.ops.aten.exp.default",
        "torch.ops.aten.copy_.default",
        "torch.ops.aten.rand.default",
        "torch.ops.demo.scale.default",
        "operator.getitem",
        "torch.relu",
    ]
)
_NODE = st.tuples(_NAMES, _TARGETS, st.lists(_NAMES, max_size=3), st.integers(0, 2))


@st.composite
def _graphs(draw):
    lines = ["graph():", "    %x : [num_users=0] = placeholder[target=x]"]
    for name, target, reads, users in draw(st.lists(_NODE, max_size=12)):
        operands = ", ".join(f"%{read}" for read in reads)
        lines.append(
            f"    %{name} : [num_users={users}] = call_function[target={target}](args = ({operands},), kwargs = {{}})"
        )
    lines.append(f"    return ({', '.join(draw(st.lists(_NAMES, max_size=3)))},)")
    return "\n".join(lines) + "\n"


@given(_graphs())
def test_no_dead_node_has_a_live_user(text):
    (facts,) = facts_of(read(text))
    for index in facts.dead:
        assert {user.index for user in facts.links.users[index]} <= facts.dead
        assert index not in facts.effects


@given(_graphs())
def test_unused_pure_nodes_are_dead_unless_something_speaks_against_it(text):
    (facts,) = facts_of(read(text))
    for node in facts.graph.nodes:
        if node.index in facts.unused and node.index not in facts.effects and not node.printed_users:
            assert (node.index in facts.dead) == (node.name not in facts.links.ambiguous)


@given(_graphs())
def test_users_are_distinct_nodes_in_order(text):
    (facts,) = facts_of(read(text))
    for users in facts.links.users:
        indices = [user.index for user in users]
        assert indices == sorted(set(indices))
    reads = {(name, node.index) for node in facts.graph.nodes for name in node.reads}
    linked = {(node.name, user.index) for node in facts.graph.nodes for user in facts.links.users[node.index]}
    assert linked == {(name, reader) for name, reader in reads if name in facts.links.definitions}


@given(_graphs())
def test_findings_lie_in_the_text(text):
    dump = read(text)
    found = check(dump, facts_of(dump))
    assert found == sorted(found, key=lambda finding: (finding.span.start, finding.code))
    for finding in found:
        assert 0 <= finding.span.start < finding.span.end <= len(text)
        if finding.name is not None:
            assert text.startswith(finding.name, finding.span.start)
        for span, _ in finding.related:
            assert 0 <= span.start < span.end <= len(text)
