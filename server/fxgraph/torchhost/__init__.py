"""What torch itself says, asked of a process of its own under the user's Python: see `client.py`."""

from fxgraph.torchhost.client import HostError, Limits, State, StoppedError, TorchHost
from fxgraph.torchhost.interpreters import Choice, choices

__all__ = ["Choice", "HostError", "Limits", "State", "StoppedError", "TorchHost", "choices"]
