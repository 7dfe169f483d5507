"""From what a user names, a file or a callable, to own models with chosen weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch

from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.own_models.hosting import Given
from wlkg.gnn.own_models.model_files import load_own_model
from wlkg.gnn.own_models.own_memory import USUAL_LAYERS
from wlkg.gnn.own_models.own_model import OwnModel, wrap_callable


class Load(Protocol):
    """From a seed and a floating-point type to an own model with such weights."""

    def __call__(
        self, seed: int, dtype: torch.dtype, vertices: int | None = None, /
    ) -> OwnModel: ...


def loaded_first(load: Load, seed: int, dtype: torch.dtype) -> tuple[OwnModel, Load]:
    """A model, and a loader that gives it away once before it loads anew: code is run once."""
    model = load(seed, dtype)
    waiting = [model]

    def again(s: int, d: torch.dtype, vertices: int | None = None, /) -> OwnModel:
        if waiting and (s, d, vertices) == (seed, dtype, None):
            return waiting.pop()
        return load(s, d, vertices)

    return model, again


def loader_of(setting: Setting, model: str | Callable[..., Any], choice: ModelChoice) -> Load:
    """How a model is loaded; by default it is made for the vertices of the graph."""

    def load(seed: int, dtype: torch.dtype, vertices: int | None = None, /) -> OwnModel:
        given = Given(
            in_width=setting.features.width,
            width=choice.width,
            relations=max(setting.arcs.num_relations, 1),
            layers=choice.layers or USUAL_LAYERS,
            vertices=vertices or setting.graph.num_vertices,
            seed=seed,
            dtype=dtype,
            relation_names=tuple(setting.arcs.relation_names),
            max_memory=setting.max_memory,
        )
        if isinstance(model, str):
            return load_own_model(model, given)
        return wrap_callable(model, given)

    return load
