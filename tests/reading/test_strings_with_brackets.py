"""Strings stand unquoted in print(graph): a bracket in one may have no partner."""

import pytest

from fxgraph.reading import read, uses


def printed(args: str):
    text = f"""graph():
    %w : [num_users=1] = placeholder[target=w]
    %eq : [num_users=1] = placeholder[target=eq]
    %f : [num_users=0] = call_function[target=m.f](args = {args}, kwargs = {{}})
    return None
"""
    graph = read(text).graphs[0]
    return graph, graph.nodes[2]


@pytest.mark.parametrize(
    ("args", "reads"),
    [
        ("(%w, value must be in [0, 1), %eq)", ["w", "eq"]),
        ("(%eq, ([Ellipsis, {{=], %w, [-4.0]), 0.3)", ["eq", "w"]),
        ("(%w, ), %eq)", ["w", "eq"]),
        ("(%w, ](, [%eq])", ["w", "eq"]),
        ("(%w, got (%s] and %d, %eq)", ["w", "eq"]),
        ("(bad shape: (%s), expected [4], %eq)", ["eq"]),
        ("(%w, {mode: a, b=%c, flag: %eq})", ["w", "eq"]),
        ("(50% %w, %eq)", ["eq"]),
    ],
)
def test_reads_around_it_are_found(args, reads):
    graph, node = printed(args)
    assert list(node.reads) == reads
    assert [use.name for use in uses(graph, node)] == reads
