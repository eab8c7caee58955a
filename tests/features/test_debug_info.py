"""What a report of a bug shows of a dump: nothing of the model."""

import re
from pathlib import Path

import pytest

from fxgraph.features.debug_info import debug_info, redacted
from fxgraph.features.snapshot import Snapshot
from markers import marked

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (
            "    %secret_7 : [num_users=2] = call_function[target=torch.ops.acme.lora.default](args = (%key, 12), kwargs = {})",
            "    %xxxxxx_0 : [num_users=0] = call_function[target=torch.ops.xxxx.xxxx.xxxxxxx](args = (%xxx, 00), kwargs = {})",
        ),
        (
            "        # File: /home/ann/net.py:7 in forward, code: y = self.llama(größe)",
            "        # File: /xxxx/xxx/xxx.xx:0 in forward, code: x = self.xxxxx(xxxxx)",
        ),
        ('[rank0]: V0729 10:00:00 "lora😀"', '[xxxx0]: x0000 00:00:00 "xxxx😀"'),
        ("x" * 400, "x" * 300 + "…"),
    ],
)
def test_a_redacted_line(line, kept):
    assert redacted(line) == kept


def test_the_measure_of_a_dump_and_lines_that_cannot_be_read():
    text = marked("""
        graph():
            %secret : [num_users=3] = placeholder[target=secret]
            %broken : [num_users=1] = call_function[target=torch.relu](args = (%secret,
            %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%secret,), kwargs = {})
            return neg
    """)
    assert debug_info(text.snapshot) == [
        "269 characters, 6 lines, 1 graph",
        "graph 1: graph_str, aten, 3 nodes, not whole",
        "findings: FX001 1",
        "line 1: graph():",
        "line 3:     %xxxxxx : [num_users=0] = call_function[target=torch.xxxx](args = (%xxxxxx,",
    ]


def test_no_word_of_a_real_dump_is_shown():
    for path in sorted(FIXTURES.glob("2.13.0/block.*")):
        text = path.read_bytes().decode()
        snapshot = Snapshot(text, str(path))
        shown = "\n".join(line.partition(": ")[2] for line in debug_info(snapshot) if line.startswith("line "))
        names = {node.name for graph in snapshot.dump.graphs for node in graph.nodes}
        words = set(re.findall(r"\w+", shown))
        assert not {name for name in names & words if name not in ("output", "self") and set(name) != {"x"}}, path
