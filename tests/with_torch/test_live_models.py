"""The models of fixtures/, traced again by the installed torch: what is read of each print is what the graph holds."""

import sys
from pathlib import Path

import pytest

from with_torch.truth import check_reads_back

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = ("net", "linear", "mlp", "block", "conv", "branches", "sizes", "inplace", "arguments")
STAGES = ("symbolic", "dynamo", "aot", "export", "make_fx")
#: What torch cannot trace so (control flow and item assignment in symbolic_trace), or what shows nothing new.
NOT_TRACED = {
    *(("linear", stage) for stage in STAGES if stage != "export"),
    ("conv", "make_fx"),
    ("branches", "symbolic"),
    ("sizes", "symbolic"),
    ("sizes", "make_fx"),
    ("inplace", "symbolic"),
}
TRACED = [(case, stage) for case in CASES for stage in STAGES if (case, stage) not in NOT_TRACED]


@pytest.fixture
def generate(monkeypatch):
    """The script of fixtures/, its models beside it on the path."""
    monkeypatch.syspath_prepend(str(FIXTURES))
    import generate

    yield generate
    for name in ("generate", "models"):
        sys.modules.pop(name, None)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("case", "stage"), TRACED)
def test_prints_of_a_live_graph_read_back(case, stage, generate, monkeypatch):
    wrong, checked = [], []

    def check(name, gm, _every):
        # a compiler backend: torch would wrap an error that is raised here
        checked.append(name)
        try:
            check_reads_back(gm)
        except AssertionError as error:
            wrong.append((name, error))

    monkeypatch.setattr(generate, "write_forms", check)
    monkeypatch.setattr(generate, "write", lambda *_: None)
    generate.TRACERS[stage](case, generate.CASES[case](), False)
    assert checked
    assert wrong == []


def test_every_model_is_traced(generate):
    assert sorted((case, stage) for case in generate.CASES for stage in generate.CASES[case]().stages) == sorted(TRACED)
