"""How a model wants its inputs: decided by the names of its parameters.

`ACCEPTED` lists the signatures. Relations are passed once: as ``edge_type`` if there is such a
parameter, and otherwise as ``edge_attr``. The latter is one-hot for models that multiply it with
weights, as GINE does; where that fails, it is the number of the relation, for models that look it
up in an embedding, or nothing at all if the parameter has a default. Weights of edges, batches and
the like are filled in only where they have no default.

Parameters with other names get ``x``, ``edge_index`` and ``edge_type`` by position. Models made by
PyG's ``to_hetero`` keep the names ``x`` and ``edge_index`` and take dictionaries there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from torch import nn

from wlkg.errors import UsageError
from wlkg.gnn.own_models.graph_inputs import MAKE, GraphInput

#: For each kind of input the names of parameters that ask for it.
_NAMES = {
    "x": "x h features feats feat node_features node_feats node_feat",
    "edge_index": "edge_index edge_indices edges edge_list",
    "edge_type": "edge_type edge_types etype etypes edge_label edge_labels rel_type relation_type",
    "edge_attr": "edge_attr edge_attrs edge_features edge_feats edge_feat",
    "edge_weight": "edge_weight edge_weights edge_norm",
    "batch": "batch",
    "node_type": "node_type node_types ntype",
    "node_ids": "node_ids node_id n_id entity entities",
    "num_nodes": "num_nodes num_vertices num_entities n_nodes",
    "source": "source sources source_index head heads head_index h_index",
    "query": "query queries query_index query_relation query_rel r_index",
    "x_dict": "x_dict",
    "edge_index_dict": "edge_index_dict",
    "data": "data hetero_data",
}
_KIND = {name: kind for kind, names in _NAMES.items() for name in names.split()}
#: Filled in even if there is a default.
_ALWAYS = {"x", "edge_index", "edge_type", "x_dict", "edge_index_dict", "data", "source", "query"}
#: Any of these sets of inputs makes a function a model.
_ENOUGH = (
    {"x", "edge_index"},
    {"edge_index", "edge_type"},
    {"x_dict", "edge_index_dict"},
    {"data"},
)
#: Names for graphs that are not given: adjacency matrices and DGL's graphs.
_NOT_GIVEN = {"adj", "adj_t", "adjacency", "A", "g", "graph", "blocks"}

ACCEPTED = (
    "forward(x, edge_index, edge_type)    edge_type numbers the relations: RGCNConv",
    "forward(x, edge_index)               no relations: GCNConv, SAGEConv",
    "forward(x, edge_index, edge_attr)    one-hot relations: GINEConv(edge_dim=R)",
    "forward(edge_index, edge_type)       own embeddings: Embedding(num_nodes, dim)",
    "forward(edge_index, edge_type, source, query)    pairs, from a source: NBFNet",
    "forward(x_dict, edge_index_dict)     HeteroData: HGTConv, HeteroConv, to_hetero",
    "forward(data)                        Data: data.x, data.edge_index, data.edge_type",
)


@dataclass(frozen=True)
class Way:
    """A way to pass a graph to a model."""

    #: Kinds of inputs by position, if the model's parameters have no known names.
    by_position: tuple[str, ...]
    #: The kind of input for each parameter.
    by_name: dict[str, str]

    def arguments(self, graph: GraphInput) -> tuple[list[Any], dict[str, Any]]:
        positional = [MAKE[kind](graph) for kind in self.by_position]
        return positional, {name: MAKE[kind](graph) for name, kind in self.by_name.items()}

    @property
    def shown(self) -> str:
        """The inputs in words."""
        kinds = [*self.by_position, *self.by_name.values()]
        return ", ".join(_SHOWN.get(kind, kind) for kind in kinds)


_SHOWN = {
    "edge_attr": "edge_attr (one-hot relations)",
    "data with edge_attr": "data (with edge_attr, one-hot relations)",
    "hetero data": "data (HeteroData)",
}


def ways_of(model: Callable[..., Any], name: str) -> list[Way]:
    """The ways to pass a graph to a model; the first that works is meant."""
    if _takes_dictionaries(model):
        return [Way((), {"x": "x_dict", "edge_index": "edge_index_dict"})]
    signature = call_signature(model)
    kinds = _kinds(signature)
    if any(enough <= set(kinds.values()) for enough in _ENOUGH):
        return _by_name(model, signature, kinds, name)
    required = [p.name for p in required_parameters(signature)]
    if set(required) & _NOT_GIVEN or not _fits_by_position(signature):
        raise UsageError(not_accepted(name, required))
    if _takes_any(signature):
        return [Way(_POSITIONS, {}), Way(_POSITIONS[:2], {})]
    return [Way(_POSITIONS[: len(required)], {})]


_POSITIONS = ("x", "edge_index", "edge_type")


def is_of_pairs(model: Callable[..., Any]) -> bool:
    """Whether a model asks for a source, and so gives features to pairs."""
    return "source" in _kinds(call_signature(model)).values()


def is_model(signature: inspect.Signature, known_sizes: set[str]) -> bool:
    """Whether a function takes a graph rather than sizes."""
    required = [p for p in required_parameters(signature) if p.kind is not p.KEYWORD_ONLY]
    kinds = set(_kinds(signature).values())
    if any(enough <= kinds for enough in _ENOUGH) or (_takes_any(signature) and not required):
        return True
    return len(required) >= 3 and not any(p.name in known_sizes for p in required)


def _by_name(
    model: Callable[..., Any], signature: inspect.Signature, kinds: dict[str, str], name: str
) -> list[Way]:
    required = [p.name for p in required_parameters(signature)]
    has_types = "edge_type" in kinds.values()
    chosen: dict[str, str] = {}
    for parameter, kind in kinds.items():
        wanted = kind in _ALWAYS or (kind == "edge_attr" and not has_types)
        if kind not in chosen.values() and (wanted or parameter in required):
            chosen[parameter] = _data_kind(model) if kind == "data" else kind
    others = [parameter for parameter in required if parameter not in chosen]
    if len(others) == 1 and set(chosen.values()) == {"x", "edge_index"}:
        return [Way((), {**chosen, others[0]: "edge_type"})]
    if others:
        raise UsageError(not_accepted(name, others))
    attribute = next((p for p, kind in chosen.items() if kind == "edge_attr"), None)
    if attribute is None or has_types:
        return [Way((), chosen)]
    if attribute in required:
        return [Way((), chosen), Way((), {**chosen, attribute: "edge_type"})]
    without = {parameter: kind for parameter, kind in chosen.items() if parameter != attribute}
    return [Way((), chosen), Way((), without)]


def _kinds(signature: inspect.Signature) -> dict[str, str]:
    """The kind of input that each parameter asks for; parameters without a name have none."""
    return {
        name: _KIND[name]
        for name, parameter in signature.parameters.items()
        if name in _KIND and parameter.kind is not parameter.POSITIONAL_ONLY
    }


def _fits_by_position(signature: inspect.Signature) -> bool:
    required = required_parameters(signature)
    if any(p.kind is p.KEYWORD_ONLY for p in required):
        return False
    return len(required) in (2, 3) or (_takes_any(signature) and not required)


def _takes_any(signature: inspect.Signature) -> bool:
    return any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())


def not_accepted(name: str, unknown: list[str]) -> str:
    """The error for a model whose inputs are not known."""
    asked = f"needs {', '.join(map(repr, unknown))}" if unknown else "takes no graph"
    return "\n  ".join(
        [
            f"{name} {asked}, which wlkg does not give to a model. Accepted are:",
            *(f"  {line}" for line in ACCEPTED),
            "Wrap the model in one of these, or name a function (x, edge_index, edge_type).",
        ]
    )


# -- signatures -----------------------------------------------------------------------------------


def call_signature(model: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a model when it is called."""
    sequence = getattr(getattr(model, "signature", None), "param_dict", None)
    if isinstance(sequence, dict):  # PyG's Sequential, whose own signature is *args, **kwargs
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in sequence])
    return signature_of(model.forward if isinstance(model, nn.Module) else model)


