"""Models beside tests: what a model says about two graphs, and whether it keeps its bound.

A model is a function from two graphs to an answer; where it comes from is not known here. If layer
t of a model separates the graphs, the test that bounds it must do so by round t + ``later``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from wlkg.analysis.side_by_side import SideBySide
from wlkg.catalogue import Direction
from wlkg.errors import TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress


class ModelAnswer(Protocol):
    """What a model says about two graphs."""

    @property
    def separated(self) -> bool | None:
        """Whether it separates them; None if its numbers are too close to rounding."""

    @property
    def layer(self) -> int | None:
        """The first separating layer, if the model shows its layers."""

    @property
    def draws(self) -> int:
        """With how many weights it was run."""

    @property
    def separating_draws(self) -> int:
        """With how many of them it separates the graphs."""

    @property
    def test(self) -> str:
        """The test that bounds the model."""

    @property
    def direction(self) -> Direction:
        """The direction mode in which it does."""

    @property
    def later(self) -> int | None:
        """Layer t is bounded by round t + ``later``; None if only by the stable colours."""

    @property
    def graph_only(self) -> bool:
        """Whether it depends on nothing but the graphs: not on numberings, orders or chance."""

    @property
    def predicted(self) -> tuple[str, str] | None:
        """The classes that a model of whole graphs predicts."""


class PairModel(Protocol):
    """A model that can be asked about two graphs."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def weights(self) -> str:
        """Where its weights come from."""

    def __call__(self, one: RelationalGraph, two: RelationalGraph) -> ModelAnswer:
        """What it says about two graphs."""


@dataclass(frozen=True)
class ModelVerdict:
    """What a model says about two graphs, beside the test that bounds it."""

    model: str
    weights: str
    #: None if the numbers are too close to rounding, or if the model was skipped.
    separated: bool | None
    #: The first separating layer.
    layer: int | None = None
    draws: int = 0
    separating_draws: int = 0
    #: The test that bounds the model, and the first round at which it separates the graphs.
    bound: str | None = None
    bound_round: int | None = None
    #: None if the numbers or the memory do not allow to decide it.
    bound_holds: bool | None = None
    #: Whether the model depends on nothing but the graphs.
    graph_only: bool = True
    #: A model of whole graphs: the classes it predicts.
    predicted: tuple[str, str] | None = None
    #: Why the model was not run.
    skipped: str | None = None


def judge_model(
    pair: SideBySide,
    model: PairModel,
    known: Mapping[str, int | None],
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> ModelVerdict:
    """What a model says about two graphs, and whether it keeps its bound.

    ``known`` are the separating rounds of tests that were run on the pair, None if there is none.
    """
    one, two = pair.graphs
    try:
        answer = model(one, two)
    except TooLargeError as error:
        return ModelVerdict(model.model, model.weights, separated=None, skipped=str(error))
    try:
        at_round = _separating_round(pair, answer, known, max_memory, progress)
        holds = _keeps_bound(answer, at_round)
    except TooLargeError:
        at_round, holds = None, None if answer.separated is not False else True
    return ModelVerdict(
        model.model,
        model.weights,
        separated=answer.separated,
        layer=answer.layer,
        draws=answer.draws,
        separating_draws=answer.separating_draws,
        bound=answer.test,
        bound_round=at_round,
        bound_holds=holds if answer.graph_only else False,
        graph_only=answer.graph_only,
        predicted=answer.predicted,
    )


def _separating_round(
    pair: SideBySide,
    answer: ModelAnswer,
    known: Mapping[str, int | None],
    max_memory: int | None,
    progress: Progress,
) -> int | None:
    """The round at which the bounding test separates the graphs."""
    if answer.direction == pair.graphs[0].direction:
        if answer.test in known:
            return known[answer.test]
    else:
        pair = SideBySide(tuple(graph.with_direction(answer.direction) for graph in pair.graphs))
    pair.check_size(answer.test, max_memory)
    return pair.refine(answer.test, progress=progress).differs_at


def _keeps_bound(answer: ModelAnswer, at_round: int | None) -> bool | None:
    if answer.separated is False:
        return True
    layer = answer.layer or 1
    in_time = at_round is not None and (answer.later is None or at_round <= layer + answer.later)
    return in_time if answer.separated else in_time or None
