"""Models on disk: a configuration, weights, and the names that tell which graphs they fit.

What a file says about itself is not trusted: a model is laid out without memory first, and only
takes the tensors of the file if every one of them has the shape that it must have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wlkg.catalogue import Direction, check_direction
from wlkg.errors import InputError, UsageError, WlkgError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import CONSTANT, LABELS, TABLE, Features
from wlkg.gnn.models.krn import TupleInput
from wlkg.gnn.models.networks import TupleModel, VertexModel
from wlkg.graph.arcs import Arcs
from wlkg.text import first_few


@dataclass(frozen=True)
class About:
    """Which graphs a model is for."""

    #: The names of the relations of the arcs, in the order of the model's parameters.
    relations: tuple[str, ...]
    direction: Direction
    #: How features are made, and the labels of the columns if they are labels.
    features: str = CONSTANT
    labels: tuple[str, ...] = ()
    #: k-RN: the names of the atomic types, in the order of their vectors.
    types: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, arcs: Arcs, direction: Direction, given: Features, types: Sequence[str] = ()
    ) -> About:
        """What a model is for that was made on these arcs, with these features."""
        return cls(arcs.relation_names, direction, given.kind, given.labels, tuple(types))


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
        """The model with its weights, which are copies: training changes none of the file's."""
        model = self._laid_out()
        copies = {name: value.clone() for name, value in self.weights.items()}
        model.load_state_dict(copies, assign=True)
        return model

    def _laid_out(self) -> VertexModel | TupleModel:
        """The model without memory for its weights."""
        with torch.device("meta"):
            if self.config.model == "k-rn":
                return TupleModel(self.config, len(self.weights["types.weight"]))
            return VertexModel(self.config)

    def check(self) -> None:
        """Refuse weights that are not those of the configuration."""
        config = self.config
        if config.relations != max(len(self.about.relations), 1):
            raise ValueError(f"{config.relations} relations, {len(self.about.relations)} names")
        # Laying out so many would take long.
        if config.layers > len(self.weights) or config.k > max(len(self.weights), 2):
            raise ValueError(f"{config.layers} layers, k = {config.k}: {len(self.weights)} weights")
        types = self.weights.get("types.weight")
        if config.model == "k-rn" and (types is None or types.dim() != 2):
            raise ValueError("there is no matrix types.weight")
        if types is not None and len(types) != len(self.about.types):
            raise ValueError(f"{len(types)} atomic types, {len(self.about.types)} names")
        expected = self._laid_out().state_dict()
        for name in expected:
            if name not in self.weights:
                raise ValueError(f"{name} is missing")
        for name, value in self.weights.items():
            if name not in expected:
                raise ValueError(f"unknown weights {shown(name)}")
            if value.shape != expected[name].shape:
                shapes = [tuple(tensor.shape) for tensor in (expected[name], value)]
                raise ValueError(f"{name} has the shape {shapes[1]}, expected {shapes[0]}")

    @property
    def features(self) -> str:
        """The features to give it where nothing is said."""
        if self.about.features == TABLE:
            raise UsageError(
                f"{self.path}: the model was made with features from a table. Give them with"
                " --features FILE.tsv"
            )
        return self.about.features

    def check_fits(self, arcs: Arcs, direction: Direction, given: Features) -> None:
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
            found = "the graph has them in another order"
            if here != there:
                found = (
                    f"{len(there - here):,} of them are not in the graph, {len(here - there):,} of"
                    f" the graph's are not in it ({first_few(sorted(here ^ there))})"
                )
            raise InputError(
                f"the model was made for other relations: {found}",
                path=self.path,
                remedy="Give the graph it was made for, or make a model for this one",
            )
        remedy = "Give the --features and --labels it was made with"
        if given.kind != self.about.features:
            raise InputError(
                f"the model was made for features of the kind {self.about.features}, not"
                f" {given.kind}",
                path=self.path,
                remedy=remedy,
            )
        if self.config.model == "k-rn":
            return  # Its features are atomic types.
        if given.labels != self.about.labels:
            raise InputError(
                f"the model was made for the labels {first_few(self.about.labels)}, the graph has"
                f" {first_few(given.labels)}",
                path=self.path,
                remedy=remedy,
            )
        if given.width != self.config.in_width:
            raise InputError(
                f"the model takes features of width {self.config.in_width}, found {given.width}",
                path=self.path,
                remedy=remedy,
            )

    def known_tuples(self, tuples: TupleInput, types: Sequence[str]) -> TupleInput:
        """The input of a k-RN with its own numbers for the atomic types that a graph has."""
        number = {name: place for place, name in enumerate(self.about.types)}
        unknown = [name for name in types if name not in number]
        if unknown:
            raise InputError(
                f"the model does not know {len(unknown):,} of the {len(types):,} atomic types of"
                " the graph",
                path=self.path,
                remedy="Give the graph it was made for, or make a model for this one",
            )
        numbers = torch.tensor([number[name] for name in types])
        return replace(tuples, types=numbers.to(tuples.types.device)[tuples.types])


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
        saved.check()
    except (ValueError, TypeError, RuntimeError, WlkgError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"the checkpoint does not hold a model that fits its own description: {first}",
            path=path,
            remedy="Make it anew with wlkg train --save, wlkg witness --out or wlkg translate",
        ) from error
    return saved


