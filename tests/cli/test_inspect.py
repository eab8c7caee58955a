import json
from pathlib import Path
from textwrap import dedent

import pytest

from fxgraph.cli import main

READABLE = """\
class GraphModule(torch.nn.Module):
    def forward(self, p_fc_weight: "f32[4, 3]", x: "f32[2, 3]"):
        # File: model.py:9 in forward, code: return self.fc(x).relu().sum()
        linear: "f32[2, 4]" = torch.ops.aten.linear.default(x, p_fc_weight);  x = p_fc_weight = None
        relu: "f32[2, 4]" = torch.ops.aten.relu.default(linear)
        half: "f16[2, 4]" = torch.ops.aten._to_copy.default(linear, dtype = torch.float16);  linear = None
        sum_1: "f32[]" = torch.ops.aten.sum.default(relu);  relu = None
        return (sum_1,)
"""


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(READABLE)
    return str(path)


def test_the_table(dump, capsys):
    assert main(["inspect", dump]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{dump}:1-8  GraphModule (readable)\nlevel aten: ")
    table = """
        opcode         name         target                          shape   dtype  users
        placeholder    p_fc_weight  p_fc_weight                     (4, 3)  f32    1
        placeholder    x            x                               (2, 3)  f32    1
        call_function  linear       torch.ops.aten.linear.default   (2, 4)  f32    2
        call_function  relu         torch.ops.aten.relu.default     (2, 4)  f32    1
        call_function  half         torch.ops.aten._to_copy.default  (2, 4)  f16    0
        call_function  sum_1        torch.ops.aten.sum.default      ()      f32    1
        output         output       output
    """
    assert [line.split() for line in dedent(table).strip().splitlines()] == [
        line.split() for line in out.split("\n\n")[1].splitlines()
    ]
    assert "opcodes: placeholder 2, call_function 4, output 1\n" in out
    assert "targets:\n  aten.linear.default x 1, 32 B\n  aten.relu.default x 1, 32 B\n" in out


def test_the_columns_stand_below_each_other(dump, capsys):
    main(["inspect", dump])
    rows = capsys.readouterr().out.split("\n\n")[1].splitlines()
    column = rows[0].index("shape")
    assert [row[column : column + 2] for row in rows[1:7]] == ["(4", "(2", "(2", "(2", "(2", "()"]


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        (["target=aten.relu"], ["relu"]),
        (["target=torch.ops.aten.relu.default"], ["relu"]),
        (["target=relu"], ["relu"]),
        (["target=aten.*sum*"], ["sum_1"]),
        (["target=aten.rel"], []),
        (["dtype=f16"], ["half"]),
        (["dtype=float16"], ["half"]),
        (["dtype=torch.float16"], ["half"]),
        (["dead"], ["half"]),
        (["unused"], ["half"]),
        (["op=placeholder"], ["p_fc_weight", "x"]),
        (["name=p_*"], ["p_fc_weight"]),
        (["op=placeholder,name=x"], ["x"]),
        (["op=placeholder", "dtype=f16"], []),
        (["module=fc"], ["p_fc_weight", "linear"]),
        (["module=f"], []),
    ],
)
def test_where(dump, capsys, filters, names):
    assert main(["inspect", dump, *[part for one in filters for part in ("--where", one)]]) == 0
    table = capsys.readouterr().out.split("\n\n")[1].splitlines()
    assert [line.split()[1] for line in table[1:]] == names


def test_where_says_on_what_ground_a_node_belongs_to_a_module(dump, capsys):
    main(["inspect", dump, "--where", "module=fc"])
    out = capsys.readouterr().out
    assert "2 nodes of 7\n" in out
    assert "module=fc: 1 by name of the input, 1 by reads an attribute of it\n" in out


@pytest.mark.parametrize("wrong", ["colour=red", "target=", "nope", "op=call"])
def test_a_wrong_filter(dump, capsys, wrong):
    assert main(["inspect", dump, "--where", wrong]) == 2
    err = capsys.readouterr().err
    assert "known are" in err
    assert err.count("\n") == 1


def test_json(dump, capsys):
    assert main(["inspect", "--json", dump]) == 0
    answer = json.loads(capsys.readouterr().out)
    (graph,) = answer["graphs"]
    assert (answer["file"], graph["name"], graph["form"], graph["container"]) == (dump, "GraphModule", "readable", None)
    assert (graph["lines"], graph["level"], graph["complete"], graph["parent"]) == ([1, 8], "aten", True, None)
    assert graph["levels"] == {"aten": ["linear", "relu", "half", "sum_1"]}
    assert graph["nodes"][2] == {
        "name": "linear",
        "opcode": "call_function",
        "target": "torch.ops.aten.linear.default",
        "line": 4,
        "column": 9,
        "users": ["relu", "half"],
        "index": 2,
        "users_at": [3, 4],
        "printed_users": None,
        "type": "f32[2, 4]",
        "unused": False,
        "dead": False,
        "effect": None,
        "source": {"path": "model.py", "line": 9, "function": "forward", "code": "return self.fc(x).relu().sum()"},
        "type_from": "printed",
    }
    assert graph["nodes"][-1]["name"] == "output"
    assert (graph["nodes"][-1]["line"], graph["nodes"][-1]["column"]) == (8, 9)
    assert graph["references"][0] == {"name": "x", "use": [4, 61], "def": [2, 49]}
    assert [found["code"] for found in answer["findings"]] == ["FX201"]


