"""What the WL tests say about the models of a study, before anything is trained.

Each model is bounded by a round of a test (`wlkg.gnn.bounds`). The classes of that round, and the
best accuracy that one label per class can reach, explain what training finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from wlkg.analysis.ceiling.ceiling import SPLITS, Ceiling, ceiling
from wlkg.errors import TooLargeError
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine
from wlkg.studies.dataset import Dataset
from wlkg.studies.reached import ReachedClasses, find_reached
from wlkg.studies.study import Study

#: Stands for an experiment in the names of plain CompGCN layers, which are called after their
#: composition.
PLAIN = "plain"


@dataclass(frozen=True)
class GraphFacts:
    """The numbers of the paper's Table 1."""

    vertices: int
    triples: int
    relations: int
    train: int
    test: int
    classes: int
    direction: str
    #: The relations of the arcs, inverses included.
    arc_relations: int

    @classmethod
    def of(cls, dataset: Dataset) -> GraphFacts:
        """The numbers of a data set."""
        graph = dataset.graph
        return cls(
            vertices=graph.num_vertices,
            triples=graph.num_triples,
            relations=graph.num_relations,
            train=len(dataset.targets),
            test=0 if dataset.holdout is None else len(dataset.holdout),
            classes=dataset.num_classes,
            direction=graph.direction,
            arc_relations=graph.arcs().num_relations,
        )

    def config(self, choice: ModelChoice) -> ModelConfig:
        """The complete configuration of a model with constant features on this data set."""
        assert choice.layers is not None
        return choice.completed(
            in_width=choice.width,
            out_width=self.classes,
            relations=self.arc_relations,
            inverses=self.direction == "both",
            layers=choice.layers,
        )


@dataclass(frozen=True)
class BoundFacts:
    """A round of a test that bounds some models."""

    test: str
    direction: str
    round: int
    #: The classes of all vertices (or tuples) at this round, and the best scores there: right and
    #: all targets of each split. None if the test does not fit into memory.
    classes: int | None
    correct: dict[str, tuple[int, int]]
    #: The models that it bounds, as ``experiment/model``.
    models: tuple[str, ...]

    def ceiling(self, split: str) -> float | None:
        """The highest accuracy on a split."""
        if split not in self.correct:
            return None
        right, total = self.correct[split]
        return right / total


@dataclass(frozen=True)
class Facts:
    """What is known about a data set and the models of a study before training."""

    graph: GraphFacts
    bounds: tuple[BoundFacts, ...]
    #: The share of the most frequent label in each split.
    majority: dict[str, float]
    #: What random weights tell apart, by model and width.
    reached: tuple[ReachedClasses, ...] = ()

    def bound(self, experiment: str, model: str) -> BoundFacts:
        """The bound of a model."""
        name = f"{experiment}/{model}"
        return next(bound for bound in self.bounds if name in bound.models)

    def by_bound(self, group: str) -> Iterator[tuple[BoundFacts, list[str]]]:
        """The bounds of the models of an experiment, each with the names of its models."""
        for bound in self.bounds:
            names = [name.partition("/") for name in bound.models]
            members = [name for where, _, name in names if where == group]
            if members:
                yield bound, members

    def document(self) -> dict[str, Any]:
        """The facts as JSON."""
        return asdict(self)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Facts:
        """The facts of a document."""
        bounds = (
            {
                **bound,
                "models": tuple(bound["models"]),
                "correct": {split: tuple(pair) for split, pair in bound["correct"].items()},
            }
            for bound in document["bounds"]
        )
        return cls(
            graph=GraphFacts(**document["graph"]),
            bounds=tuple(BoundFacts(**bound) for bound in bounds),
            majority=document["majority"],
            reached=tuple(ReachedClasses(**each) for each in document["reached"]),
        )


def find_facts(study: Study, dataset: Dataset, progress: Progress = SILENT) -> Facts:
    """Run the tests that bound the models of a resolved study."""
    graph = GraphFacts.of(dataset)
    models: dict[tuple[Bound, int], list[str]] = {}
    for name, config in _configs(study, graph):
        bound = bound_of(config, dataset.graph.direction)
        models.setdefault((bound, config.layers + bound.later), []).append(name)
    bounds = [
        _bound_facts(dataset, bound, number, tuple(names), progress)
        for (bound, number), names in models.items()
    ]
    start = ceiling(dataset.graph, dataset.targets, dataset.holdout, "1-wl", rounds=0, limit=0)
    majority = {split.split: split.rounds[0].accuracy for split in start.splits}
    reached = tuple(find_reached(study, dataset))
    return Facts(graph=graph, bounds=tuple(bounds), majority=majority, reached=reached)


def _configs(study: Study, graph: GraphFacts) -> Iterator[tuple[str, ModelConfig]]:
    """All models, and for each composition the plain layer that the paper's theorems speak of."""
    plain = {}
    for experiment in study.experiments:
        for model in experiment.models:
            config = graph.config(model.choice)
            yield f"{experiment.name}/{model.name}", config
            if config.model == "compgcn":
                plain[config.composition] = replace(config, direction=False, norm=False)
    for composition, config in plain.items():
        yield f"{PLAIN}/{composition}", config


def _bound_facts(
    dataset: Dataset, bound: Bound, number: int, models: tuple[str, ...], progress: Progress
) -> BoundFacts:
    classes, correct = None, {}
    try:
        refinement = refine(
            dataset.graph, bound.test, bound.direction, rounds=number, progress=progress
        )
        best = ceiling(
            dataset.graph,
            dataset.targets,
            dataset.holdout,
            bound.test,
            bound.direction,
            number,
            limit=0,
            progress=progress,
        )
        classes, correct = refinement.classes, _correct(best)
    except TooLargeError:
        pass  # the bound is known, its numbers are not
    return BoundFacts(
        test=bound.test,
        direction=bound.direction,
        round=number,
        classes=classes,
        correct=correct,
        models=models,
    )


def _correct(best: Ceiling) -> dict[str, tuple[int, int]]:
    scores = {split.split: split.last for split in best.splits}
    return {name: (scores[name].correct, scores[name].total) for name in SPLITS if name in scores}
