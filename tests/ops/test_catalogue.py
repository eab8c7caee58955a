"""The catalogue against the facts that torch has of itself, and against what is known of its releases."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from fxgraph.ops import catalogue
from fxgraph.ops.operators import Catalogue
from fxgraph.ops.releases import in_words, resolve
from fxgraph.ops.targets import NAMESPACES

RELEASES = ("1.13.1", "2.2.2", "2.6.0", "2.13.0", "2.14.1")


def test_importing_reads_no_file_and_no_torch():
    program = """
import sys
from pathlib import Path
Path.read_bytes = Path.read_text = Path.open = None
import fxgraph.ops
print([name for name in ("torch", "gzip") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_releases():
    assert catalogue().releases == RELEASES
    assert catalogue().newest == "2.14.1"


def test_order_of_registration_in_2_2():
    assert list(catalogue().packet("aten.sum", "2.2.2").overloads) == [
        "dim_IntList",
        "default",
        "dim_DimnameList",
        "DimnameList_out",
        "IntList_out",
        "out",
        "int",
        "float",
        "complex",
        "bool",
    ]


def test_order_that_no_other_release_has():
    def order(release: str) -> list[str]:
        return list(catalogue().packet("aten._conj_copy", release).overloads)

    assert order("2.6.0") == ["out", "default"]
    assert order("2.13.0") == ["default", "out"]


def test_newest_release_that_has_it():
    assert catalogue().packet("aten.sum").release == "2.14.1"
    assert catalogue().overload("aten.sum.dim_DimnameList").release == "2.6.0"
    assert catalogue().packet("prims.to_dtype").release == "1.13.1"


def test_schema_of_a_release():
    def schema(release: str | None) -> str:
        return catalogue().overload("torch.ops.aten.select.int", release).schema

    assert schema("1.13.1") == "aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)"
    assert schema("2.2.2") == "aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"
    assert schema(None) == schema("2.14.1") == schema("2.2.2")


def test_facts_of_an_overload():
    add = catalogue().overload("aten.add_.Tensor")
    assert (add.name, add.packet, add.qualified) == ("Tensor", "aten.add_", "aten.add_.Tensor")
    assert add.is_mutable and not add.is_view and "pointwise" in add.tags
    view = catalogue().overload("aten.view.default")
    assert view.is_view and view.is_core and view.has_alias and not view.is_mutable
    assert catalogue().overload("aten.sum.int").is_script_only
    assert not catalogue().overload("aten.sum.default").is_script_only
    assert catalogue().overload("aten.silu.default").has_decomposition


@pytest.mark.parametrize("name", ["aten.sum.no_such", "aten.no_such.default", "aten.sum", "sum", "", ".", "aten..x"])
def test_unknown_overload(name: str):
    assert catalogue().overload(name) is None


def test_unknown_packet_and_release():
    assert catalogue().packet("aten.no_such") is None
    assert catalogue().packet("aten.sum_to_size", "2.2.2") is not None
    with pytest.raises(ValueError):
        catalogue().packet("aten.sum", "2.3.0")


def test_higher_order():
    cond = catalogue().packet("torch.ops.higher_order.cond")
    assert cond.is_higher_order and cond.overloads == {}
    assert cond.parameters == "(pred, true_fn, false_fn, operands)"
    names = {name.partition(".")[2] for name in catalogue().names() if name.startswith("higher_order.")}
    assert names >= {
        "auto_functionalized",
        "auto_functionalized_v2",
        "control_deps",
        "flex_attention",
        "invoke_subgraph",
        "map_impl",
        "scan",
        "tag_activation_checkpoint",
        "triton_kernel_wrapper_mutation",
        "while_loop",
        "with_effects",
        "wrap_with_set_grad_enabled",
    }


@pytest.mark.parametrize(
    "name",
    [
        "_c10d_functional.all_reduce.default",
        "c10d_functional.all_reduce.default",
        "quantized_decomposed.quantize_per_tensor.default",
        "prims.inductor_seeds.default",
        "prims.fma.default",
        "inductor._alloc_from_pool.default",
        "fsdp.copy_.default",
        "streams.record_event.default",
        "export.access_subclass_inner_tensor.default",
        "rngprims.philox_rand.default",
    ],
)
def test_operators_registered_on_import_are_there(name: str):
    assert catalogue().overload(name) is not None


def test_silence_is_not_absence():
    """A record that did not import the registering modules says nothing of what they register."""
    known = catalogue()
    assert known.covers("aten.sum", "2.2.2")
    assert known.covers("aten.no_such", "2.2.2")
    assert known.covers("prims.add", "2.2.2")
    assert known.covers("prims.inductor_seeds", "2.13.0")
    assert not known.covers("prims.inductor_seeds", "2.2.2")
    assert not known.covers("prims.no_such", "2.2.2")
    assert not known.covers("_c10d_functional.all_reduce", "2.14.1")
    assert not known.covers("mine.operator", "2.13.0")


def test_in_which_releases():
    def known_in(name: str) -> str:
        return catalogue().overload(name).known_in

    assert known_in("aten.sum.dim_IntList") == "in all known releases (1.13 to 2.14)"
    assert known_in("aten.sum.dim_DimnameList") == "in 2.6 and earlier of the known releases"
    assert known_in("prims.inductor_seeds.default") == "in 2.13, the only release it is recorded for"
    assert catalogue().packet("aten.rms_norm").known_in == "in 2.6 and later of the known releases"


@pytest.mark.parametrize(
    ("releases", "words"),
    [
        ("a b c d", "in all known releases (a to d)"),
        ("c d", "in c and later of the known releases"),
        ("a b", "in b and earlier of the known releases"),
        ("a", "in a alone of the known releases"),
        ("d", "in d alone of the known releases"),
        ("b", "in b alone of the known releases"),
        ("a d", "in a, d of the known releases"),
        ("b c", "in b, c of the known releases"),
    ],
)
def test_releases_in_words(releases: str, words: str):
    assert in_words(releases.split(), ("a", "b", "c", "d")) == words


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("2.2", "2.2.2"),
        ("2.2.2", "2.2.2"),
        ("2.13.0+cpu", "2.13.0"),
        ("v2.6", "2.6.0"),
        ("2.14", "2.14.1"),
        ("2", None),
        ("2.1", None),
        ("2.2.1", None),
        ("", None),
        ("newest", None),
    ],
)
def test_release_meant(text: str, release: str | None):
    assert resolve(text, RELEASES) == release


