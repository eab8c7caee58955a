"""Which tool made a graph, and at which step: told with the evidence, or not at all where that is thin."""

from __future__ import annotations

import re
from typing import NamedTuple

from fxgraph.analysis.level import ATEN, EDGE, TORCH, Level
from fxgraph.analysis.signs import file_name, sign_of_dynamo
from fxgraph.graph import CALL_MODULE, OUTPUT, PLACEHOLDER, Graph, Node


class Stage(NamedTuple):
    """A step of the stack (`dynamo`, `aot_forward`, `export`, ...) and what says so, as words behind "by"."""

    name: str
    evidence: str


#: Titles of TORCH_LOGS and names of TORCH_TRACE artefacts, which name files, too; the first that is found counts.
#: torch/_inductor/compile_fx.py writes `before_joint_graph` and `after_joint_graph` of inference graphs alone, and
#: torch/_inductor/debug.py writes `fx_graph_transformed` once the post-grad passes are through.
_NAMED = (
    ("pre_grad", re.compile(r"(?:before|after|inductor)[ _]pre[ _]grad|pre_grad_graph", re.IGNORECASE)),
    (
        "post_grad",
        re.compile(r"(?:before|after|inductor)[ _]post[ _]grad|post_grad_graph|fx_graph_transformed", re.IGNORECASE),
    ),
    ("aot_inference", re.compile(r"(?:before|after)_joint_graph", re.IGNORECASE)),
    ("aot_joint", re.compile(r"joint[ _]graph|aot_joint|min_cut_failed_(?:fx_)?graph", re.IGNORECASE)),
    ("aot_backward", re.compile(r"backward[ _]graph|aot_backward", re.IGNORECASE)),
    ("aot_inference", re.compile(r"inference[ _]graph|aot_inference", re.IGNORECASE)),
    ("aot_forward", re.compile(r"forward[ _]graph|aot_forward", re.IGNORECASE)),
    ("dynamo", re.compile(r"__compiled_fn_\d|dynamo_output_graph|optimize_ddp_split|\.dynamo\d*\.", re.IGNORECASE)),
    ("export", re.compile(r"(?:^|\.)export(?:_decomp|_for_inference)?\.|exported_program", re.IGNORECASE)),
    ("symbolic_trace", re.compile(r"(?:^|\.)symbolic(?:_trace)?\.", re.IGNORECASE)),
)
#: Files that hold graphs of several stages: their names prove nothing of one graph.
_MANY = ("log", "trace", "output_code", "repro")
_PRIMAL = re.compile(r"primals_(\d+)$")
_TANGENT = re.compile(r"tangents_\d+$")
_INFERENCE = re.compile(r"arg\d+_1$")
_LIFTED = re.compile(r"(?:p|b|c)_\w+$")


def stage_of(graph: Graph, level: Level, path: str | None = None) -> Stage | None:
    """The stage of a graph: by its title, else by what stands around it, else by its names and opcodes.

    `level` is what `level_of` says of the same graph. None where nothing proves a stage.
    """
    if graph.title:
        named = _by_name(graph.title)
        if named is not None:
            return _corrected(named, graph, f"the title {graph.title}")
    if graph.container == "exported_program":
        return Stage("export", "the ExportedProgram around it")
    if level.name == EDGE:
        return Stage("edge", "operators of executorch's edge dialect")
    if graph.container not in _MANY:
        name = file_name(path)
        named = _by_name(name)
        if named is not None and _fits(named, level):
            return Stage(named, f"the file name {name}")
    if graph.parent is not None or not _has_all_inputs(graph):
        return None
    return _by_inputs(graph, level) or _by_opcodes(graph, level)


def _by_name(text: str) -> str | None:
    return next((stage for stage, pattern in _NAMED if pattern.search(text)), None)


def _fits(stage: str, level: Level) -> bool:
    """Whether a file name can be right: an aten graph is no dynamo graph, whatever the file is called."""
    return level.name is None or (level.name == TORCH) == (stage in ("dynamo", "symbolic_trace", "pre_grad"))


def _corrected(stage: str, graph: Graph, evidence: str) -> Stage:
    """AOTAutograd logs an inference graph as "Forward graph": its inputs are not called primals."""
    inputs = _inputs(graph)
    if stage == "aot_forward" and inputs and all(_INFERENCE.match(node.name) for node in inputs):
        return Stage("aot_inference", f"{evidence} and the input {inputs[0].name}")
    return Stage(stage, evidence)


def _has_all_inputs(graph: Graph) -> bool:
    """Whether the text goes on behind the inputs; those of a fragment are not the graph's."""
    return not graph.is_fragment and bool(graph.nodes) and graph.nodes[-1].opcode != PLACEHOLDER


def _inputs(graph: Graph) -> list[Node]:
    return [node for node in graph.nodes if node.opcode == PLACEHOLDER]


def _by_inputs(graph: Graph, level: Level) -> Stage | None:
    inputs = _inputs(graph)
    if not inputs:
        return None
    if level.name == TORCH:
        sign = sign_of_dynamo(graph)
        return Stage("dynamo", sign) if sign is not None else None
    primals = [found for node in inputs if (found := _PRIMAL.match(node.name))]
    tangents = [node for node in inputs if _TANGENT.match(node.name)]
    if tangents:
        return _joint_or_backward(graph, inputs, [int(found[1]) for found in primals], tangents)
    if primals:
        return Stage("aot_forward", f"the input {primals[0][0]} and no tangents")
    if level.name != ATEN:
        return None
    if graph.name == "<lambda>" and all(_INFERENCE.match(node.name) for node in inputs) and _has_source(graph):
        return Stage("aot_inference", f"the class name <lambda>, the input {inputs[0].name} and lines of source")
    lifted = [node for node in inputs if _LIFTED.match(node.name)]
    if any(node.name.startswith(("p_", "b_")) for node in lifted) and lifted == inputs[: len(lifted)]:
        return Stage("export", f"the input {lifted[0].name}, as export names a lifted parameter or buffer")
    return None


def _has_source(graph: Graph) -> bool:
    """Whether comments name lines of source: make_fx, which can use the same names, records none."""
    return any(graph.page.text.find("File:", start, end) >= 0 for start, end in graph.comments)


def _joint_or_backward(graph: Graph, inputs: list[Node], primals: list[int], tangents: list[Node]) -> Stage | None:
    evidence = f"the input {tangents[0].name}"
    others = [node for node in inputs if not _PRIMAL.match(node.name) and not _TANGENT.match(node.name)]
    if others:
        return Stage("aot_backward", f"{evidence} and the saved value {others[0].name}")
    if primals != list(range(1, len(primals) + 1)):
        return Stage("aot_backward", f"{evidence} and only some of the primals")
    returned = len(graph.nodes[-1].reads) if graph.nodes[-1].opcode == OUTPUT else 0
    if returned > len(primals):
        return Stage("aot_joint", f"{evidence}, all primals, and more outputs than primals")
    return None


def _by_opcodes(graph: Graph, level: Level) -> Stage | None:
    if any(node.opcode == CALL_MODULE and node.target == "_guards_fn" for node in graph.nodes):
        return Stage("export", "the call of _guards_fn, which an unlifted export has")
    opcodes = {node.opcode for node in level.nodes.get(TORCH, ())} if level.name == TORCH else set()
    if CALL_MODULE in opcodes and len(opcodes) > 1 and sign_of_dynamo(graph) is None:
        return Stage("symbolic_trace", "calls of modules beside torch calls, and no name that dynamo gives")
    return None
