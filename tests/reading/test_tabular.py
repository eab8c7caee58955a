"""print_tabular, as the package `tabulate` writes it."""

from __future__ import annotations

from reading.checks import check_graphs, check_nothing, check_uses


def test_table():
    check_graphs(
        """
        opcode         name      target                                                    args                   kwargs
        -------------  --------  --------------------------------------------------------  ---------------------  -----------
        placeholder    x         x                                                         ()                     {}
        get_attr       weight    layers.0.weight                                           ()                     {}
        call_function  add       <built-in function add>                                   (x, weight)            {}
        call_function  cat       <built-in method cat of type object at 0x7f151dccea40>    ([add, x],)            {'dim': 1}
        call_function  sum_1     aten.sum.dim_IntList                                      (cat, [0])             {}
        call_function  cond      cond                                                      (sum_1, x, 'add')      {}
        call_method    relu      relu                                                      (cond,)                {}
        call_module    fc        layers.a b-c                                              (relu,)                {'k': cat}
        output         output    output                                                    ((fc, {'x': sum_1}),)  {}
        """,
        """
        [tabular]
        x = placeholder x
        weight = get_attr layers.0.weight
        add = call_function <built-in function add>(x, weight)
        cat = call_function <built-in method cat of type object at 0x7f151dccea40>(add, x)
        sum_1 = call_function torch.ops.aten.sum.dim_IntList(cat)
        cond = call_function torch.ops.higher_order.cond(sum_1, x)
        relu = call_method relu(cond)
        fc = call_module layers.a b-c(relu, cat)
        output = output (fc, sum_1)
        """,
    )


def test_uses():
    check_uses("""
        opcode         name    target                args                                kwargs
        -------------  ------  --------------------  ----------------------------------  --------
        placeholder    x       x                     ()                                  {}
        placeholder    sub     sub                   ()                                  {}
        call_function  a       <function f at 0x7f>  (x, 'x', slice(None, sub, None))    {'x': x}
                                                      ^                   ^^^                  ^
        output         output  output                (a,)                                {}
                                                      ^
    """)


def test_head_in_a_log_of_torch_2_2():
    # the name stands on the line of the head, so that this does not stand above its columns
    assert (
        check_graphs(
            """
        [2026-11-29 17:00:19,472] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] TRACED GRAPH
        [2026-11-29 17:00:19,472] [0/0] torch._dynamo.output_graph.__graph: [DEBUG]  __compiled_fn_0 <eval_with_key>.0 opcode         name    target    args        kwargs
        [2026-11-29 17:00:19,472] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] -------------  ------  --------  ----------  --------
        [2026-11-29 17:00:19,472] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] placeholder    l_x_    L_x_      ()          {}
        [2026-11-29 17:00:19,472] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] call_method    relu    relu      (l_x_,)     {}
        [2026-11-29 17:00:19,472] [0/0] torch._dynamo.output_graph.__graph: [DEBUG] output         output  output    ((relu,),)  {}
        """,
            """
        [tabular, log]
        l_x_ = placeholder L_x_
        relu = call_method relu(l_x_)
        output = output (relu)
        """,
        )
        .graphs[0]
        .title
        == "__compiled_fn_0"
    )


def test_a_blank_line_behind_every_line():
    check_graphs(
        """
        opcode       name    target    args        kwargs

        -----------  ------  --------  ----------  --------

        placeholder  x       x         ()          {}

        call_method  relu    relu      (x,)        {}

        output       output  output    ((relu,),)  {}
        """,
        """
        [tabular]
        x = placeholder x
        relu = call_method relu(x)
        output = output (relu)
        """,
    )


def test_a_cell_with_a_line_end():
    check_graphs(
        """
        opcode         name    target    args                kwargs
        -------------  ------  --------  ------------------  --------
        placeholder    x       x         ()                  {}
        call_function  f       f         (x, 'one            {}
                                         two', x)
        output         output  output    (f,)                {}
        """,
        """
        [tabular]
        x = placeholder x
        f = call_function torch.ops.higher_order.f(x, x)
        output = output (f)
        """,
    )


def test_text_before_and_behind():
    check_graphs(
        """
        my backend:
        opcode       name    target    args    kwargs
        -----------  ------  --------  ------  --------
        placeholder  x       x         ()      {}
        output       output  output    (x,)    {}
        placeholder  is no row any more
        """,
        """
        [tabular]
        x = placeholder x
        output = output (x)
        """,
    )


def test_a_row_that_fails():
    check_graphs(
        """
        opcode       name    target    args    kwargs
        -----------  ------  --------  ------  --------
        placeholder  x       x         ()      {}
        placeholder  y +
        output       output  output    (x,)    {}
        """,
        """
        [tabular, 1 broken]
        x = placeholder x
        output = output (x)
        """,
    )


def test_cut_in_the_rows():
    check_graphs(
        """
        opcode       name    target    args    kwargs
        -----------  ------  --------  ------  --------
        placeholder  x       x         ()      {}
        """,
        """
        [tabular, no end]
        x = placeholder x
        """,
    )


def test_words_that_are_no_table():
    check_nothing("""
        opcode name target args kwargs
        are the columns of a table
    """)
