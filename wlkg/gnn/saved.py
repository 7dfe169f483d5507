"""Models on disk: a configuration, weights, and the names that tell which graphs they fit.

What a file says about itself is not trusted: a model is laid out without memory first, and only
takes the tensors of the file if every one of them has the shape that it must have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wlkg.arcs import DIRECTIONS, Arcs, Direction
from wlkg.errors import InputError, WlkgError
from wlkg.gnn.checkpoints import load_checkpoint, save_checkpoint
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models import TupleModel, VertexModel
from wlkg.wording import first_few


@dataclass(frozen=True)
class About:
    """Which graphs a model is for."""

    #: The names of the relations of the arcs, in the order of the model's parameters.
    relations: tuple[str, ...]
    direction: Direction


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model from a file, or for one."""

    config: ModelConfig
    about: About
    weights: Mapping[str, Tensor]
    #: Where it was read from.
    path: str | None = None

    @property
    def dtype(self) -> torch.dtype:
        """The floating-point type of the weights."""
        return next(iter(self.weights.values())).dtype

    def build(self) -> VertexModel | TupleModel:
        """The model with its weights."""
        with torch.device("meta"):
            model: VertexModel | TupleModel
            if self.config.model == "k-rn":
                model = TupleModel(self.config, len(self.weights["types.weight"]))
            else:
                model = VertexModel(self.config)
        model.load_state_dict(dict(self.weights), assign=True)
        return model

    def check_fits(self, arcs: Arcs, direction: Direction, in_width: int) -> None:
        """Refuse a graph with other relations, another direction mode or other features."""
        if direction != self.about.direction:
            raise InputError(
                f"the model is for direction {self.about.direction}, the graph is read with"
                f" {direction}",
                path=self.path,
                remedy=f"Give --direction {self.about.direction}",
            )
        if arcs.relation_names != self.about.relations:
            here, there = set(arcs.relation_names), set(self.about.relations)
            other = sorted(here ^ there)
            raise InputError(
                f"the model was made for other relations: {len(there - here):,} of them are not in"
                f" the graph, {len(here - there):,} of the graph's are not in it:"
                f" {first_few(other)}",
                path=self.path,
            )
        if self.config.model != "k-rn" and in_width != self.config.in_width:
            raise InputError(
                f"the model takes features of width {self.config.in_width}, found {in_width}",
                path=self.path,
                remedy="Give the --features, --labels and --dim it was made with",
            )


def save_model(path: Path, saved: SavedModel) -> None:
    """Write a model whole or not at all."""
    save_checkpoint(
        path,
        {
            "identity": {"model": asdict(saved.config)},
            "about": asdict(saved.about),
            "model": dict(saved.weights),
        },
    )


def load_model(path: str) -> SavedModel:
    """Read a model of `save_model` or of a run of training."""
    content = load_checkpoint(Path(path), torch.device("cpu"))
    try:
        saved = SavedModel(_config(content), _about(content), _weights(content), path)
        _check_size(saved)
        saved.build()
    except (KeyError, TypeError, ValueError, RuntimeError, WlkgError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"the checkpoint does not hold a model that fits its own description: {first}",
            path=path,
        ) from error
    return saved


def _config(content: dict[str, Any]) -> ModelConfig:
    given = content["identity"]["model"]
    known = {field.name: field.type for field in fields(ModelConfig)}
    for name, value in given.items():
        if not isinstance(value, int | str | bool | tuple) or name not in known:
            raise ValueError(f"unknown or ill-typed setting {name!r}")
        if known[name] in ("int", "bool") and not isinstance(value, int):
            raise ValueError(f"{name} is no whole number")
    return ModelConfig(**given)


def _about(content: dict[str, Any]) -> About:
    relations, direction = content["about"]["relations"], content["about"]["direction"]
    if direction not in DIRECTIONS or not all(isinstance(name, str) for name in relations):
        raise ValueError("no relations or no direction")
    return About(tuple(relations), direction)


def _weights(content: dict[str, Any]) -> dict[str, Tensor]:
    weights = content["model"]
    body = {name: value for name, value in weights.items() if name.startswith("body.")}
    if body:
        # A run that began with a checkpoint: a readout was trained on top of the model.
        weights = {name.removeprefix("body."): value for name, value in body.items()}
    if not all(isinstance(value, Tensor) for value in weights.values()):
        raise ValueError("weights that are no tensors")
    return dict(weights)


def _check_size(saved: SavedModel) -> None:
    """Numbers that would make laying out the model slow must be borne out by the tensors."""
    config = saved.config
    if config.relations != max(len(saved.about.relations), 1):
        raise ValueError(f"{config.relations} relations, {len(saved.about.relations)} names")
    if config.layers > len(saved.weights) or config.k > len(saved.weights):
        raise ValueError("more layers than weights")
