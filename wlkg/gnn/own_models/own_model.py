"""Own models: from a callable to a model that can be run, with its output checked.

A model maps a graph (see `signatures` for the inputs that it may take) to one tensor with a row for
each vertex, or to a list of such tensors, one per layer. A callable becomes a model as follows:

| what it is | what happens |
|---|---|
| an ``nn.Module`` | it is copied in the given dtype; its mode, training or not, stays |
| a class or a factory | it is called with what its parameters ask for by name, see `making` |
| a function of ``x, edge_index, edge_type`` or other inputs | it is the model |

Weights come from the seed. Random numbers of a run come from torch's generator as it is, so that
dropout left on shows. Cost: one copy of the inputs for each run, which protects them from models
that work in place.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

import torch
from torch import Tensor, nn

from wlkg.errors import InputError, UsageError
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.own_models.graph_inputs import GraphInput, in_one_table
from wlkg.gnn.own_models.hints import with_hint
from wlkg.gnn.own_models.hosting import Given, Host, is_clash
from wlkg.gnn.own_models.making import EXPECTED, FIELD, built
from wlkg.gnn.own_models.signatures import Way, is_model, signature_of, ways_of
from wlkg.text import counted

# -- the model ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class OwnModel:
    """An own model, ready to run; its output is checked."""

    #: As the user gave it.
    name: str
    _model: Callable[..., Any] = field(repr=False)
    _host: Host = field(repr=False)
    _runs: list[bool] = field(default_factory=list, init=False, repr=False)
    #: The way in which it takes a graph, once a run has shown it.
    _way: list[Way] = field(default_factory=list, init=False, repr=False)

    @property
    def code(self) -> Callable[..., Any]:
        """The user's own model."""
        return self._model

    @property
    def dtype(self) -> torch.dtype:
        """The floating-point type of its weights and its input."""
        return self._host.given.dtype

    @property
    def per_layer(self) -> bool | None:
        """Whether the last run returned the features of every layer; None before the first run."""
        return self._runs[-1] if self._runs else None

    @property
    def inputs(self) -> str | None:
        """What it is given, in words; None before the first run."""
        return self._way[0].shown if self._way else None

    def __call__(
        self,
        x: Tensor,
        edge_index: Tensor,
        edge_type: Tensor,
        *,
        source: Tensor | None = None,
        query: Tensor | None = None,
    ) -> list[Tensor]:
        """The features of each layer, or of the last only: n rows, finite, without gradient.

        A model of pairs also gets a ``source`` and a ``query``.
        """
        given = self._host.given
        graph = GraphInput(
            x, edge_index, edge_type, given.names_of_relations, given.max_memory, source, query
        )
        ways = self._way or ways_of(self._model, self.name)
        first: InputError | None = None
        for way in ways:
            try:
                layers = self._run(way, graph)
            except InputError as error:
                first = first or error
                if is_clash(error):
                    break
            else:
                self._way[:] = [way]
                return layers
        assert first is not None
        raise with_hint(first, ways[0], graph)

    def _run(self, way: Way, graph: GraphInput) -> list[Tensor]:
        out = self._host.run(f"running on {_shapes(graph)}", lambda: self._raw(way, graph))
        several = isinstance(out, list | tuple)
        outputs = list(out) if several else [out]
        rows = len(graph.x)
        if not outputs:
            raise InputError(f"{self.name} gave an empty {type(out).__name__}. {_wanted(rows)}")
        layers = []
        for number, features in enumerate(outputs, 1):
            what = f"layer {number} of {len(outputs)}" if several else "the output"
            table = in_one_table(features)
            if graph.source is not None and isinstance(table, Tensor) and table.dim() > 1:
                table = _of_one_source(table, rows)
            layers.append(_checked(table, rows, f"{what} of {self.name}"))
        self._runs[:] = [several]
        return layers

    def _raw(self, way: Way, graph: GraphInput) -> Any:
        with torch.no_grad():
            positional, named = way.arguments(graph.cloned())
            call = functools.partial(self._model, *positional, **named)
            # Lazy weights are drawn during the first run, and need the seed too.
            return seeded(self._host.given.seed, call) if _is_lazy(self._model) else call()


def _of_one_source(table: Tensor, rows: int) -> Tensor:
    """The features of the only source, where there is an axis for sources."""
    is_plain = table.dim() == 2 and len(table) == rows
    return table if is_plain or len(table) != 1 else table[0]


def _is_lazy(model: Callable[..., Any]) -> bool:
    return isinstance(model, nn.Module) and any(
        isinstance(p, nn.UninitializedParameter) for p in model.parameters()
    )


def _shapes(graph: GraphInput) -> str:
    tensors = {"x": graph.x, "edge_index": graph.edge_index, "edge_type": graph.edge_type}
    pair = {"source": graph.source, "query": graph.query}
    tensors |= {name: tensor for name, tensor in pair.items() if tensor is not None}
    return ", ".join(f"{name} {_shape(tensor)}" for name, tensor in tensors.items())


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
    elif isinstance(target, type) or not is_model(signature_of(target), set(FIELD)):
        made = built(target, host)
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
