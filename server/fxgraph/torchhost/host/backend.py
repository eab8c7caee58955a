"""`torch.compile(model, backend="fxgraph")`: saves the graphs of each compilation and runs them eagerly.

An entry point of the group `torch_dynamo_backends` (torch/_dynamo/backends/registry.py) names `fxgraph` here. The
folder is `FXGRAPH_DIR`, else `fxgraph-dumps`. With `FXGRAPH_BACKEND=inductor` that backend compiles what was saved; of
other backends than inductor only the dynamo graph is seen.
"""

import functools
import os
import sys
import threading
import urllib.parse
import warnings

_LOCK = threading.Lock()
_COUNTS = {}


def fxgraph(gm, example_inputs, **options):
    """A dynamo backend: the graph and its inputs in, a callable out."""
    _save(gm, "dynamo")
    name = os.environ.get("FXGRAPH_BACKEND") or "eager"
    if name == "eager":
        return _eager(gm, example_inputs)
    if name == "inductor":
        return _inductor(gm, example_inputs, options)
    if name == "fxgraph":
        raise ValueError("FXGRAPH_BACKEND=fxgraph would never end")
    from torch._dynamo.backends.registry import lookup_backend

    return lookup_backend(name)(gm, example_inputs, **options)


def _eager(gm, example_inputs):
    from torch._dynamo.backends.common import aot_autograd

    def compiler(stage):
        def compile_graph(graph_module, _):
            _save(graph_module, stage)
            return _boxed(graph_module)

        return compile_graph

    backend = aot_autograd(
        fw_compiler=compiler("aot_forward"),
        bw_compiler=compiler("aot_backward"),
        inference_compiler=compiler("aot_inference"),
    )
    return backend(gm, example_inputs)


def _boxed(graph_module):
    """torch/_functorch/aot_autograd.py `make_boxed_func`: the inputs come as one list, which is emptied."""
    from torch._functorch.aot_autograd import make_boxed_func

    return make_boxed_func(graph_module.forward)


def _inductor(gm, example_inputs, options):
    from torch._inductor import compile_fx

    inner = compile_fx.compile_fx_inner

    @functools.wraps(inner)
    def saving_inner(graph_module, inputs, *arguments, **settings):
        inference = settings.get("is_inference")
        forward = "aot_inference" if inference else "aot_forward"
        _save(graph_module, "aot_backward" if settings.get("is_backward") else forward)
        return inner(graph_module, inputs, *arguments, **settings)

    return compile_fx.compile_fx(gm, example_inputs, inner_compile=saving_inner, **options)


def _save(graph_module, stage):
    """Write one file. A folder that cannot be written to is told once: the model still runs."""
    folder = os.environ.get("FXGRAPH_DIR") or "fxgraph-dumps"
    compile_id = _compile_id()
    with _LOCK:
        number = _COUNTS[os.getpid()] = _COUNTS.get(os.getpid(), 0) + 1
    rank = os.environ.get("RANK")
    parts = ["rank" + rank] if rank and rank.isdigit() else []
    parts += ["{:03}".format(number), stage] + ([compile_id.replace("/", "_").replace("!", "a")] if compile_id else [])
    try:
        os.makedirs(folder, exist_ok=True)
        text = "{}\n{}\n".format(_header(folder, stage, compile_id), _text(graph_module).strip("\n"))
        with open(os.path.join(folder, ".".join(parts) + ".fxgraph"), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        warnings.warn("fxgraph saves no graphs: {}".format(error), stacklevel=2)


def _text(graph_module):
    try:
        return graph_module.print_readable(print_output=False, include_stride=True, include_device=True)
    except TypeError:  # torch 2.2 knows neither
        return graph_module.print_readable(print_output=False)


def _header(folder, stage, compile_id):
    """As `fxgraph capture` writes it."""
    import torch

    words = ["torch=" + str(torch.__version__), "stage=" + stage]
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if script:
        try:
            script = os.path.relpath(script, folder)
        except ValueError:  # on another drive
            script = os.path.abspath(script)
        script = script.replace(os.sep, "/")
        words.insert(0, "source=" + urllib.parse.quote(script, safe="/:@+,=~()[]&'!$*;{}"))
    if compile_id:
        words.append("compile_id=" + compile_id)
    return "# fxgraph: " + " ".join(words)


def _compile_id():
    from torch._guards import CompileContext

    found = CompileContext.current_compile_id()
    return None if found is None else str(found)