def test_installed_torch_has_nothing_else():
    """Every overload of torch 2.13, registered right now, is in the catalogue as it is."""
    assert torch.__version__.startswith("2.13.0"), "these facts are of 2.13.0"
    known = catalogue()
    differing = []
    for name in sorted({schema.name for schema in torch._C._jit_get_all_schemas()}):
        namespace, _, packet_name = name.partition("::")
        if namespace not in ("aten", "prims", "quantized_decomposed", "_c10d_functional"):
            continue  # others differ between builds of torch
        live = getattr(getattr(torch.ops, namespace), packet_name)
        packet = known.packet(f"{namespace}.{packet_name}", "2.13.0")
        ours = [] if packet is None else [(one.name, one.schema) for one in packet.overloads.values()]
        theirs = [(overload, str(getattr(live, overload)._schema)) for overload in live.overloads()]
        if ours != theirs:
            differing.append((name, ours, theirs))
    assert differing == []


def test_views_are_those_of_torch():
    known = catalogue()
    differing = []
    for name in known.names("2.13.0"):
        if not name.startswith("aten."):
            continue
        for overload in known.packet(name, "2.13.0").overloads.values():
            live = getattr(getattr(torch.ops.aten, name.removeprefix("aten.")), overload.name)
            if live.is_view != overload.is_view or live._schema.is_mutable != overload.is_mutable:
                differing.append(overload)
    assert differing == []


def test_every_namespace_is_told_apart_from_modules():
    assert set(catalogue().namespaces) <= NAMESPACES


def test_another_format_is_refused():
    with pytest.raises(ValueError, match="format 0"):
        Catalogue('{"format": 0}')