def test_where_with_json_chooses_nodes(dump, capsys):
    assert main(["inspect", "--json", "--where", "dtype=f16", dump]) == 0
    (graph,) = json.loads(capsys.readouterr().out)["graphs"]
    assert [node["name"] for node in graph["nodes"]] == ["half"]
    assert len(graph["references"]) == 6


def test_json_of_undefined_names_and_wide_characters(tmp_path, capsys):
    path = tmp_path / "😀.fxgraph"
    lines = [
        "# 😀 %x",
        "# graph():",
        "#     %x : [num_users=1] = placeholder[target=é]",
        "#     return ('😀', x, gone)",
        "",
    ]
    path.write_bytes("\r\n".join(lines).encode())
    assert main(["inspect", "--json", str(path)]) == 0
    (graph,) = json.loads(capsys.readouterr().out)["graphs"]
    assert graph["lines"] == [2, 4]
    assert graph["references"] == [
        {"name": "x", "use": [4, 20], "def": [3, 8]},
        {"name": "gone", "use": [4, 23], "def": None},
    ]


def test_an_empty_file(tmp_path, capsys):
    path = tmp_path / "empty.fxgraph"
    path.write_text("")
    assert main(["inspect", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: no graphs\n"
    assert main(["inspect", "--json", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(path), "graphs": [], "findings": []}


def test_a_node_defined_twice_lists_its_users_once(tmp_path, capsys):
    path = tmp_path / "twice.txt"
    path.write_text("""graph():
    %x : [num_users=1] = placeholder[target=x]
    %y : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    %y : [num_users=1] = call_function[target=torch.sin](args = (%x,), kwargs = {})
    return y
""")
    main(["inspect", "--json", str(path)])
    graph = json.loads(capsys.readouterr().out)["graphs"][0]
    assert [(node["name"], node["line"], node["users"], node["unused"]) for node in graph["nodes"][1:3]] == [
        ("y", 3, ["output"], False),
        ("y", 4, [], False),
    ]
    assert [reference["def"] for reference in graph["references"] if reference["name"] == "y"] == [[3, 6]]


def test_the_parts_of_a_larger_graph(capsys):
    path = Path(__file__).parents[2] / "fixtures" / "2.13.0" / "block.export.program.txt"
    main(["inspect", str(path)])
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("parts by")]
    assert line.startswith("parts by the signature: norm_1 (1 node); qkv (1 node); out (1 node); ")


def test_a_directory_without_dumps_is_one_line(tmp_path, capsys):
    assert main(["inspect", str(tmp_path)]) == 0
    (tmp_path / "notes.md").write_text("no graph here")
    assert main(["inspect", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path}: no graphs\n" * 2


def test_tables_and_counts_leave_out_addresses(tmp_path, capsys):
    path = tmp_path / "tab.txt"
    path.write_text("""\
opcode         name    target                                                  args      kwargs
-------------  ------  ------------------------------------------------------  --------  --------
placeholder    x       x                                                       ()        {}
call_function  cat     <built-in method cat of type object at 0x7fb7ffacea40>  ([x, x],)  {}
call_function  pad     <function pad at 0x7fb7e0de0540>                        (cat, 1)  {}
output         output  output                                                  (pad,)    {}
""")
    assert main(["inspect", str(path)]) == 0
    out = capsys.readouterr().out
    assert "0x7f" not in out
    assert "call_function  cat     <built-in method cat>" in out
    assert "targets: <built-in method cat> x 1; <function pad> x 1\n" in out


def test_a_node_that_is_called_output(tmp_path, capsys):
    """Names cannot tell it from the output node; indices can."""
    path = tmp_path / "net.fxgraph"
    path.write_text("""graph():
    %x : [num_users=2] = placeholder[target=x]
    %output : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    return (x, output)
""")
    main(["inspect", "--json", str(path)])
    nodes = json.loads(capsys.readouterr().out)["graphs"][0]["nodes"]
    assert [(node["index"], node["opcode"], node["users_at"]) for node in nodes] == [
        (0, "placeholder", [1, 2]),
        (1, "call_function", [2]),
        (2, "output", []),
    ]


def test_readers_that_stand_elsewhere(tmp_path, capsys):
    quoted = tmp_path / "error.txt"
    quoted.write_text(
        "While executing %y : [num_users=2] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n\n"
        "While running %z : [num_users=0] = call_function[target=torch.neg](args = (%x,), kwargs = {})\n"
    )
    assert main(["inspect", "--json", str(quoted)]) == 0
    graphs = json.loads(capsys.readouterr().out)["graphs"]
    told = [(node["name"], node["unused"], node["users"]) for graph in graphs for node in graph["nodes"]]
    assert told == [("y", False, []), ("z", True, [])]
    main(["inspect", str(quoted)])
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("call_function")]
    assert rows == [["call_function", "y", "torch.relu", "2"], ["call_function", "z", "torch.neg", "0"]]


def test_a_cut_graph_without_counts_claims_no_zero(tmp_path, capsys):
    cut = tmp_path / "cut.py"
    cut.write_text(READABLE.rsplit("\n", 2)[0] + "\n")
    main(["inspect", str(cut)])
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("call_function")]
    assert [row[1:2] + row[-1:] for row in rows] == [
        ["linear", "2"],
        ["relu", "1"],
        ["half", "f16"],
        ["sum_1", "f32"],
    ]
