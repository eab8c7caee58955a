"""The script that builds the catalogue: the same facts give the same file, and releases are kept apart."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest

from fxgraph.ops.operators import _FILE, Catalogue, catalogue

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_catalogue.py"


@lru_cache
def build_catalogue() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_catalogue", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def record(torch: str, packets: dict[str, dict[str, dict[str, object]]], **more: object) -> dict[str, object]:
    return {"torch": torch, "complete": False, "packets": packets, "higher_order": {}, "on_import": [], **more}


def test_shipped_file_is_what_the_script_makes_of_its_facts(tmp_path: Path):
    output = tmp_path / "catalogue.jsonl.gz"
    done = subprocess.run([sys.executable, SCRIPT, "--output", output], capture_output=True, text=True, check=True)
    assert gzip.decompress(output.read_bytes()) == gzip.decompress(_FILE.read_bytes())
    assert "2.13.0: 2339 packets, 4436 overloads, 46 higher-order operators" in done.stdout


def test_installed_release_gives_the_shipped_facts(tmp_path: Path):
    """In a process of its own, which registers all that torch can. Other namespaces differ between builds of torch."""
    output, kept = tmp_path / "catalogue.jsonl.gz", tmp_path / "record.json.gz"
    command = [sys.executable, SCRIPT, "--record", kept, "--output", output]
    subprocess.run(command, capture_output=True, check=True)
    found = json.loads(gzip.decompress(kept.read_bytes()))
    assert found["torch"] == "2.13.0", "the shipped facts of an installed torch are of 2.13.0"

    def schemas(packets: dict[str, dict[str, dict[str, str]]]) -> dict[str, list[tuple[str, str]]]:
        return {
            name: [(overload, facts["s"]) for overload, facts in overloads.items()]
            for name, overloads in packets.items()
            if name.startswith(("aten.", "prims.", "quantized_decomposed.", "_c10d_functional.", "streams.", "export."))
        }

    shipped = build_catalogue().record_of(catalogue(), "2.13.0")
    assert schemas(found["packets"]) == schemas(shipped["packets"])
    assert found["higher_order"] == shipped["higher_order"]
    assert Catalogue(gzip.decompress(output.read_bytes()).decode()).releases == catalogue().releases


def test_releases_are_kept_apart():
    text = build_catalogue().merge(
        [
            record(
                "2.10.0",
                {"aten.f": {"default": {"s": "aten::f(SymInt a) -> Tensor", "t": ["core"], "d": 1}}},
                complete=True,
                higher_order={"cond": "(pred)"},
                on_import=["higher_order.cond"],
            ),
            record(
                "2.9.1",
                {
                    "aten.f": {
                        "x": {"s": "aten::f.x(int a) -> int", "x": True},
                        "default": {"s": "aten::f(int a) -> Tensor"},
                    }
                },
            ),
        ]
    )
    made = Catalogue(text)
    assert made.releases == ("2.9.1", "2.10.0")
    old, new = (made.packet("aten.f", release) for release in made.releases)
    assert [one.schema for one in old.overloads.values()] == ["aten::f.x(int a) -> int", "aten::f(int a) -> Tensor"]
    assert [one.schema for one in new.overloads.values()] == ["aten::f(SymInt a) -> Tensor"]
    assert (old.overloads["default"].is_core, new.overloads["default"].is_core) == (False, True)
    assert made.overload("aten.f.x").releases == ("2.9.1",)
    assert made.overload("aten.f.default").releases == ("2.9.1", "2.10.0")
    assert made.packet("higher_order.cond").parameters == "(pred)"
    assert made.packet("higher_order.cond").recorded == ("2.10.0",)


def test_order_of_each_release_is_kept():
    def packets(*overloads: str) -> dict[str, dict[str, dict[str, object]]]:
        return {"aten.f": {name: {"s": f"aten::f.{name}() -> ()"} for name in overloads}}

    orders = {"2.0.0": ("a", "b", "c"), "2.1.0": ("c", "a"), "2.2.0": ("a", "d", "c", "b")}
    made = Catalogue(build_catalogue().merge([record(release, packets(*names)) for release, names in orders.items()]))
    assert {release: tuple(made.packet("aten.f", release).overloads) for release in orders} == orders


def test_schema_of_another_operator_is_refused():
    with pytest.raises(SystemExit, match=r"aten\.f\.default has the schema of another operator"):
        build_catalogue().merge([record("2.0.0", {"aten.f": {"default": {"s": "aten::g() -> ()"}}})])


def test_known_records_are_read_back():
    again = build_catalogue().record_of(catalogue(), "2.13.0")
    assert again["complete"] and "prims.fma" in again["on_import"]
    assert again["packets"]["aten.sum"]["int"]["x"]
