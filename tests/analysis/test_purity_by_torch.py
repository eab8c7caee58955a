"""What fxgraph calls pure, compared with the torch that is installed."""

import importlib

import pytest

from fxgraph.analysis import pure_names
from fxgraph.analysis.purity import function_effect, overload_effect
from fxgraph.ops import catalogue

torch = pytest.importorskip("torch")


def _resolve(target):
    module, _, name = target.rpartition(".")
    if module.startswith("torch._C."):
        return getattr(getattr(torch._C, module.removeprefix("torch._C.")), name)
    return getattr(importlib.import_module(module), name)


def _aten_name(target):
    module, _, name = target.rpartition(".")
    front = {"torch.linalg": "linalg_", "torch.fft": "fft_", "torch.special": "special_"}.get(module, "")
    return f"aten.{front}{name}" if module.startswith("torch") else None


def test_every_function_on_the_list_exists():
    missing = [target for target in pure_names.FUNCTIONS if not callable(_resolve(target))]
    assert missing == []


def test_every_method_on_the_list_exists():
    assert [name for name in pure_names.METHODS if not hasattr(torch.Tensor, name)] == []


def _effects_of_family(name):
    packet = catalogue().packet(name)
    if packet is None:
        return {}
    base = name.split(".")[1]
    usable = [o for o in packet.overloads.values() if not o.is_script_only]
    plain = [o for o in usable if not any(a.kwarg_only and a.writes for a in o.arguments)]
    return {o.qualified: effect for o in plain if (effect := overload_effect(base, o)) is not None}


def test_no_function_on_the_list_has_an_aten_family_with_an_effect():
    found = {target: _effects_of_family(name) for target in pure_names.FUNCTIONS if (name := _aten_name(target))}
    assert {target: effects for target, effects in found.items() if effects} == {}


def test_no_method_on_the_list_has_an_aten_family_with_an_effect():
    found = {name: _effects_of_family(f"aten.{name}") for name in pure_names.METHODS}
    assert {name: effects for name, effects in found.items() if effects} == {}


def test_nothing_that_is_pure_here_is_impure_to_torch():
    graph = torch.fx.Graph()
    wrong = []
    checked = 0
    for name in catalogue().names("2.13.0"):
        namespace, packet = name.split(".")
        if namespace not in ("aten", "prims"):
            continue
        for overload in catalogue().packet(name, "2.13.0").overloads:
            target = f"torch.ops.{name}.{overload}"
            if function_effect(target) is not None:
                continue
            try:
                live = getattr(getattr(getattr(torch.ops, namespace), packet), overload)
            except AttributeError:  # registered by a module that is not imported, or TorchScript only
                continue
            checked += 1
            if graph.call_function(live).is_impure():
                wrong.append(target)
    assert wrong == []
    assert checked > 1500
