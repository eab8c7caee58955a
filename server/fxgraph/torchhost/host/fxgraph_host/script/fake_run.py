"""Run a graph with fake tensors that look like inputs which the script has given: nothing is computed.

Parameters and buffers are exchanged for fake ones meanwhile, so that none of the script's is written to.
torch/_subclasses/fake_tensor.py `FakeTensorMode`, torch/fx/interpreter.py `Interpreter`, torch/nn/utils/stateless.py.
"""

from fxgraph_host.script.values import described


class _Like:
    """What a tensor looks like; the tensor itself is not kept."""

    def __init__(self, tensor):
        self.shape = tuple(tensor.shape)
        self.stride = tuple(tensor.stride())
        if any(type(size) is not int for size in self.shape + self.stride):  # to ask a symbol's value is to fix it
            raise _NotKnownError
        self.dtype = tensor.dtype
        self.device = tensor.device

    def fake(self):
        import torch

        return torch.empty_strided(self.shape, self.stride, dtype=self.dtype, device=self.device)


def recorded_inputs(arguments, options):
    """What the inputs of a call look like, to be given to `fake_types`; None where that cannot be told: a tracer's
    proxies, sparse tensors.
    """
    try:
        return _described(list(arguments)), _described(dict(options))
    except _NotKnownError:
        return None


def copy_of(graph):
    """The same nodes under the same names, which stay as they are when a pass changes the graph."""
    import torch

    copied = torch.fx.Graph()
    copied.output(copied.graph_copy(graph, {}))
    return copied


def runs_no_own_code(graph, owner):
    """Whether all modules that the graph calls are torch's: they keep nothing of a run but in their buffers."""
    called = (node.target for node in graph.nodes if node.op == "call_module")
    return all(type(owner.get_submodule(path)).__module__.startswith("torch.nn.") for path in called)


def fake_types(graph, owner, inputs):
    """Descriptions (`tensors.describe`) by name of the node, and None, or words for why and where it stopped.

    `graph` belongs to no module; `owner` has what it needs.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.nn.utils import stateless

    types = {}

    class Run(torch.fx.Interpreter):
        node = None

        def run_node(self, n):
            self.node = n
            value = super().run_node(n)
            told = described(value) if n.op != "output" else None
            if told:
                types[n.name] = told
            return value

    module = torch.fx.GraphModule(owner, graph)
    run = Run(module)
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    held = dict(module.named_parameters())
    held.update(module.named_buffers())
    held = {name: mode.from_tensor(tensor) for name, tensor in held.items()}
    try:
        with torch.no_grad(), stateless._reparametrize_module(module, held), mode:
            run.run(*_placed(graph, _faked(inputs[0]), _faked(inputs[1])))
    except Exception as error:
        words = str(error).strip().splitlines()
        place = "" if run.node is None else "{}: ".format(run.node.name)
        return types, "{}{}: {}".format(place, type(error).__name__, words[0][:200] if words else "")
    return types, None


class _NotKnownError(Exception):
    pass


def _described(value):
    import torch

    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            raise _NotKnownError
        return _Like(value)
    if isinstance(value, torch.fx.Proxy):
        raise _NotKnownError
    if type(value) in (list, tuple):
        return type(value)(_described(one) for one in value)
    if type(value) is dict:
        return {key: _described(one) for key, one in value.items()}
    return value


def _faked(value):
    if isinstance(value, _Like):
        return value.fake()
    if type(value) in (list, tuple):
        return type(value)(_faked(one) for one in value)
    if type(value) is dict:
        return {key: _faked(one) for key, one in value.items()}
    return value


def _placed(graph, arguments, options):
    """The inputs in the order of the placeholders. One that was given by name goes to the placeholder of that name;
    one that was not given has its default in the graph.
    """
    placed = list(arguments)
    for node in [node for node in graph.nodes if node.op == "placeholder"][len(placed) :]:
        if node.target in options:
            placed.append(options[node.target])
        elif node.args:
            placed.append(node.args[0])
        else:
            break
    return placed
