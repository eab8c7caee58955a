"""Random graphs: every form reads back, torch's own dead code elimination agrees, nothing is called wrong."""

from hypothesis import HealthCheck, given, settings

from with_torch.random_graphs import graph_modules
from with_torch.truth import check_reads_back

ENOUGH = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@ENOUGH
@given(graph_modules())
def test_every_form_reads_back(gm):
    check_reads_back(gm)
