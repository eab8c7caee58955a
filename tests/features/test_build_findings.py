"""FX401 by what an installed torch has: not in this build, unknown everywhere, or known to this build alone."""

from fxgraph.features.build_findings import build_findings, packets_of
from fxgraph.features.snapshot import Snapshot

TEXT = """\
graph():
    %x : [num_users=5] = placeholder[target=x]
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %x), kwargs = {})
    %add_1 : [num_users=1] = call_function[target=torch.ops.aten.add.Tensr](args = (%x, %x), kwargs = {})
    %add_2 : [num_users=1] = call_function[target=torch.ops.aten.add.Nightly](args = (%x, %x), kwargs = {})
    %safe : [num_users=1] = call_function[target=torch.ops.aten._safe_softmax.default](args = (%x, 1), kwargs = {})
    %foo : [num_users=1] = call_function[target=torch.ops.demo.foo.default](args = (%x,), kwargs = {})
    %prim : [num_users=1] = call_function[target=torch.ops.prims.broadcast_in_dim.default](args = (%x, [2], [0]), kwargs = {})
    return (add, add_1, add_2, safe, foo, prim)
"""


def family(*names):
    return {"higher_order": False, "overloads": [{"name": name} for name in names]}


def findings(**families):
    told = {name.replace("__", ".", 1): family(*names) for name, names in families.items()}
    found = build_findings(Snapshot(TEXT), "2.2.2+cpu", told)
    return None if found is None else [(one.name, one.severity, one.message.partition(";")[0]) for one in found]


def test_what_is_asked():
    assert list(packets_of(Snapshot(TEXT).dump)) == [
        "aten._safe_softmax",
        "aten.add",
        "demo.foo",
        "prims.broadcast_in_dim",
    ]


UNKNOWN = ("add_1", "warning", "`aten.add` has no overload `Tensr` in any known release of torch (1.13.1 to 2.14.1)")


def test_a_build_that_has_less_and_more_than_the_known_releases():
    assert findings(
        aten__add=["Tensor", "Nightly"], aten___safe_softmax=[], demo__foo=[], prims__broadcast_in_dim=[]
    ) == [
        UNKNOWN,
        ("safe", "information", "`aten._safe_softmax.default` is not in your torch 2.2.2"),
    ]


def test_a_call_that_this_build_takes():
    text = TEXT.replace("aten.add.Tensor](args = (%x, %x)", "aten.add.Tensor](args = (%x, %x, 1, 2)")
    snapshot = Snapshot(text)
    assert [one.code for one in snapshot.findings() if one.name == "add"] == ["FX402"]
    schemas = {
        "Tensor": "aten::add.Tensor(Tensor self, Tensor other, Scalar a, Scalar b) -> Tensor",
        "Nightly": "aten::add.Nightly(Tensor self, Tensor other) -> Tensor",
    }
    told = {"overloads": [{"name": name, "schema": schema} for name, schema in schemas.items()]}
    found = build_findings(snapshot, "9.9", {"aten.add": told})
    assert found is not None and [(one.code, one.name) for one in found] == [("FX401", "add_1")]


def test_what_was_not_asked_is_as_without_a_build():
    assert findings() is None
    assert findings(aten___safe_softmax=["default"]) is None
    # `Nightly` is known nowhere, and this build lacks it, too
    assert findings(aten__add=["Tensor"]) is None


def test_a_silenced_line_stays_silent():
    text = TEXT.replace("(%x, 1), kwargs = {})", "(%x, 1), kwargs = {})  # fxgraph: ignore[FX401]")
    found = build_findings(Snapshot(text), "2.2.2", {"aten._safe_softmax": family()})
    assert found is not None and [one.name for one in found] == ["add_1", "add_2"]
