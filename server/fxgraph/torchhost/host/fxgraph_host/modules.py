"""Modules of torch.nn from what a module tree prints of them: only those of a list, whose print tells their shapes.

torch/nn/modules/*.py `extra_repr`. Parameters are fake tensors: they have sizes, and no data.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional

import torch

from fxgraph_host import arguments

#: Their prints tell all that decides about types. The names are ours: what a text calls otherwise is not made.
MODULES = frozenset(
    "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
    "AlphaDropout AvgPool1d AvgPool2d AvgPool3d BatchNorm1d BatchNorm2d BatchNorm3d Bilinear CELU ChannelShuffle "
    "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Conv1d Conv2d Conv3d "
    "ConvTranspose1d ConvTranspose2d ConvTranspose3d Dropout Dropout1d Dropout2d Dropout3d ELU Embedding "
    "FeatureAlphaDropout Flatten Fold GELU GLU GRU GRUCell GroupNorm Hardshrink Hardsigmoid Hardswish Hardtanh "
    "Identity InstanceNorm1d InstanceNorm2d InstanceNorm3d LPPool1d LPPool2d LPPool3d LSTM LSTMCell LayerNorm "
    "LeakyReLU Linear LocalResponseNorm LogSigmoid LogSoftmax MaxPool1d MaxPool2d MaxPool3d Mish PReLU "
    "PixelShuffle PixelUnshuffle RMSNorm RNN RNNCell RReLU ReLU ReLU6 ReflectionPad1d ReflectionPad2d "
    "ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d SELU SiLU Sigmoid Softmax Softmax2d "
    "Softmin Softplus Softshrink Softsign Tanh Tanhshrink Threshold Unflatten Unfold Upsample "
    "UpsamplingBilinear2d UpsamplingNearest2d ZeroPad1d ZeroPad2d ZeroPad3d".split()
)
#: What their prints leave out: the option, and its two values.
_CEILING = frozenset({"AvgPool1d", "AvgPool2d", "AvgPool3d"})
_INDICES = frozenset("AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d MaxPool1d MaxPool2d MaxPool3d".split())
#: Keywords that a text may give. Those that would be tensors, devices and dtypes are not among them.
_REFUSED = frozenset({"_weight", "_freeze", "device", "dtype"})
_HAS_PARAMETERS = (torch.nn.RNNBase,)
_LARGEST = 1 << 40
_LACKING = "the module {} and its parameters, which print(gm) prints, are not in the text"
_MOST_LAYERS = 1000


class UnknownModuleError(Exception):
    """A module that is not made; the message says why."""


class Modules:
    """The modules of one graph: `told` has by path what the text prints of them, `[class, args, kwargs]`."""

    def __init__(self, told: dict[str, list[Any]], dtype: Any, device: str, lacking: Optional[str] = None) -> None:
        """`dtype` and `device` are those of parameters where no input tells them; `lacking` is said of modules that are
        not there.
        """
        self._told = told
        self._lacking = lacking or _LACKING
        #: The classes that were made, and whether parameters have the dtype that no input tells.
        self.used: set[str] = set()
        self.used_dtype = False
        self._dtype = dtype
        self._device = device
        self._made: dict[Any, Any] = {}

    def call(self, path: str, positional: list[Any], keyword: dict[str, Any], *, indexed: Callable[[], bool]) -> Any:
        """What a module returns. `indexed` tells whether a node takes items of it. Raises UnknownModuleError."""
        name = self._name(path)
        if name in _INDICES and indexed():
            raise UnknownModuleError(f"{name} does not print return_indices, which decides here")
        tensors = [one for one in [*positional, *keyword.values()] if isinstance(one, torch.Tensor)]
        floating = next((one.dtype for one in tensors if one.is_floating_point() or one.is_complex()), None)
        device = tensors[0].device if tensors else torch.device(self._device)
        module = self._module(path, floating or self._dtype, device)
        found = module(*positional, **keyword)
        if name in _CEILING:
            other = self._module(path, floating or self._dtype, device, ceil_mode=True)(*positional, **keyword)
            if list(map(str, other.shape)) != list(map(str, found.shape)):
                raise UnknownModuleError(f"{name} does not print ceil_mode, which decides here")
        self.used.add(name)
        self.used_dtype = self.used_dtype or (floating is None and any(True for _ in module.parameters()))
        return found

    def tensor(self, path: str) -> Any:
        """A parameter or buffer, `layers.0.weight`, or None where no module of the text has it."""
        owner, _, name = path.rpartition(".")
        if owner not in self._told:
            return None
        module = self._module(owner, self._dtype, torch.device(self._device))
        found = dict(module.named_parameters()).get(name, dict(module.named_buffers()).get(name))
        if found is not None:
            self.used.add(str(self._told[owner][0]))
            self.used_dtype = True
        return found

    def knows(self, path: str) -> bool:
        """Whether the text prints a module of this path."""
        return path in self._told

    def name(self, path: str) -> str:
        """The class of a module as the text prints it."""
        return str(self._told[path][0])

    def _name(self, path: str) -> str:
        if path not in self._told:
            raise UnknownModuleError(self._lacking.replace("{}", path))
        name = str(self._told[path][0])
        if name not in MODULES or not hasattr(torch.nn, name):
            raise UnknownModuleError(f"{name[:60]} is not among the modules whose shapes their print tells")
        return name

    def _module(self, path: str, dtype: Any, device: Any, **more: Any) -> Any:
        key = (path, dtype, str(device), *more)
        if key not in self._made:
            self._made[key] = self._make(path, dtype, device, more)
        return self._made[key]

    def _make(self, path: str, dtype: Any, device: Any, more: dict[str, Any]) -> Any:
        name = self._name(path)
        _, args, kwargs = self._told[path]
        if args is None:
            raise UnknownModuleError(f"the print of {path} cannot be read")
        positional = [arguments.build(one, {}) for one in args]
        keyword = {str(key): arguments.build(one, {}) for key, one in kwargs}
        if not _REFUSED.isdisjoint(keyword) or not all(map(_is_plain, [*positional, *keyword.values()])):
            raise UnknownModuleError(f"the print of {path} holds what no print holds")
        if isinstance(keyword.get("num_layers"), int) and keyword["num_layers"] > _MOST_LAYERS:
            raise UnknownModuleError(f"{path} has more layers than are made")
        kind = getattr(torch.nn, name)
        takes = inspect.signature(kind.__init__).parameters
        if name.endswith(("Norm", "Norm1d", "Norm2d", "Norm3d")) and "bias" not in takes:
            keyword.pop("bias", None)  # older releases have it with `affine`
        if "dtype" in takes or issubclass(kind, _HAS_PARAMETERS):
            more = {**more, "dtype": dtype}
        made = kind(*positional, **keyword, **more).eval()
        if device.type != "cpu":
            _move(made, device)
        return made


def _move(module: Any, device: Any) -> None:
    """Put the parameters of a module on a device that this machine may lack: no data is copied, none is drawn."""
    for name, held in list(module.named_parameters(recurse=False)):
        setattr(module, name, torch.nn.Parameter(torch.empty(held.shape, dtype=held.dtype, device=device), False))
    for name, held in list(module.named_buffers(recurse=False)):
        setattr(module, name, torch.empty(held.shape, dtype=held.dtype, device=device))


def _is_plain(value: Any) -> bool:
    """Whether a value is what constructors of modules take: numbers, names, and tuples of them."""
    if isinstance(value, (tuple, list)):
        return len(value) < 100 and all(map(_is_plain, value))
    if isinstance(value, int):
        return abs(value) <= _LARGEST
    return value is None or isinstance(value, (float, str))
