"""Own models: from a callable to a model that can be run, with its output checked.

A model maps ``(x, edge_index, edge_type)``, in PyG's format (row 0 of ``edge_index`` sends, row 1
receives), to one tensor with a row for each vertex, or to a list of such tensors, one per layer. A
callable becomes a model as follows:

| what it is | what happens |
|---|---|
| an ``nn.Module`` | it is copied in the given dtype; its mode, training or not, stays |
| a class or a factory | it is called with what its parameters ask for by name, see `ASKED` |
| a function of ``x, edge_index, edge_type`` | it is the model |

Weights come from the seed. Random numbers of a run come from torch's generator as it is, so that
dropout left on shows. Cost: one copy of the inputs for each run, which protects them from models
that work in place.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

import torch
from torch import Tensor, nn

from wlkg.errors import InputError, UsageError
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.own_models.hosting import Given, Host
from wlkg.text import counted

#: For each field of `Given`, the names of parameters that ask for it.
_NAMES = {
    "in_width": "in_width in_channels in_dim in_features in_size in_feats in_feat input_dim "
    "input_size input_channels num_features num_node_features nfeat",
    "width": "width dim channels hidden hidden_channels hidden_dim hidden_size hidden_features "
    "hidden_width h_dim nhid out_width out_channels out_dim out_features out_feats out_feat "
    "out_size output_dim output_size num_classes n_classes nclass embedding_dim embed_dim emb_dim",
    "relations": "num_relations relations num_rels num_rel n_relations n_rels num_edge_types "
    "n_edge_types",
    "layers": "num_layers layers depth n_layers",
    "vertices": "num_nodes num_vertices num_entities vertices n_nodes n_vertices n_entities",
    "seed": "seed",
    "dtype": "dtype",
}
ASKED = {asked: tuple(names.split()) for asked, names in _NAMES.items()}
_FIELD = {name: asked for asked, names in ASKED.items() for name in names}
#: Defaults of these parameters are guesses about other graphs and are always replaced.
_NEVER_DEFAULT = {"in_width", "relations"}

#: Names of a model's parameters; the first name that it has is used.
_X = ("x", "h", "features", "feats", "feat", "node_features")
_EDGE_INDEX = ("edge_index",)
_EDGE_TYPE = ("edge_type", "edge_types", "etype", "edge_attr", "edge_label", "edge_labels")

_FUNCTION = "a function (x, edge_index, edge_type)"
EXPECTED = f"a torch.nn.Module, a class or function that makes one, or {_FUNCTION}"


# -- the model ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class OwnModel:
    """An own model, ready to run; its output is checked."""

    #: As the user gave it.
    name: str
    _model: Callable[..., Any] = field(repr=False)
    _host: Host = field(repr=False)
    _runs: list[bool] = field(default_factory=list, init=False, repr=False)

    @property
    def dtype(self) -> torch.dtype:
        """The floating-point type of its weights and its input."""
        return self._host.given.dtype

    @property
    def per_layer(self) -> bool | None:
        """Whether the last run returned the features of every layer; None before the first run."""
        return self._runs[-1] if self._runs else None

    def __call__(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        """The features of each layer, or of the last only: n rows, finite, without gradient."""
        shapes = f"x {_shape(x)}, edge_index {_shape(edge_index)}, edge_type {_shape(edge_type)}"
        out = self._host.run(f"running on {shapes}", lambda: self._run(x, edge_index, edge_type))
        several = isinstance(out, list | tuple)
        outputs = list(out) if several else [out]
        if not outputs:
            raise InputError(f"{self.name} gave an empty {type(out).__name__}. {_wanted(len(x))}")
        layers = []
        for number, features in enumerate(outputs, 1):
            what = f"layer {number} of {len(outputs)}" if several else "the output"
            layers.append(_checked(features, len(x), f"{what} of {self.name}"))
        self._runs[:] = [several]
        return layers

    def _run(self, *inputs: Tensor) -> Any:
        with torch.no_grad():
            arguments = _model_arguments(self._model, *(tensor.clone() for tensor in inputs))
            call = functools.partial(self._model, *arguments.args, **arguments.kwargs)
            # Lazy weights are drawn during the first run, and need the seed too.
            return seeded(self._host.given.seed, call) if _is_lazy(self._model) else call()


def _is_lazy(model: Callable[..., Any]) -> bool:
    return isinstance(model, nn.Module) and any(
        isinstance(p, nn.UninitializedParameter) for p in model.parameters()
    )


def _model_arguments(
    model: Callable[..., Any], x: Tensor, edge_index: Tensor, edge_type: Tensor
) -> inspect.BoundArguments:
    """The inputs under the names that the model has for them, or by position if it has none.

    A model that only names, and only needs, vertices and edges gets no edge types.
    """
    tensors = (x, edge_index, edge_type)
    signature = _signature(model.forward if isinstance(model, nn.Module) else model)
    names = _input_names(signature)
    if names is None:
        return inspect.signature(lambda *inputs: inputs).bind(*tensors)
    arguments = signature.bind_partial()
    arguments.arguments.update(zip(names, tensors, strict=False))
    return arguments


def _input_names(signature: inspect.Signature) -> list[str] | None:
    """The names of the parameters for x, edge_index and, if there is one, edge_type."""
    names = [_first(known, signature) for known in (_X, _EDGE_INDEX, _EDGE_TYPE)]
    named = [name for name in names if name is not None]
    if None in names[:2]:
        return None
    others = [p.name for p in _required(signature) if p.name not in named]
    return named + others[: 3 - len(named)]


def _first(names: tuple[str, ...], signature: inspect.Signature) -> str | None:
    return next((name for name in names if name in signature.parameters), None)


def _checked(features: Any, rows: int, what: str) -> Tensor:
    """The features as a matrix; anything else is refused."""
    if not isinstance(features, Tensor) or features.layout != torch.strided:
        sparse = " that is sparse" if isinstance(features, Tensor) else ""
        raise InputError(f"{what} is of type {type(features).__name__}{sparse}. {_wanted(rows)}")
    table = features.detach()
    if table.dim() == 1 and len(table) == rows:
        table = table.unsqueeze(1)
    if table.dim() != 2 or len(table) != rows or not table.shape[1]:
        raise InputError(f"{what} has the shape {_shape(features)}. {_wanted(rows)}")
    bad = ~torch.isfinite(table)
    if bad.any():
        row, column = bad.nonzero()[0].tolist()
        raise InputError(
            f"{what} has {int(bad.sum()):,} of {table.numel():,} numbers that are not finite "
            f"({int(table.isnan().sum()):,} NaN), the first in row {row}, column {column}. "
            "Expected finite numbers: try smaller weights, fewer layers or a wider dtype"
        )
    return table


def _shape(tensor: Tensor) -> str:
    return f"({', '.join(map(str, tensor.shape))})"


def _wanted(rows: int) -> str:
    return (
        f"Expected a tensor of vertex features, {counted(rows, 'row', 'rows')} and at least one "
        "column, or a list of such tensors, one per layer"
    )


# -- from a callable to a model -----------------------------------------------------------------


def wrap_callable(model: Callable[..., Any], given: Given) -> OwnModel:
    """A model from an instance, a class, a factory or a function."""
    name = getattr(model, "__name__", type(model).__name__)
    if not callable(model):
        raise UsageError(f"{model!r} is of type {type(model).__name__}, expected {EXPECTED}")
    return adopted(model, Host(name, given, _folder_of(model), on_path=False))


def _folder_of(model: Callable[..., Any]) -> Path | None:
    """The folder of a callable's code."""
    parts = (getattr(model, name, None) for name in ("forward", "__call__", "__init__", "func"))
    for part in (model, *parts):
        code = getattr(inspect.unwrap(part) if callable(part) else part, "__code__", None)
        if isinstance(code, CodeType):
            return Path(code.co_filename).absolute().parent
    return None


