"""What is known of operators without torch: the catalogue shipped with fxgraph, by torch release."""

from fxgraph.ops.operators import Catalogue, Overload, Packet, catalogue
from fxgraph.ops.schema import Argument, Return, Schema, SchemaError, parse_schema
from fxgraph.ops.targets import Target, guess_family, split_target, without_address

__all__ = [
    "Argument",
    "Catalogue",
    "Overload",
    "Packet",
    "Return",
    "Schema",
    "SchemaError",
    "Target",
    "catalogue",
    "guess_family",
    "parse_schema",
    "split_target",
    "without_address",
]
