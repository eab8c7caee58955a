"""For `fxgraph capture`: texts of printed graphs, and of those graphs that torch makes and its trace does not tell.

Since torch 2.3 the graphs of a compilation are in the files of TORCH_TRACE. torch 2.2 has none: there every module
that logs a graph calls torch/_dynamo/utils.py `lazy_format_graph_code(title, module, number)`. Exported programs are
in no trace: torch/export/__init__.py `export`, `ExportedProgram.run_decompositions`.
"""

import functools
import os
import re
import sys

_TRACE = "torch._logging._internal"
#: Modules of torch 2.2 that have taken lazy_format_graph_code over by name.
_LOGGING = (
    "torch._dynamo.utils",
    "torch._dynamo.output_graph",
    "torch._dynamo.compiled_autograd",
    "torch._functorch._aot_autograd.dispatch_and_compile_graph",
    "torch._functorch._aot_autograd.jit_compile_runtime_wrappers",
    "torch._inductor.compile_fx",
    "torch._inductor.freezing",
)
_COLOR = re.compile("\x1b\\[[0-9;]*m")


class Capturing:
    """Writes what it sees to the journal."""

    def __init__(self, journal):
        self.journal = journal

    def hooks(self):
        """Module name -> what to do when it has been imported."""
        hooks = dict.fromkeys(_LOGGING, self.hook_logging)
        hooks["torch.export"] = self.hook_export
        hooks["torch.export.exported_program"] = self.hook_program
        return hooks

    def printed(self, form, text, _):
        self.write({"printed": form, "text": _COLOR.sub("", text)})

    def write(self, entry):
        """Write an entry, with the place in the trace that it comes behind."""
        entry["trace"], entry["at"] = _place_in_trace()
        self.journal.write(entry)

    def hook_export(self, module):
        for name in ("export", "export_for_training"):
            function = getattr(module, name, None)
            if function is not None:
                setattr(module, name, self.telling(function, "export"))

    def hook_program(self, module):
        program = module.ExportedProgram
        program.run_decompositions = self.telling(program.run_decompositions, "export_decomposed")

    def telling(self, function, name):
        """The function, which tells the exported program that it returns."""

        @functools.wraps(function)
        def told(*arguments, **options):
            program = function(*arguments, **options)
            try:
                printed = type(program).__str__
                self.write({"made": name, "text": getattr(printed, "__wrapped__", printed)(program)})
            except Exception as error:
                self.journal.error(error)
            return program

        return told

    def hook_logging(self, module):
        if hasattr(sys.modules.get(_TRACE), "trace_structured"):
            return
        function = module.lazy_format_graph_code
        if getattr(function, "fxgraph", False):  # taken over from a module that has the hook
            return

        @functools.wraps(function)
        def told(title, graph_module, maybe_id=None):
            try:
                text = graph_module.print_readable(print_output=False)
                self.write({"made": title, "text": text, "compile_id": _compile_id()})
            except Exception as error:
                self.journal.error(error)
            return function(title, graph_module, maybe_id)

        told.fxgraph = True
        module.lazy_format_graph_code = told


def _place_in_trace():
    """Name and length of the file to which this process writes its trace; None and 0 where there is none yet."""
    handler = getattr(sys.modules.get(_TRACE), "LOG_TRACE_HANDLER", None)
    stream = getattr(handler, "stream", None)
    path = getattr(handler, "_stream_path", None) or getattr(stream, "name", None)
    if stream is None or not isinstance(path, str):
        return None, 0
    stream.flush()
    return os.path.basename(path), os.fstat(stream.fileno()).st_size


def _compile_id():
    """`0/0` inside of a compilation, else None: torch/_guards.py."""
    guards = sys.modules.get("torch._guards")
    found = guards.CompileContext.current_compile_id() if guards is not None else None
    return None if found is None else str(found)
