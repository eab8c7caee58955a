"""Who reads what, by index."""

from __future__ import annotations

from fxgraph.analysis import link
from fxgraph.reading import read

TEXT = """\
graph():
    %x : [num_users=2] = placeholder[target=x]
    %a : [num_users=2] = call_function[target=torch.add](args = (%x, %x), kwargs = {})
    %b : [num_users=0] = call_function[target=torch.mul](args = (%a, %c), kwargs = {})
    %c : [num_users=1] = call_function[target=torch.mul](args = (%x, %a), kwargs = {})
    return c
"""


def test_readers():
    readers = link(read(TEXT).graphs[0]).readers
    assert list(map(list, readers)) == [[1, 3], [2, 3], [], [2, 4], []]
    assert readers.counts() == [2, 2, 0, 2, 0]
    assert [readers.last(place) for place in range(len(readers))] == [3, 3, None, 4, None]
    assert [list(readers[place]) for place in (-1, -2)] == [[], [2, 4]]
    assert list(map(list, readers[1:3])) == [[2, 3], []]


def test_readers_of_nothing():
    readers = link(read("graph():\n    return 1\n").graphs[0]).readers
    assert (len(readers), readers.counts(), readers.last(0)) == (1, [0], None)
