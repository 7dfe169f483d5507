"""A study as data: what is trained, on what, how often, and which questions it answers.

======================  ========================================================================
`Study`                 a data set, experiments, questions, and the number of seeds
`Experiment`            models, each trained at every width: a figure and a table
`Question`              which models or widths are compared with which
`Run`                   one training: a complete model, hyperparameters, a seed, a data set
======================  ========================================================================

A run that belongs to several experiments is trained once. Its key is a digest of everything that
its result depends on.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal

from wlkg.catalogue import Direction
from wlkg.gnn.config import WEIGHT_DECAY, ModelChoice, defaults


@dataclass(frozen=True)
class DataFiles:
    """The files of a data set, and how they are read."""

    graph: str
    targets: str
    holdout: str | None = None
    literals: str | None = None
    direction: Direction | None = None
    entity_column: str | None = None
    label_column: str | None = None
    #: Relations that hold the labels; they are left out if the graph has them.
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class StudyModel:
    """A model as a study names it; experiments set its width."""

    name: str
    choice: ModelChoice
    #: None means the paper's, which depend on the model and the size of the graph.
    epochs: int | None = None
    learning_rate: float | None = None

    def resolved(self, num_vertices: int) -> StudyModel:
        """The same model with layers, epochs and learning rate filled in."""
        usual = defaults(self.choice.model, num_vertices)
        choice = self.choice
        return replace(
            self,
            choice=replace(choice, layers=usual.layers if choice.layers is None else choice.layers),
            epochs=usual.epochs if self.epochs is None else self.epochs,
            learning_rate=(
                usual.learning_rate if self.learning_rate is None else self.learning_rate
            ),
        )


@dataclass(frozen=True)
class Experiment:
    """Models that are trained at every width."""

    name: str
    title: str
    models: tuple[StudyModel, ...]
    widths: tuple[int, ...]

    def cells(self) -> Iterator[tuple[StudyModel, int]]:
        """Every model at every width."""
        return ((model, width) for model in self.models for width in self.widths)


@dataclass(frozen=True)
class Contrast:
    """Two groups of models of an experiment, by name, each with a title."""

    first: str
    first_models: tuple[str, ...]
    second: str
    second_models: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A question that is answered by comparing models, or widths, over seeds."""

    name: str
    text: str
    experiment: str
    compares: Literal["models", "widths"]
    #: The name of a model, or a width.
    reference: str | int
    #: How the answer begins if a difference is found, and if none is.
    if_found: str
    if_none: str
    #: Groups of models whose means decide; without any, every model against the reference does.
    contrasts: tuple[Contrast, ...] = ()


@dataclass(frozen=True)
class Study:
    """What is trained, and why."""

    name: str
    title: str
    data: DataFiles
    experiments: tuple[Experiment, ...]
    questions: tuple[Question, ...]
    seeds: int = 5
    weight_decay: float = WEIGHT_DECAY
    device: str = "cpu"
    #: In which points this is not the study that its name promises.
    departures: tuple[str, ...] = ()

    def resolved(self, num_vertices: int) -> Study:
        """The same study with all hyperparameters filled in."""
        return replace(
            self,
            experiments=tuple(
                replace(each, models=tuple(model.resolved(num_vertices) for model in each.models))
                for each in self.experiments
            ),
        )

    @property
    def measure(self) -> str:
        """The split whose accuracy is compared."""
        return "validation" if self.data.holdout is None else "test"

    def experiment(self, name: str) -> Experiment:
        return next(each for each in self.experiments if each.name == name)

    def run(self, model: StudyModel, width: int, seed: int, data: str) -> Run:
        """A run of a resolved study; ``data`` is the digest of its data set."""
        assert model.epochs is not None
        assert model.learning_rate is not None
        return Run(
            choice=replace(model.choice, width=width),
            epochs=model.epochs,
            learning_rate=model.learning_rate,
            weight_decay=self.weight_decay,
            seed=seed,
            device=self.device,
            data=data,
        )

    def runs(self, data: str) -> list[Run]:
        """All runs of a resolved study, each once: the first seed of everything comes first."""
        every = (
            self.run(model, width, seed, data)
            for seed in range(self.seeds)
            for experiment in self.experiments
            for model, width in experiment.cells()
        )
        return list(dict.fromkeys(every))


@dataclass(frozen=True)
class Run:
    """One training."""

    choice: ModelChoice
    epochs: int
    learning_rate: float
    weight_decay: float
    seed: int
    device: str
    data: str

    def document(self) -> dict[str, Any]:
        """The run as JSON."""
        return {**asdict(self), "choice": choice_document(self.choice)}

    @classmethod
    def of(cls, document: dict[str, Any]) -> Run:
        """The run of a document."""
        return cls(**{**document, "choice": ModelChoice(**document["choice"])})

    @cached_property
    def key(self) -> str:
        """A digest of everything that the result depends on."""
        text = json.dumps(self.document(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def file_name(self) -> str:
        """A name that people can read, made unique by the key."""
        options = choice_document(self.choice)
        shown = [str(options.pop("model")), f"d{options.pop('width')}"]
        del options["layers"]
        for name, value in options.items():
            word = name.replace("_", "-")
            if isinstance(value, bool):
                shown.append(word if value else f"no-{word}")
            else:
                shown.append(value if isinstance(value, str) else f"{word}{value}")
        text = "-".join([*shown, f"seed{self.seed}", self.key[:8]])
        return re.sub(r"[^\w.-]", "_", text) + ".json"


def choice_document(choice: ModelChoice) -> dict[str, Any]:
    """Model, layers and width of a choice, and the options that are not the default.

    Options that later versions add do not change the document of a model that does not use them.
    """
    always = ("model", "layers", "width")
    usual = {field.name: field.default for field in fields(choice)}
    given = {name: getattr(choice, name) for name in usual}
    others = {name: value for name, value in given.items() if value != usual[name]}
    return {**{name: given[name] for name in always}, **others}
