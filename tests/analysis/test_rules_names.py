from analysis.checks import check_findings, check_message, check_nothing


def test_undefined_name():
    check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %add : [num_users=1] = call_function[target=torch.add](args = (%x, %fc), kwargs = {})
                                                                                ^ FX101
            return add
        """,
        "`fc` is read by node `add`, but this graph does not define it",
    )


def test_undefined_name_on_the_return_line():
    check_message(
        """
        def forward(self, x):
            relu = torch.relu(x);  x = None
            return (relu, gate)
                          ^ FX101
        """,
        "`gate` is read by the return line, but this graph does not define it",
    )


def test_each_read_of_an_undefined_name_is_marked():
    check_findings("""
        graph():
            %add : [num_users=1] = call_function[target=torch.add](args = (%fc, %fc), kwargs = {})
                                                                            ^ FX101
                                                                                 ^ FX101
            return add
    """)


def test_a_name_of_another_graph_is_undefined():
    check_findings("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                body_0 = self.body_0
                wrap = torch.ops.higher_order.wrap(body_0, x);  body_0 = x = None
                return wrap

            class body_0(torch.nn.Module):
                def forward(self, y: "f32[2]"):
                    add = torch.ops.aten.add.Tensor(y, x);  y = None
                                                       ^ FX101
                    return add
    """)


def test_nothing_is_undefined_in_a_fragment():
    check_nothing("""
        %add : [num_users=1] = call_function[target=torch.add](args = (%x, %fc), kwargs = {})
        %mul : [num_users=1] = call_function[target=torch.mul](args = (%add, %fc), kwargs = {})
    """)


def test_nothing_is_undefined_where_a_line_could_not_be_read():
    check_findings("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %fc : [num_users=1] = call_function[targ
            ^ FX001
            %add : [num_users=1] = call_function[target=torch.add](args = (%x, %fc), kwargs = {})
            return add
    """)


def test_used_before_definition():
    finding = check_message(
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %add : [num_users=1] = call_function[target=torch.add](args = (%x, %relu), kwargs = {})
                                                                                ^ FX102
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            return add
        """,
        "Argument `relu` of node `add` was used before it has been defined",
    )
    assert finding.name == "relu"
    assert [words for _, words in finding.related] == ["`relu` is defined here"]


def test_a_node_that_reads_itself():
    check_findings("""
        graph():
            %relu : [num_users=2] = call_function[target=torch.relu](args = (%relu,), kwargs = {})
                                                                              ^ FX102
            return relu
    """)


def test_used_before_definition_in_a_pasted_middle():
    check_findings("""
        %add : [num_users=1] = call_function[target=torch.add](args = (%x, %relu), kwargs = {})
                                                                            ^ FX102
        %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    """)


def test_kernel_fragments_have_no_order():
    check_nothing("""
        # Graph fragment:
        #   %a : Tensor "f32[4][1]cuda:0" = PlaceHolder[target=a]
        #   %add : [num_users=4] = call_function[target=torch.ops.aten.add.Tensor](args = (%a, %exp), kwargs = {})
        #   %exp : [num_users=2] = call_function[target=torch.ops.aten.exp.default](args = (%a,), kwargs = {})
        #   return %add
    """)


def test_redefined_name():
    finding = check_message(
        """
        graph():
            %x : [num_users=1] = placeholder[target=x]
            %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
            %relu : [num_users=1] = call_function[target=torch.neg](args = (%relu,), kwargs = {})
             ^ FX103
            return relu
        """,
        "Node redefined name `relu`!",
    )
    assert [words for _, words in finding.related] == ["the first definition"]


def test_the_same_name_in_two_graphs_is_no_redefinition():
    check_nothing("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
            return x

        graph():
            %x : [num_users=1] = placeholder[target=x]
            return x
    """)


def test_an_input_called_output():
    check_nothing("""
        graph():
            %output : [num_users=1] = placeholder[target=output]
            return output
    """)


def test_read_after_free():
    finding = check_message(
        """
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2, 3]", w: "f32[3, 3]"):
                mm: "f32[2, 3]" = torch.ops.aten.mm.default(x, w);  w = None
                relu: "f32[2, 3]" = torch.ops.aten.relu.default(mm);  mm = None
                add: "f32[2, 3]" = torch.ops.aten.add.Tensor(relu, mm);  relu = None
                                                                   ^ FX105
                return (add, x)
        """,
        "`mm` is read by node `add`, but `mm = None` stands above",
    )
    assert [words for _, words in finding.related] == ["`mm` is set to None here"]


def test_a_read_on_the_line_that_frees_is_fine():
    check_nothing("""
        def forward(self, x):
            relu = torch.relu(x);  x = None
            relu += 1;  add = relu;  relu = None
            return add
    """)


def test_a_returned_value_that_was_freed():
    check_findings("""
        def forward(self, x):
            relu = torch.relu(x);  x = None
            return (relu, x)
                          ^ FX105
    """)


def test_a_second_definition_gives_a_freed_name_a_value_again():
    check_findings("""
        def forward(self, x):
            relu = torch.relu(x);  x = None
            add = torch.neg(relu);  relu = None
            relu = torch.abs(add);  add = None
            ^ FX103
            return relu
    """)


def test_lines_that_quote_nodes_quote_them_in_any_order():
    """Inductor lowers a nested graph between the nodes of the graph around it."""
    check_nothing("""
        lowering %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%arg0_1,), kwargs = {})
        lowering %arg0_1 : [num_users=1] = placeholder[target=arg0_1]
    """)
