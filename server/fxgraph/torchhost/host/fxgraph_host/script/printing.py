"""Hooks on the methods that turn a graph into text: the text goes on to the script, and is told.

torch/fx/graph.py `Graph.__str__`, `Graph.print_tabular`; torch/fx/graph_module.py `GraphModule.__str__`,
`print_readable`, `code`; torch/export/exported_program.py `ExportedProgram.__str__`.
"""

import functools
import os
import sys
import threading

from fxgraph_host.script.callers import asked_by_script


class Printing:
    """printed(form, text, thing) is called for each text that the script asks for; `thing` is what was printed."""

    def __init__(self, printed, error):
        self.printed = printed
        self.error = error
        self.inside = threading.local()

    def hooks(self):
        """Module name -> what to do when it has been imported."""
        return {
            "torch.fx.graph": self.hook_graph,
            "torch.fx.graph_module": self.hook_module,
            "torch.export.exported_program": self.hook_program,
        }

    def hook_graph(self, module):
        self.wrap(module.Graph, "__str__", "graph_str")
        self.wrap_tabular(module.Graph)

    def hook_module(self, module):
        self.wrap(module.GraphModule, "__str__", "module_str")
        self.wrap(module.GraphModule, "print_readable", "readable")
        code = module.GraphModule.code
        hooked = property(self.telling(code.fget, "code"), code.fset, code.fdel, code.__doc__)
        module.GraphModule.code = hooked

    def hook_program(self, module):
        self.wrap(module.ExportedProgram, "__str__", "program")

    def wrap(self, owner, name, form):
        setattr(owner, name, self.telling(getattr(owner, name), form))

    def telling(self, method, form):
        """The method, which tells its result."""

        @functools.wraps(method)
        def told(this, *arguments, **options):
            with self.once() as first:
                text = method(this, *arguments, **options)
                if first:
                    self.tell(form, text, this)
                return text

        return told

    def wrap_tabular(self, owner):
        method = owner.print_tabular

        @functools.wraps(method)
        def told(this, *arguments, **options):
            with self.once() as first:
                if not first:
                    return method(this, *arguments, **options)
                heard = _Heard(sys.stdout)
                sys.stdout = heard
                try:
                    result = method(this, *arguments, **options)
                finally:
                    if sys.stdout is heard:
                        sys.stdout = heard.stream
                self.tell("tabular", "".join(heard.texts), this)
                return result

        owner.print_tabular = told

    def tell(self, form, text, thing):
        try:
            if isinstance(text, str) and asked_by_script(torch_folder()):
                self.printed(form, text, thing)
        except Exception as error:
            self.error(error)

    def once(self):
        return _Once(self.inside)


class _Once:
    """Tells whether this is the outermost hook on this thread: torch prints a module by printing its graph."""

    def __init__(self, inside):
        self.inside = inside

    def __enter__(self):
        first = not getattr(self.inside, "busy", False)
        self.inside.busy = True
        self.first = first
        return first

    def __exit__(self, *_):
        if self.first:
            self.inside.busy = False
        return False


class _Heard:
    """A stream that also keeps what is written."""

    def __init__(self, stream):
        self.stream = stream
        self.texts = []

    def write(self, text):
        self.texts.append(text)
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


def torch_folder():
    """The folder of the torch that is running, with a separator behind."""
    return os.path.dirname(os.path.abspath(sys.modules["torch"].__file__)) + os.sep
