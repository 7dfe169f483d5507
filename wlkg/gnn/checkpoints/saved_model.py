"""A model with its configuration, its weights, and the graphs it fits; on disk and back.

A file is not trusted: the model is first built without memory for its weights, and takes the
tensors of the file only if each has the shape that the configuration requires.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from torch import Tensor, nn

from wlkg.errors import MALFORMED, InputError, UsageError, WlkgError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.damage import shown
from wlkg.gnn.checkpoints.untrusted import (
    about_in,
    classes_in,
    config_in,
    head_in,
    items_in,
    readout_in,
    weights_in,
)
from wlkg.gnn.config import ModelConfig, require_classifier
from wlkg.gnn.features import CONSTANT, GLOROT, TABLE
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.graph_model import GraphModel
from wlkg.gnn.models.graph_readout import GraphReadout
from wlkg.gnn.models.krn import vertex_width
from wlkg.gnn.models.readout_model import ReadoutModel
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.names import INVERSE_SUFFIX

#: What a model has learned to classify, unless its checkpoint says otherwise.
VERTICES = "vertices"
LINKS = "links"


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model that was read from a file, or can be written to one."""

    config: ModelConfig
    about: About
    weights: Mapping[str, Tensor]
    #: The weight and the bias of a linear map on top of the model, if one was trained.
    head: Mapping[str, Tensor] | None = None
    #: The weights of the readout of a model of whole graphs.
    readout: Mapping[str, Tensor] | None = None
    #: What was learned: the names of the classes in the order of the outputs, and what has them.
    classes: tuple[str, ...] = ()
    items: str = VERTICES
    #: The file it was read from.
    path: str | None = None

    @property
    def dtype(self) -> torch.dtype:
        """The floating-point type of the weights."""
        return next(iter(self.weights.values())).dtype

    def build(self) -> VertexModel | TupleModel:
        """The model with copies of the weights, so that training does not change them."""
        model = self._with_weights()
        if isinstance(model, ConditionalModel):
            raise InputError(
                f"{self.config.model} gives features to pairs of a source and a vertex: this needs"
                " a model of vertices or tuples",
                path=self.path,
                remedy="Compare it with its test by wlkg versus --checkpoint",
            )
        return model

    def conditional_model(self) -> ConditionalModel:
        """The model of pairs, with copies of the weights."""
        model = self._with_weights()
        if isinstance(model, ConditionalModel):
            return model
        raise InputError(
            f"{self.config.model} gives no features to pairs of a source and a vertex: this needs"
            " a c-mpnn",
            path=self.path,
        )

    def _with_weights(self) -> VertexModel | TupleModel | ConditionalModel:
        model = self._without_memory()
        copies = {name: value.clone() for name, value in self.weights.items()}
        model.load_state_dict(copies, assign=True)
        return model

    def graph_model(self) -> GraphModel:
        """The model of whole graphs: the body that `build` returns, and its readout."""
        if self.readout is None or not self.classes:
            raise InputError(
                f"the model has learned classes of {self.items}, not of graphs",
                path=self.path,
                remedy="Make one with wlkg train --graphs --save",
            )
        model = GraphModel(self.config, len(self.about.types)).to(self.dtype)
        model.body.load_state_dict(dict(self.weights))
        model.readout.load_state_dict(dict(self.readout))
        return model

    def classifier(self) -> nn.Module:
        """The model that gives each vertex a score for each class."""
        require_classifier(self.config.model)
        if self.items == LINKS:
            raise InputError(
                "the model is trained to predict links, and has no classes of vertices",
                path=self.path,
                remedy="wlkg versus --checkpoint compares it with the test that bounds it",
            )
        if self.items != VERTICES:
            raise InputError(
                f"the model has learned classes of {self.items}, not of vertices",
                path=self.path,
                remedy="For whole graphs, give --graphs",
            )
        if not self.classes:
            raise InputError(
                "the checkpoint has no names of classes: it is not a training run, or an older one",
                path=self.path,
                remedy="Make one with wlkg train --save; --checkpoint starts with this model",
            )
        model = self.build()
        if self.head is None:
            return model
        readout = ReadoutModel(model, len(self.classes), freeze=True).to(self.dtype)
        readout.head.load_state_dict(dict(self.head))
        return readout

    def _without_memory(self) -> VertexModel | TupleModel | ConditionalModel:
        """The model before memory is allocated for its weights."""
        with torch.device("meta"):
            if self.config.conditional:
                return ConditionalModel(self.config)
            if self.config.model == "k-rn":
                return TupleModel(self.config, len(self.weights["types.weight"]))
            return VertexModel(self.config)

    def expected(self) -> dict[str, Tensor]:
        """The weights that the model has by its configuration, without memory."""
        return self._without_memory().state_dict()

    def check(self) -> None:
        """Refuse weights that are not those of the configuration."""
        config = self.config
        self._check_about()
        # Building that many layers or positions would take too long.
        if config.layers > len(self.weights) or config.k > max(len(self.weights), 2):
            raise ValueError(f"{config.layers} layers, k = {config.k}: {len(self.weights)} weights")
        types = self.weights.get("types.weight")
        if config.model == "k-rn" and (types is None or types.dim() != 2):
            raise ValueError("there is no matrix types.weight")
        if types is not None and len(types) != len(self.about.types):
            raise ValueError(f"{len(types)} atomic types, {len(self.about.types)} names")
        self._check_classes()
        expected = self.expected()
        for name in expected:
            if name not in self.weights:
                raise ValueError(f"{name} is missing")
        for name in self.weights:
            if name not in expected:
                raise ValueError(f"unknown weights {shown(name)}")
        for name, value in expected.items():
            shapes = [tuple(tensor.shape) for tensor in (value, self.weights[name])]
            if shapes[0] != shapes[1]:
                raise ValueError(f"{name} has the shape {shapes[1]}, expected {shapes[0]}")
        self._check_readout()

    def _check_readout(self) -> None:
        """Refuse a readout that does not fit the configuration."""
        if self.readout is None:
            return  # A run on vertices may have started with a model of graphs.
        if not self.config.readout:
            raise ValueError("weights of a readout, but no readout")
        with torch.device("meta"):
            model = GraphReadout(self.config.readout, self.config.widths[-1], self.config.out_width)
        shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
        if shapes != {name: tuple(value.shape) for name, value in self.readout.items()}:
            raise ValueError("the weights of the readout have other names or shapes")

    def _check_about(self) -> None:
        """Refuse relations and features that are not those of the configuration."""
        config = self.config
        if config.relations != max(len(self.about.relations), 1):
            raise ValueError(f"{config.relations} relations, {len(self.about.relations)} names")
        differing = config.conditional and self.about.features != CONSTANT
        if (config.random_start, config.vertex_features) != (
            self.about.features == GLOROT,
            differing,
        ):
            raise ValueError(f"features {self.about.features} for another kind of model")
        names = self.about.relations
        if self.about.direction == "both":
            names = names[: len(names) // 2]
            if self.about.relations != names + tuple(name + INVERSE_SUFFIX for name in names):
                raise ValueError("relations and their inverses do not go together")
        if len(set(names)) < len(names):
            raise ValueError("relations have the same name")

    def _check_classes(self) -> None:
        """Refuse names of classes that are not those of the outputs."""
        outputs = self.config.out_width
        if self.head is not None:
            width, shape = self.config.widths[-1], tuple(self.head["weight"].shape)
            if self.config.model == "k-rn":
                width = vertex_width(width, self.config.k)
            if len(shape) != 2 or shape[1] != width:
                raise ValueError(f"head.weight has the shape {shape}")
            outputs = shape[0]
            if self.head["bias"].shape != (outputs,):
                raise ValueError(f"head.bias has the shape {tuple(self.head['bias'].shape)}")
        if self.classes and len(self.classes) != outputs:
            raise ValueError(f"{len(self.classes)} classes, {outputs} outputs")

    @property
    def features(self) -> str:
        """The kind of features that it takes unless the user names one."""
        if self.about.features == TABLE:
            raise UsageError(
                f"{self.path}: the model was made with features from a table. Give them with"
                " --features FILE.tsv"
            )
        return self.about.features

    def known_tuples(self, tuples: TupleInput, types: Sequence[str]) -> TupleInput:
        """The input of a k-RN, with atomic types numbered as the model numbers them."""
        numbers = {name: number for number, name in enumerate(self.about.types)}
        unknown = [name for name in types if name not in numbers]
        if unknown:
            raise InputError(
                f"the model does not know {len(unknown):,} of the {len(types):,} atomic types of"
                " the graph",
                path=self.path,
                remedy="It has no vector for them: make a model for this graph",
            )
        renumbered = torch.tensor([numbers[name] for name in types])
        return replace(tuples, types=renumbered.to(tuples.types.device)[tuples.types])


def save_model(path: Path, saved: SavedModel) -> None:
    """Write a model; the file is written completely or not at all."""
    weights = dict(saved.weights)
    if saved.head is not None:
        weights = {f"body.{name}": value for name, value in weights.items()}
        weights |= {f"head.{name}": value for name, value in saved.head.items()}
    if saved.readout is not None:
        weights = {f"body.{name}": value for name, value in weights.items()}
        weights |= {f"readout.{name}": value for name, value in saved.readout.items()}
    save_checkpoint(
        path,
        {
            "identity": {"model": asdict(saved.config)},
            "about": asdict(saved.about),
            "classes": saved.classes,
            "items": saved.items,
            "model": weights,
        },
    )


def load_model(path: str) -> SavedModel:
    """Read a model that `save_model` or a training run wrote."""
    content = load_checkpoint(Path(path))
    try:
        config = config_in(content)
        saved = SavedModel(
            config=config,
            about=about_in(content),
            weights=weights_in(content, config.model),
            head=head_in(content),
            readout=readout_in(content),
            classes=classes_in(content),
            items=items_in(content),
            path=path,
        )
        saved.check()
    except (*MALFORMED, RuntimeError, WlkgError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"the checkpoint does not hold a model that fits its own description: {first}",
            path=path,
            remedy="Create it again with wlkg train --save, wlkg witness --out or wlkg translate",
        ) from error
    # In the order of the model, so that nothing depends on the order within the file.
    return replace(saved, weights={name: saved.weights[name] for name in saved.expected()})
