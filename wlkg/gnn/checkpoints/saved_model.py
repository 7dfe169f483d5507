"""A model with its configuration, its weights, and the graphs it fits; on disk and back.

A file is not trusted: the model is first built without memory for its weights, and takes the
tensors of the file only if each has the shape that the configuration requires.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from wlkg.errors import InputError, UsageError, WlkgError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.untrusted import about_in, config_in, shown, weights_in
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import TABLE, Features
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import first_few


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model that was read from a file, or can be written to one."""

    config: ModelConfig
    about: About
    weights: Mapping[str, Tensor]
    #: The file it was read from.
    path: str | None = None

    @property
    def dtype(self) -> torch.dtype:
        """The floating-point type of the weights."""
        return next(iter(self.weights.values())).dtype

    def build(self) -> VertexModel | TupleModel:
        """The model with copies of the weights, so that training does not change them."""
        model = self._without_memory()
        copies = {name: value.clone() for name, value in self.weights.items()}
        model.load_state_dict(copies, assign=True)
        return model

    def _without_memory(self) -> VertexModel | TupleModel:
        """The model before memory is allocated for its weights."""
        with torch.device("meta"):
            if self.config.model == "k-rn":
                return TupleModel(self.config, len(self.weights["types.weight"]))
            return VertexModel(self.config)

    def check(self) -> None:
        """Refuse weights that are not those of the configuration."""
        config = self.config
        if config.relations != max(len(self.about.relations), 1):
            raise ValueError(f"{config.relations} relations, {len(self.about.relations)} names")
        # Building that many layers or positions would take too long.
        if config.layers > len(self.weights) or config.k > max(len(self.weights), 2):
            raise ValueError(f"{config.layers} layers, k = {config.k}: {len(self.weights)} weights")
        types = self.weights.get("types.weight")
        if config.model == "k-rn" and (types is None or types.dim() != 2):
            raise ValueError("there is no matrix types.weight")
        if types is not None and len(types) != len(self.about.types):
            raise ValueError(f"{len(types)} atomic types, {len(self.about.types)} names")
        expected = self._without_memory().state_dict()
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
        """The kind of features that it takes unless the user names one."""
        if self.about.features == TABLE:
            raise UsageError(
                f"{self.path}: the model was made with features from a table. Give them with"
                " --features FILE.tsv"
            )
        return self.about.features

    def check_fits(self, graph: RelationalGraph, given: Features) -> None:
        """Refuse a graph whose direction mode, relations or features differ from the model's."""
        # Without relations it makes no difference which end of an edge is its head.
        symmetric = () if self.config.sees_relations else ("both", "undirected")
        directions = {graph.direction, self.about.direction}
        if len(directions) > 1 and not directions <= set(symmetric):
            raise InputError(
                f"the model is for direction {self.about.direction}, the graph is read with"
                f" {graph.direction}",
                path=self.path,
                remedy=f"Give --direction {self.about.direction}",
            )
        if self.config.sees_relations:
            self._check_relations(graph.arcs().relation_names)
        self._check_features(given)

    def _check_relations(self, names: tuple[str, ...]) -> None:
        if names == self.about.relations:
            return
        here, there = set(names), set(self.about.relations)
        difference = "the graph has them in another order"
        if here != there:
            difference = (
                f"{len(there - here):,} of them are not in the graph, {len(here - there):,} of"
                f" the graph's are not in it ({first_few(sorted(here ^ there))})"
            )
        raise InputError(
            f"the model was made for other relations: {difference}",
            path=self.path,
            remedy="Give the graph it was made for, or make a model for this one",
        )

    def _check_features(self, given: Features) -> None:
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
        """The input of a k-RN, with atomic types numbered as the model numbers them."""
        numbers = {name: number for number, name in enumerate(self.about.types)}
        unknown = [name for name in types if name not in numbers]
        if unknown:
            raise InputError(
                f"the model does not know {len(unknown):,} of the {len(types):,} atomic types of"
                " the graph",
                path=self.path,
                remedy="Give the graph it was made for, or make a model for this one",
            )
        renumbered = torch.tensor([numbers[name] for name in types])
        return replace(tuples, types=renumbered.to(tuples.types.device)[tuples.types])


def save_model(path: Path, saved: SavedModel) -> None:
    """Write a model; the file is written completely or not at all."""
    save_checkpoint(
        path,
        {
            "identity": {"model": asdict(saved.config)},
            "about": asdict(saved.about),
            "model": dict(saved.weights),
        },
    )


def load_model(path: str) -> SavedModel:
    """Read a model that `save_model` or a training run wrote."""
    content = load_checkpoint(Path(path), torch.device("cpu"))
    try:
        config = config_in(content)
        saved = SavedModel(
            config=config,
            about=about_in(content),
            weights=weights_in(content, config.model),
            path=path,
        )
        saved.check()
    except (ValueError, TypeError, RuntimeError, WlkgError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"the checkpoint does not hold a model that fits its own description: {first}",
            path=path,
            remedy="Create it again with wlkg train --save, wlkg witness --out or wlkg translate",
        ) from error
    return saved
