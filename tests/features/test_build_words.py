"""What a hover says of an operator by an installed torch."""

from fxgraph.features.hovers.build import build_text


class Torch:
    """A torch that has one operator."""

    def __init__(self, **overload):
        self.overload = {"has_decomposition": False, "has_meta": True, "tags": [], **overload}

    def family(self, name):
        return "9.9", {"name": name, "higher_order": False, "overloads": [self.overload]}


RELU = {"name": "default", "schema": "aten::relu(Tensor self) -> Tensor"}
FOO = {"name": "default", "schema": "demo::foo(Tensor x) -> Tensor"}


def test_tags_are_told_where_the_catalogue_knows_others():
    words = "In your torch 9.9: the same schema; no registered decomposition; runs on meta tensors"
    assert build_text(Torch(**RELU), "torch.ops.aten.relu.default") == f"{words}."
    same = ["core", "pointwise", "pt2_compliant_tag"]
    assert build_text(Torch(**RELU, tags=same), "torch.ops.aten.relu.default") == f"{words}."
    other = build_text(Torch(**RELU, tags=["core", "brand_new"]), "torch.ops.aten.relu.default")
    assert other == f"{words}; tags `brand_new`, `core`."


def test_a_custom_operator():
    assert build_text(Torch(**FOO, tags=["pt2_compliant_tag"], has_meta=False), "torch.ops.demo.foo.default") == (
        "In your torch 9.9: no registered decomposition; no kernel for meta tensors; tags `pt2_compliant_tag`.\n\n"
        "`demo::foo(Tensor x) -> Tensor`"
    )
