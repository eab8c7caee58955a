"""FX401 and FX402: what the catalogue knows of a call."""

from __future__ import annotations

from analysis.checks import check_findings, check_message, check_nothing


def test_unknown_overload():
    check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensr](args = (%x, %x), kwargs = {})
             ^ FX401
            return add
        """,
        "`aten.add` has no overload `Tensr` in any known release of torch (1.13.1 to 2.14.1); similar: `aten.add.Tensor`",
    )


def test_overload_of_an_old_release_and_custom_operators_are_known():
    check_nothing("""
        graph():
            %x : [num_users=3] = placeholder[target=x]
            %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_DimnameList](args = (%x, [C]), kwargs = {})
            %foo : [num_users=1] = call_function[target=torch.ops.demo.foo.bar](args = (), kwargs = {})
            %foo_1 : [num_users=1] = call_function[target=torch.ops.inductor.foo.bar](args = (%x,), kwargs = {})
            %new : [num_users=1] = call_function[target=torch.ops.aten.brand_new.Tensor](args = (%x,), kwargs = {})
            return (sum_1, foo, foo_1, new)
    """)


def test_missing_argument_in_every_form():
    check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x,), kwargs = {})
             ^ FX402
            return mm
        """,
        "`aten.mm.default` lacks its argument `mat2`; its schema is `aten::mm(Tensor self, Tensor mat2) -> Tensor` in torch 2.14.1",
    )
    check_findings("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2, 2]"):
                mm: "f32[2, 2]" = torch.ops.aten.mm.default(x);  x = None
                ^ FX402
                return mm
    """)
    check_findings("""
        opcode         name    target           args       kwargs
        -------------  ------  ---------------  ---------  --------
        placeholder    x       x                ()         {}
        call_function  mm      aten.mm.default  (x,)       {}
                       ^ FX402
        output         output  output           ((mm,),)   {}
    """)


def test_too_many_arguments():
    check_message(
        """
        def forward(self, x):
            relu = torch.ops.aten.relu.default(x, x);  x = None
            ^ FX402
            return relu
        """,
        "`aten.relu.default` takes 1 positional argument, but 2 are given; its schema is `aten::relu(Tensor self) -> Tensor` in torch 2.14.1",
    )


def test_unknown_keyword():
    check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%x,), kwargs = {type: torch.float32})
             ^ FX402
            return sum_1
        """,
        "`aten.sum.default` has no argument `type`; its schema is `aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor` in torch 2.14.1",
    )


def test_what_the_schema_takes_is_fine():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %clone : [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%x,), kwargs = {memory_format: torch.contiguous_format})
            %full : [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([2, 3], 1), kwargs = {dtype: torch.float32, layout: torch.strided, device: cpu, pin_memory: False})
            return (clone, full)
    """)


def test_strings_without_quotes_prove_nothing():
    check_nothing("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %y : [num_users=1] = placeholder[target=y]
            %einsum : [num_users=1] = call_function[target=torch.ops.aten.einsum.default](args = (bij, bjk -> bik, [%x, %y]), kwargs = {})
            %gelu : [num_users=1] = call_function[target=torch.ops.aten.gelu.default](args = (%x,), kwargs = {approximate: a, b: c})
            return (einsum, gelu)
    """)


def test_a_cut_call_proves_nothing():
    check_nothing(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x,
        """,
        select={"FX401", "FX402"},
    )


def test_a_wrong_call_among_right_ones_of_the_same_operator():
    check_findings("""
        graph():
            %x : [num_users=3] = placeholder[target=x]
            %a : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
            %b : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x, %x), kwargs = {})
             ^ FX402
            %c : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {inplace: 1})
             ^ FX402
            return (a, b, c)
    """)
    check_findings("""
        def forward(self, x):
            a = torch.ops.aten.cumsum.default(x, dim = 0)
            b = torch.ops.aten.cumsum.default(x, axis = 0)
            ^ FX402
            c = torch.ops.aten.cumsum.default(x, dim = 0);  x = None
            return (a, b, c)
    """)
    check_findings("""
        opcode         name    target               args     kwargs
        -------------  ------  -------------------  -------  ------------
        placeholder    x       x                    ()       {}
        call_function  a       aten.cumsum.default  (x, 0)   {}
        call_function  b       aten.cumsum.default  (x,)     {'dim': 0}
        call_function  c       aten.cumsum.default  (x,)     {'axis': 0}
                       ^ FX402
        output         output  output               ((a, b, c),)  {}
    """)
