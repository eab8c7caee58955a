"""fxgraph reads the text that PyTorch prints of its FX graphs."""

__version__ = "0.1.0"
