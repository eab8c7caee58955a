from features.test_folding import LOG
from fxgraph.features.links import links
from fxgraph.features.symbols import symbols
from fxgraph.reading import nodes_by_source
from markers import marked


def check_links(source: str, targets: list[tuple[str, int]]) -> None:
    """Links stand where the `^` marks are and lead to these paths and lines."""
    text = marked(source)
    found = links(text.snapshot)
    assert text.show([link.span for link in found]) == text.show(text.spans())
    assert [(link.path, link.line) for link in found] == targets


def test_a_source_comment():
    check_links(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # File: C:\\work\\model.py:3 in forward, code: y = x.relu()
                        ^^^^^^^^^^^^^^^^^^
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                return (relu,)
        """,
        [("C:\\work\\model.py", 3)],
    )


def test_a_traceback():
    check_links(
        """
        Traceback (most recent call last):
          File "/home/me/train.py", line 12, in <module>
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^
          File "<eval_with_key>.0", line 4, in forward
        While executing %relu : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {})
        """,
        [("/home/me/train.py", 12)],
    )


def test_a_pytest_failure():
    check_links(
        """
        >       check(gm)
        E       AssertionError: graph():
        E           %x : [num_users=0] = placeholder[target=x]

        src/test_net.py:12: AssertionError
        ^^^^^^^^^^^^^^^^^^
        src/test_net.py:14: in test_net
        ^^^^^^^^^^^^^^^^^^
        C:\\work\\net.py:3: UserWarning: see net.py:4
        ^^^^^^^^^^^^^^^^
        """,
        [("src/test_net.py", 12), ("src/test_net.py", 14), ("C:\\work\\net.py", 3)],
    )


def test_the_file_of_a_kernel():
    check_links(
        """
        # kernel path: /home/dev/cache/qz/cqz41silu.py
                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        # Source node to ATen node mapping:
        """,
        [("/home/dev/cache/qz/cqz41silu.py", 1)],
    )


def test_a_trace_of_dynamo():
    front = "V1129 17:00:19.472000 99 torch/fx.py:1833] [0/0] [__trace_source] "
    lines = [
        "torchdynamo start tracing forward src/net.py:45",
        "TRACE starts_line /home/me/net.py:46 in forward (Net.forward)",
        "TRACE inlined call f from net.py:47 in forward (Net.forward)",
        "| +- GUARD_MANAGER: len(x) == 3  # ome/me/net.py:46 in forward",
    ]
    found = links(marked("\n".join(front + line for line in lines)).snapshot)
    assert [(link.path, link.line) for link in found] == [
        ("torch/fx.py", 1833),
        ("src/net.py", 45),
        ("/home/me/net.py", 46),
        ("net.py", 47),
    ]


def test_a_source_comment_outside_of_graphs():
    check_links(
        """
        Kernels of the model:
            # File: pkg/net.py:3 in forward, code: y = x.relu()
                    ^^^^^^^^^^^^
            buf0 = empty((2, 3))
        It fails in net.py:7, at http://host/net.py:8 and in <x.py:9>.
        """,
        [("pkg/net.py", 3)],
    )


def test_prefixes_of_a_log_once_a_message():
    found = links(marked(LOG).snapshot)
    assert [(link.path, link.line) for link in found] == [
        ("torch/_dynamo/output_graph.py", 2835),
        ("torch/_dynamo/convert_frame.py", 1016),
        ("torch/fx.py", 1833),
    ]


def test_the_outline_of_a_log_by_compilation():
    compile_, *others = symbols(marked(LOG).snapshot)
    assert not others
    assert (compile_.name, compile_.detail, compile_.kind) == ("[0/0]", "2 graphs", "compile")
    assert [child.name for child in compile_.children] == ["__compiled_fn_1", "Forward graph 0"]


def test_from_a_source_line_to_its_nodes():
    dump = marked("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                # File: model.py:3 in forward, code: y = x.relu().sin()
                relu: "f32[2]" = torch.ops.aten.relu.default(x);  x = None
                sin: "f32[2]" = torch.ops.aten.sin.default(relu);  relu = None

                # File: model.py:4 in forward, code: return -y
                neg: "f32[2]" = torch.ops.aten.neg.default(sin);  sin = None
                return (neg,)
    """).snapshot.dump
    found = {place: [node.name for _, node in nodes] for place, nodes in nodes_by_source(dump).items()}
    assert found == {("model.py", 3): ["relu", "sin"], ("model.py", 4): ["neg"]}
    assert nodes_by_source(dump) is nodes_by_source(dump)
