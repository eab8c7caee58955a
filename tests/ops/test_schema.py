"""Schema strings taken apart: every known one, and the corners one by one."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fxgraph.ops import Schema, SchemaError, catalogue, parse_schema


def test_arguments():
    schema = parse_schema(
        "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
    )
    assert (schema.name, schema.overload) == ("aten::sum", "dim_IntList")
    assert [(one.name, one.type, one.default, one.kwarg_only) for one in schema.arguments] == [
        ("self", "Tensor", None, False),
        ("dim", "int[1]?", None, False),
        ("keepdim", "bool", "False", False),
        ("dtype", "ScalarType?", "None", True),
    ]
    assert [one.required for one in schema.arguments] == [True, True, False, False]
    assert [one.type for one in schema.returns] == ["Tensor"]
    assert not schema.is_mutable and not schema.is_view and not schema.has_alias


def test_what_is_written():
    schema = parse_schema("aten::_foreach_add_.List(Tensor(a!)[] self, Tensor[] other, *, Scalar alpha=1) -> ()")
    itself, other, _ = schema.arguments
    assert (itself.type, itself.annotation, itself.alias, itself.writes) == ("Tensor[]", "Tensor(a!)[]", "a!", True)
    assert (other.alias, other.writes) == (None, False)
    assert schema.returns == ()
    assert schema.is_mutable and not schema.is_view


def test_view():
    schema = parse_schema("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]")
    assert schema.arguments[0].alias == "a -> *"
    assert [(one.type, one.alias) for one in schema.returns] == [("Tensor[]", "a")]
    assert schema.is_view and not schema.is_mutable


def test_type_parameters_are_no_alias():
    schema = parse_schema("aten::popitem.str(Dict(str, t)(a!) self) -> ((str, t))")
    assert [(one.type, one.alias) for one in schema.arguments] == [("Dict(str, t)", "a!")]
    assert [one.type for one in schema.returns] == ["(str, t)"]


def test_named_returns():
    schema = parse_schema("aten::topk(Tensor self, SymInt k) -> (Tensor values, Tensor indices)")
    assert [(one.type, one.name) for one in schema.returns] == [("Tensor", "values"), ("Tensor", "indices")]


@pytest.mark.parametrize("text", ['", )"', '"\\"\\\'\\\\"', "[0, 1]", "1.0000000000000001e-05", '["a", "b)"]'])
def test_default_is_read_to_its_end(text: str):
    schema = parse_schema(f"aten::f(str a={text}, int b=1) -> ()")
    assert [one.default for one in schema.arguments] == [text, "1"]


def test_variable_arguments():
    schema = parse_schema("prim::f(int a, ...) -> ...")
    assert schema.takes_more and schema.returns_more
    assert [one.name for one in schema.arguments] == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "aten::f",
        "aten::f(Tensor self",
        "aten::f(Tensor) -> Tensor",
        "aten::f(Tensor self) -> ",
        "aten::f(Tensor self) -> Tensor, more",
        'aten::f(str a="open) -> ()',
        "aten::f(int a=) -> ()",
        "aten::f(Tensor(a! self) -> ()",
    ],
)
def test_what_is_no_schema(text: str):
    with pytest.raises(SchemaError):
        parse_schema(text)


@given(st.text(alphabet="aT:.()[]!*?,=-> \"'\\", max_size=40))
def test_any_text_is_a_schema_or_a_schema_error(text: str):
    try:
        parse_schema("aten::f" + text)
    except SchemaError:
        pass


def test_every_known_schema_survives_the_round_trip():
    known = catalogue()
    overloads = [
        overload
        for release in known.releases
        for name in known.names(release)
        for overload in known.packet(name, release).overloads.values()
    ]
    assert len(overloads) > 19_000
    assert [one for one in overloads if str(one.parsed) != one.schema] == []


def test_agrees_with_torch():
    def ours(schema: Schema) -> list[tuple[object, ...]]:
        return [(one.name, one.required, one.kwarg_only, one.alias is not None, one.writes) for one in schema.arguments]

    def theirs(schema: torch.FunctionSchema) -> list[tuple[object, ...]]:
        return [
            (
                one.name,
                not one.has_default_value(),
                one.kwarg_only,
                one.alias_info is not None,
                one.alias_info is not None and one.alias_info.is_write,
            )
            for one in schema.arguments
        ]

    differing = []
    for schema in torch._C._jit_get_all_schemas():
        parsed = parse_schema(str(schema))
        same = ours(parsed) == theirs(schema) and len(parsed.returns) == len(schema.returns)
        if not same or parsed.is_mutable != schema.is_mutable:
            differing.append(str(schema))
    assert differing == []