def adopted(target: Callable[..., Any], host: Host) -> OwnModel:
    """The model that a callable is, or that it makes."""
    if isinstance(target, nn.Module):
        module: nn.Module = target
        made: Any = host.run("being copied", lambda: copy.deepcopy(module))
    elif isinstance(target, type) or not _is_model(_signature(target)):
        made = _built(target, host)
    else:
        made = target
    if isinstance(made, nn.Module):
        dtype = host.given.dtype
        host.run(f"being converted to {dtype}", lambda: _convert(made, dtype))
    return OwnModel(host.name, made, host)


def _convert(module: nn.Module, dtype: torch.dtype) -> None:
    """Convert real weights to the given dtype; complex weights would lose their imaginary parts."""
    if not any(t.is_complex() for t in itertools.chain(module.parameters(), module.buffers())):
        module.to(dtype)


def _is_model(signature: inspect.Signature) -> bool:
    """Whether a function takes x, edge_index and edge_type rather than sizes."""
    required = [p for p in _required(signature) if p.kind is not p.KEYWORD_ONLY]
    anything = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
    if _input_names(signature) is not None or (anything and not required):
        return True
    return len(required) >= 3 and not any(p.name in _FIELD for p in required)


def _built(make: Callable[..., Any], host: Host) -> Any:
    """Call a class or a factory with the sizes that it asks for by name."""
    arguments = _making_arguments(make, host)
    call = functools.partial(make, *arguments.args, **arguments.kwargs)
    made = host.run("being built", lambda: seeded(host.given.seed, call))
    if not callable(made) or isinstance(made, type):
        result = f"the class {made.__name__}" if isinstance(made, type) else type(made).__name__
        raise UsageError(
            f"{host.name} was called to make a model and gave {result}. Expected a torch.nn.Module "
            f"or {_FUNCTION}"
        )
    return made


def _making_arguments(make: Callable[..., Any], host: Host) -> inspect.BoundArguments:
    signature = _signature(make)
    required = {p.name for p in _required(signature)}
    unknown = [name for name in signature.parameters if name in required and name not in _FIELD]
    if unknown:
        raise UsageError(_unknown_parameters(unknown, host.name))
    arguments = signature.bind_partial()
    for name in signature.parameters:
        asked = _FIELD.get(name)
        if asked is not None and (name in required or asked in _NEVER_DEFAULT):
            arguments.arguments[name] = getattr(host.given, asked)
    return arguments


def _unknown_parameters(unknown: list[str], name: str) -> str:
    short = name.rpartition(":")[2]
    missing = ", ".join(f"{parameter}=..." for parameter in unknown)
    known = [
        line
        for asked, names in ASKED.items()
        for line in textwrap.wrap(f"{asked}: {', '.join(names)}", 74, subsequent_indent="  ")
    ]
    return "\n  ".join(
        [
            f"{name} needs {', '.join(map(repr, unknown))}, which wlkg cannot know. It can give:",
            *(f"  {line}" for line in known),
            "Write a function that makes the model, and name that function instead:",
            "  def make(in_width, num_relations):",
            f"      return {short}({missing})",
            "A function that is itself the model takes (x, edge_index, edge_type).",
        ]
    )


def _signature(code: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a callable; those of a callable written in C may be unknown."""
    try:
        return inspect.signature(code)
    except (TypeError, ValueError):
        return inspect.signature(lambda *arguments: arguments)


def _required(signature: inspect.Signature) -> list[inspect.Parameter]:
    loose = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = signature.parameters.values()
    return [p for p in parameters if p.default is p.empty and p.kind not in loose]
