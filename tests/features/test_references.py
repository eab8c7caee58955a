from fxgraph.features.highlights import highlights
from fxgraph.features.references import references
from markers import marked


def check_references(source: str) -> None:
    """All marks are found: those called `definition` only when it is asked for, those called `freed` as highlights."""
    text = marked(source)
    reads = text.spans("")
    assert references(text.snapshot, text.cursor) == reads
    both = sorted(reads + text.spans("definition"))
    assert sorted(references(text.snapshot, text.cursor, include_definition=True)) == both
    marks = {(span, label != "") for span, label in text.marks}
    assert {(one.span, one.writes) for one in highlights(text.snapshot, text.cursor)} == marks


def test_references_of_an_input():
    check_references("""
        graph():
            %x : [num_users=2] = placeholder[target=x]
             ^ definition
            %add : [num_users=1] = call_function[target=operator.add](args = (%x, %|x), kwargs = {})
                                                                               ^    ^
            %pad : [num_users=1] = call_function[target=torch.pad](args = ([%add], x), kwargs = {value: %x})
                                                                                                         ^
            return (pad,)
    """)


def test_lists_that_free_names_are_no_references():
    check_references("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                              ^ definition
                relu: "f32[2]" = torch.relu(x)
                                            ^
                neg: "f32[2]" = torch.neg(x);  |x = None
                                          ^
                                                ^ freed
                return (relu, neg)
    """)


def test_a_name_that_is_set_to_none_with_others_and_at_once():
    check_references("""
        class GraphModule(torch.nn.Module):
            def forward(self, x: "f32[2]"):
                relu: "f32[2]" = torch.relu(x)
                neg: "f32[2]" = torch.neg(relu);  x = relu = neg| = None
                ^^^ definition
                                                             ^^^ freed
                return (relu,)
    """)


def test_references_from_the_return_line():
    check_references("""
        graph():
            %x : [num_users=1] = placeholder[target=x]
             ^ definition
            return {'x': |x}
                          ^
    """)


def test_reads_of_a_name_that_is_nowhere_defined():
    check_references("""
        graph():
            %relu : [num_users=2] = call_function[target=torch.relu](args = (%gone,), kwargs = {})
                                                                              ^^^^
            %neg : [num_users=1] = call_function[target=torch.neg](args = (%|gone,), kwargs = {})
                                                                             ^^^^
            return (neg, relu)
    """)


def test_nothing_refers_to_an_opcode():
    text = marked("""
        graph():
            %x : [num_users=1] = place|holder[target=x]
            return x
    """)
    assert references(text.snapshot, text.cursor, include_definition=True) == []
    assert highlights(text.snapshot, text.cursor) == []
