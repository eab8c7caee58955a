"""Random graphs: every form reads back, what is called dead is what torch removes, torch's own prints have no errors."""

from hypothesis import HealthCheck, given, settings

from fxgraph.analysis import Facts, check
from fxgraph.reading import read
from with_torch.random_graphs import graph_modules
from with_torch.truth import check_reads_back, printed

FEW = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
CODES = ("FX001", "FX002", "FX101", "FX102", "FX103", "FX104", "FX105")


def main_forms(gm):
    return str(gm.graph), printed(gm.print_readable), printed(gm.graph.print_tabular)


@FEW
@given(graph_modules())
def test_every_form_reads_back(gm):
    check_reads_back(gm)


@FEW
@given(graph_modules())
def test_dead_is_what_torch_removes(gm):
    texts = main_forms(gm)
    removed = {node.name for node in gm.graph.nodes}
    gm.graph.eliminate_dead_code()
    removed -= {node.name for node in gm.graph.nodes}
    for text in texts:
        graph = read(text).graphs[0]
        dead = {graph.nodes[index].name for index in Facts(graph).dead}
        assert dead <= removed, text


@FEW
@given(graph_modules())
def test_nothing_is_wrong_with_what_torch_prints(gm):
    for text in main_forms(gm):
        dump = read(text)
        findings = check(dump, [Facts(graph) for graph in dump.graphs])
        assert [(text, finding.message) for finding in findings if finding.code in CODES] == []
