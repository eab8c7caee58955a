"""For shapes from the source: each graph that the script prints, with the types of its nodes.

The types are in `node.meta`: `val` (AOTAutograd, export, make_fx) or `example_value` (dynamo). symbolic_trace knows
none: there the graph is run with fake tensors once the script has called the traced module, or the model that it was
traced from, with real inputs. Only those two are watched: a hook on every module changes what dynamo traces.

torch/fx/_symbolic_trace.py `Tracer.trace`, torch/fx/graph_module.py `_WrappedCall`, torch/_subclasses/fake_tensor.py.
"""

import atexit
import functools
import sys
import weakref

from fxgraph_host.script.callers import asked_by_script
from fxgraph_host.script.fake_run import copy_of, fake_types, recorded_inputs, runs_no_own_code
from fxgraph_host.script.printing import torch_folder
from fxgraph_host.script.values import known_types

_MOST_GRAPHS = 2_000
_MOST_WAITING = 100


class Recording:
    """Writes printed graphs to the journal, and later their types where they were not known at once."""

    def __init__(self, journal):
        self.journal = journal
        self.number = 0
        self.seen = set()
        #: (number of the printed graph, its copy, the modules whose calls give inputs): none was called yet
        self.waiting = []
        self.inputs = weakref.WeakKeyDictionary()  # module -> what it was called with first
        self.models = weakref.WeakKeyDictionary()  # graph -> the model that it was traced from

    def hooks(self):
        """Module name -> what to do when it has been imported."""
        return {"torch.fx.graph_module": self.hook_calls, "torch.fx._symbolic_trace": self.hook_tracer}

    def printed(self, form, text, thing):
        """Take a text that the script asked for."""
        if text in self.seen or len(self.seen) >= _MOST_GRAPHS:
            return
        self.seen.add(text)
        for graph, owner in _graphs(thing):
            self.number += 1
            model = self.models.get(graph)
            model = None if model is None else model()
            types = known_types(graph)
            self.journal.write({"graph": self.number, "form": form, "text": _text(graph), "types": types})
            holders = [one for one in (owner, model) if one is not None]
            if types or not holders:
                continue
            inputs = next((self.inputs[one] for one in holders if one in self.inputs), None)
            if inputs is not None:
                self.fake(self.number, copy_of(graph), holders, inputs)
            elif len(self.waiting) < _MOST_WAITING:
                self.waiting.append((self.number, copy_of(graph), holders))

    def fake(self, number, graph, holders, inputs):
        """Write what a run with fake tensors tells. Modules of the script's own may keep what they are called with:
        they are run when the script is done with them.
        """

        def run():
            try:
                types, reason = fake_types(graph, holders[0], inputs)
                self.journal.write({"graph": number, "types": types, "stopped": reason})
            except Exception as error:
                self.journal.error(error)

        if runs_no_own_code(graph, holders[0]):
            run()
        else:
            atexit.register(run)

    def called(self, module, arguments, options):
        """Take the inputs of a call."""
        frames = _dynamo_frames()
        before = frames.set_eval_frame(None)  # what is done here is no part of what the script compiles
        try:
            if module in self.inputs:
                return
            inputs = recorded_inputs(arguments, options)
            if inputs is None:
                return
            self.inputs[module] = inputs
            waiting, self.waiting = self.waiting, []
            for number, graph, holders in waiting:
                if all(module is not one for one in holders):
                    self.waiting.append((number, graph, holders))
                else:
                    self.fake(number, graph, holders, inputs)
        except Exception as error:
            self.journal.error(error)
        finally:
            frames.set_eval_frame(before)

    def hook_calls(self, module):
        """Hear of calls of traced modules."""
        wrapped = module._WrappedCall
        call = wrapped.__call__
        recording = self
        is_compiling = _is_compiling()
        _leave_out(Recording.called.__code__)

        @functools.wraps(call)
        def told(this, obj, *arguments, **options):
            if not is_compiling():
                recording.called(obj, arguments, options)
            return call(this, obj, *arguments, **options)

        wrapped.__call__ = told

    def hook_tracer(self, module):
        """Hear which model a graph was traced from, and of the model's first call."""
        tracer = module.Tracer
        trace = tracer.trace
        recording = self

        @functools.wraps(trace)
        def told(this, root, *arguments, **options):
            graph = trace(this, root, *arguments, **options)
            try:
                recording.traced(graph, root)
            except Exception as error:
                recording.journal.error(error)
            return graph

        tracer.trace = told

    def traced(self, graph, root):
        import torch

        if isinstance(root, torch.nn.Module) and asked_by_script(torch_folder(), passing=("_symbolic_trace.py",)):
            self.models[graph] = weakref.ref(root)
            handle = []
            is_compiling = _is_compiling()

            def first_call(module, arguments, options):
                if is_compiling():
                    return
                handle.pop().remove()  # a model that is saved or copied later has no hook of ours
                self.called(module, arguments, options)

            handle.append(root.register_forward_pre_hook(first_call, with_kwargs=True))


def _graphs(thing):
    """Each graph of what was printed, nested ones too, with the module that holds its parameters, or None."""
    import torch

    module = getattr(thing, "graph_module", thing)  # an ExportedProgram has one
    if isinstance(module, torch.fx.Graph):
        return [(module, module.owning_module)]
    inner = [one for one in module.modules() if isinstance(one, torch.fx.GraphModule)]
    return [(one.graph, one) for one in inner]


def _text(graph):
    import torch

    printed = torch.fx.Graph.__str__
    return getattr(printed, "__wrapped__", printed)(graph)


def _is_compiling():
    """A function of torch that dynamo, while it traces, takes for the constant True."""
    import torch

    compiler = sys.modules.get("torch.compiler")
    return getattr(compiler, "is_compiling", None) or torch._utils.is_compiling


def _leave_out(code):
    """torch/_dynamo/eval_frame.py `skip_code`: dynamo does not compile calls of this code."""
    frames = _dynamo_frames()
    if hasattr(frames, "skip_code"):  # torch 2.2
        frames.skip_code(code)
    elif hasattr(frames, "set_code_exec_strategy"):
        skip = frames._FrameExecStrategy(frames._FrameAction.SKIP, frames._FrameAction.DEFAULT)
        frames.set_code_exec_strategy(code, skip)


def _dynamo_frames():
    """torch/_dynamo/eval_frame.py `disable`: the part of dynamo that is there without importing dynamo."""
    import torch

    return torch._C._dynamo.eval_frame