def signature_of(code: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a callable; those of a callable written in C may be unknown."""
    try:
        return inspect.signature(code)
    except (TypeError, ValueError):
        return inspect.signature(lambda *arguments: arguments)


def required_parameters(signature: inspect.Signature) -> list[inspect.Parameter]:
    """The parameters without a default."""
    loose = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = signature.parameters.values()
    return [p for p in parameters if p.default is p.empty and p.kind not in loose]


# -- what the code of a model mentions ------------------------------------------------------------


def _takes_dictionaries(model: Callable[..., Any]) -> bool:
    """Whether PyG's ``to_hetero`` made the model."""
    return "get_dict(" in str(getattr(model, "code", "")) and isinstance(model, nn.Module)


def _data_kind(model: Callable[..., Any]) -> str:
    mentioned = set(_mentioned(model))
    if mentioned & {"x_dict", "edge_index_dict", "metadata"}:
        return "hetero data"
    return "data with edge_attr" if "edge_attr" in mentioned else "data"


def _mentioned(model: Callable[..., Any]) -> Iterator[str]:
    """The names in a model's own code."""
    if isinstance(model, nn.Module):
        kinds = {type(module) for module in model.modules()}
        own = [kind for kind in kinds if not kind.__module__.startswith(("torch.", "torch_geo"))]
        functions = [f for kind in own for f in vars(kind).values()]
    else:
        functions = [model, vars(type(model)).get("__call__")]
    for function in functions:
        if isinstance(function, FunctionType):
            yield from _names_in(function.__code__)


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)
        elif isinstance(constant, str):
            yield constant  # data["edge_attr"]