def shown(name: object) -> str:
    """A name from a file, cut."""
    return repr(str(name)[:60])


def _part(content: object, *keys: str) -> Any:
    """What a file has under some keys, one inside the other."""
    for key in keys:
        if not isinstance(content, dict) or key not in content:
            raise ValueError(f"there is no {'.'.join(keys)}")
        content = content[key]
    return content


#: The types of settings as `ModelConfig` names them; all others are words.
_TYPES = {"int": int, "bool": bool, "tuple[int, ...]": tuple}
#: No setting is larger: products of two still are numbers that torch can count with.
_LARGEST = 2**30


def _config(content: dict[str, Any]) -> ModelConfig:
    given = _part(content, "identity", "model")
    if not isinstance(given, dict):
        raise TypeError("there are no settings")
    known = {field.name: field for field in fields(ModelConfig)}
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"unknown setting {shown(name)}")
        # Not isinstance: True is no number of layers.
        if type(value) is not _TYPES.get(str(known[name].type), str):
            raise ValueError(f"{name} cannot be a {type(value).__name__}")
        numbers = (value,) if type(value) is int else value if type(value) is tuple else ()
        if not all(type(number) is int and 0 < number <= _LARGEST for number in numbers):
            raise ValueError(f"{name} must be from 1 to {_LARGEST:,}")
    missing = [name for name in known if name not in given and known[name].default is MISSING]
    if missing:
        raise ValueError(f"there is no {', '.join(missing)}")
    find_composition(given.get("composition", "mult"))
    return ModelConfig(**given)


def _about(content: dict[str, Any]) -> About:
    relations = _names(content, "relations")
    direction = _part(content, "about", "direction")
    features = _part(content, "about", "features")
    if not isinstance(direction, str):
        raise TypeError("about.direction is no name")
    if not isinstance(features, str) or features not in (CONSTANT, LABELS, TABLE):
        raise ValueError("about.features are of no known kind")
    labels, types = _names(content, "labels"), _names(content, "types")
    return About(relations, check_direction(direction), features, labels, types)


def _names(content: dict[str, Any], key: str) -> tuple[str, ...]:
    names = _part(content, "about", key)
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"about.{key} are no names")
    return tuple(names)


def _weights(content: dict[str, Any]) -> dict[str, Tensor]:
    weights = _part(content, "model")
    if not isinstance(weights, dict) or not all(isinstance(name, str) for name in weights):
        raise ValueError("there are no weights")
    body = {name: value for name, value in weights.items() if name.startswith("body.")}
    if body:
        # A run that began with a checkpoint: a readout was trained on top of the model.
        weights = {name.removeprefix("body."): value for name, value in body.items()}
    for name, value in weights.items():
        if not isinstance(value, Tensor) or not _is_plain(value):
            raise ValueError(f"{shown(name)} is no dense tensor of float32 or float64")
        if not value.isfinite().all():
            raise ValueError(f"{shown(name)} has entries that are no finite numbers")
    if len({value.dtype for value in weights.values()}) != 1:
        raise ValueError("there are no weights, or weights of several types")
    storages = [value.untyped_storage() for value in weights.values()]
    held = {storage.data_ptr(): storage.nbytes() for storage in storages}
    if sum(value.nbytes for value in weights.values()) > sum(held.values()):
        raise ValueError("weights share their memory")
    return {name: value.detach() for name, value in weights.items()}


def _is_plain(value: Tensor) -> bool:
    """Whether a tensor holds every one of its entries, as floating-point numbers."""
    return (
        value.dtype in (torch.float32, torch.float64)
        and value.layout == torch.strided
        and value.device.type == "cpu"
        and not value.is_nested
        # A view may show a number many times over.
        and value.is_contiguous()
    )
