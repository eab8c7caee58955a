"""What is coloured as what: a line of `^` names the group of the characters above it, and ends where that group ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from markers import marked

CheckSyntax = Callable[[str], None]


@pytest.fixture
def check_syntax(run_neovim, tmp_path: Path) -> CheckSyntax:
    def check(screen: str) -> None:
        dump = marked(screen)
        file = tmp_path / "screen.fxgraph"
        file.write_text(dump.text)
        rows = run_neovim("syntax_groups.lua", file)["groups"]
        groups = [group.removeprefix("fxgraph") for row in rows for group in [*row, ""]]
        assert dump.marks
        for (start, end), name in dump.marks:
            shown = f"{dump.text[start:end]!r} must be {name}"
            assert groups[start:end] == [name] * (end - start), shown
            assert name not in groups[max(start - 1, 0) : start] + groups[end : end + 1], (
                f"{shown}, and no more than that"
            )

    return check


def test_print_graph(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        graph():
        ^^^^^^^ Head
            %x : torch.Tensor [num_users=1] = placeholder[target=x]
            ^^ Definition
                 ^^^^^^^^^^^^ Type
                               ^^^^^^^^^^^ Users
                                              ^^^^^^^^^^^ Opcode
                                                                 ^ Target
            %l : [#users=1] = get_attr[target=layers.0.a b-c]
                  ^^^^^^^^ Users
                              ^^^^^^^^ Opcode
                                              ^^^^^^^^^^^^^^ Target
            %t : Tensor "f32[3, 4][1, 3]cpu"[num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%x,), kwargs = {})
                        ^^^^^^^^^^^^^^^^^^^^ Type
                                             ^^^^^^^^^^^ Users
                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^ Target
                                                                                                                   ^^ Name
            %sum_1 : [num_users=1] = call_method[target=sum](args = (%t, -1, 1e-05, None), kwargs = {dtype: torch.float32})
            ^^^^^^ Definition
                                                                          ^ Number
                                                                             ^^^^^ Number
                                                                                    ^^^^ Constant
                                                                                                            ^^^^^^^^^^^^^ Target
            return (sum_1, 'a b')
            ^^^^^^ Keyword
                           ^^^^^ String
    """)


def test_code(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        def forward(self, x, L_y_ : torch.Tensor):
        ^^^ Keyword
            ^^^^^^^ HeadName
                                    ^^^^^^^^^^^^ Type
            l_y_ = L_y_
            ^^^^ Definition
            fc = self.layers.fc(x);  x = None
            ^^ Definition
                 ^^^^^^^^^^^^^^ Module
                                     ^^^^^^^^ Free
            relu = fc.relu();  fc = x_1 = None
            ^^^^ Definition
                      ^^^^ Method
                               ^^^^^^^^^^^^^^^ Free
            add = torch.ops.aten.add.Tensor(relu, 1);  relu = None
                  ^^^^^^^^^^^^^^^^^^^^^^^^^ Target
                                                  ^ Number
            return add
            ^^^^^^ Keyword
    """)


def test_readable(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        class <lambda>(torch.nn.Module):
        ^^^^^ Keyword
              ^^^^^^^^ HeadName
                       ^^^^^^^^^^^^^^^ Target
            def forward(
                ^^^^^^^ HeadName
                self,
                primals_3: "f32[2, 3]",  # PlainAOTInput(idx=2)
                ^^^^^^^^^ Definition
                           ^^^^^^^^^^^ Type
                                         ^^^^^^^^^^^^^^^^^^^^^^ Comment
            ):
                # File: /home/user/models.py:46 in forward, code: return self.fc(x).relu()
                ^^^^^^^^ Comment
                        ^^^^^^^^^^^^^^^^^^^^^^^ Source
                t: "f32[s77, 4][1, 3]cpu" = torch.ops.aten.t.default(primals_3);  primals_3 = None
                ^ Definition
                   ^^^^^^^^^^^^^^^^^^^^^^ Type
                                            ^^^^^^^^^^^^^^^^^^^^^^^^ Target
                expand = torch.ops.aten.expand.default(t, [s77, True])
                                                           ^^^ Symbol
                                                                ^^^^ Constant
    """)


def test_table(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        opcode         name    target                                                  args                    kwargs
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TableHead
        -------------  ------  ------------------------------------------------------  ----------------------  --------
        placeholder    x       x                                                       ()                      {}
        ^^^^^^^^^^^ TableOpcode
                       ^ TableName
                               ^ TableTarget
        call_function  cat     <built-in method cat of type object at 0x7f151dccea40>  ([x, x],)               {'dim': 1}
        ^^^^^^^^^^^^^ TableOpcode
                       ^^^ TableName
                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TableTarget
                                                                                                                ^^^^^ String
                                                                                                                       ^ Number
        call_function  relu    aten.relu.default                                       (cat,)                  {}
                               ^^^^^^^^^^^^^^^^^ TableTarget
        output         output  output                                                  (relu,)                 {}
        ^^^^^^ TableOpcode
    """)


def test_graph_quoted_in_comments(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        # Graph fragment:
        ^^^^^^^^^^^^^^^^^ Comment
        #   %x : Tensor "i64[2][1]cpu" = PlaceHolder[target=x]
        ^ Comment
            ^^ Definition
                        ^^^^^^^^^^^^^^ Type
                                         ^^^^^^^^^^^ Opcode
        // %y : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {})
        ^^ Comment
           ^^ Definition
        #     mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 2);  x = None
        ^ Comment
              ^^^ Definition
                   ^^^^^^^^ Type
    """)


def test_logged_graph(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        [rank0]:V1129 17:00:45.878000 405 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code]  x.py class G(torch.nn.Module):
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ LogPrefix
                                                                                                         ^^^^^ Keyword
                                                                                                               ^ HeadName
        V1129 17:00:45.878000 405 torch/_dynamo/output_graph.py:2835] [0/0] [__graph_code]         mul: "f32[2]" = x * 2
                                                                                                   ^^^ Definition
                                                                                                        ^^^^^^^^ Type
    """)


def test_logged_graph_of_2_2(check_syntax: CheckSyntax) -> None:
    check_syntax("""
        [2024-01-02 12:00:00,000] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG]     mul: "f32[2]" = x * 2
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ LogPrefix
                                                                                             ^^^ Definition
                                                                                                  ^^^^^^^^ Type
    """)


def test_long_lines_are_coloured_up_to_a_bound(run_neovim, tmp_path: Path) -> None:
    file = tmp_path / "long.fxgraph"
    file.write_text("def forward(self, " + ", ".join(f'p_{i}: "f32[{i}]"' for i in range(500)) + "):\n")
    row = run_neovim("syntax_groups.lua", file)["groups"][0]
    assert len(row) > 5000
    assert "fxgraphType" in row[:2000]
    assert set(row[2000:]) == {""}


@pytest.mark.parametrize(
    "piece",
    [
        "'",
        '"',
        "%x ",
        "a = ",
        ";  a = ",
        "[target=",
        "- ",
        "  ",
        "x.",
        "<a",
        ": ",
        'x: "',
        "# ",
        "1.",
        "torch.",
        "File: x",
    ],
)
def test_long_hostile_lines_are_drawn_in_time(run_neovim, tmp_path: Path, piece: str) -> None:
    file = tmp_path / "hostile.fxgraph"
    line = piece * (300_000 // len(piece))
    file.write_text(f"{line}\n    {line}\n# {line}\nplaceholder  {line}\n%x : {line}\n")
    drawn = run_neovim("redraw.lua", file)
    assert drawn["syntax"] == "fxgraph"
    assert "redrawtime" not in drawn["messages"]
