"""Scores of a study by model, width and seed, and the paired comparisons of its questions.

Sides are compared on the same seeds, which also means on the same validation vertices. A side is
one or several models at one or several widths, a question such as "with or without norm" a contrast
of two groups of models; scores are averaged within a seed first. If m comparisons decide a question
together, their intervals have level 1 - 0.05 / m (Bonferroni), so that all of them hold with 95 %
confidence. The other comparisons are details, with intervals that hold with 95 % confidence each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wlkg.studies.runs import Epoch, RunResult
from wlkg.studies.statistics import PairedTest, paired_test
from wlkg.studies.study import Contrast, Experiment, Question, Run, Study, StudyModel

Reported = Literal["last", "chosen", "best_on_test"]
Cell = tuple[StudyModel, int]
ERROR = 0.05


@dataclass(frozen=True, eq=False)
class StudyResults:
    """A resolved study with the results of its finished runs."""

    study: Study
    data: str
    results: Mapping[Run, RunResult]

    def of(self, model: StudyModel, width: int) -> list[RunResult]:
        """The finished runs of a model at a width, in the order of their seeds."""
        runs = (self.study.run(model, width, s, self.data) for s in range(self.study.seeds))
        return [self.results[run] for run in runs if run in self.results]

    def scores(
        self, model: StudyModel, width: int, reported: Reported = "last", split: str | None = None
    ) -> dict[int, float]:
        """The accuracy of each seed that has one."""
        scores = {}
        for result in self.of(model, width):
            epoch: Epoch | None = getattr(result, reported)
            score = None if epoch is None else epoch.accuracy(split or self.study.measure)
            if score is not None:
                scores[result.run.seed] = score
        return scores

    def mean_scores(self, cells: Iterable[Cell]) -> dict[int, float]:
        """For each seed that has all cells, the mean accuracy over the cells."""
        columns = [self.scores(*cell) for cell in cells]
        seeds = set.intersection(*map(set, columns)) if columns else set()
        return {
            seed: math.fsum(column[seed] for column in columns) / len(columns)
            for seed in sorted(seeds)
        }


@dataclass(frozen=True)
class Comparison:
    """Two sides of a question compared over seeds; differences are first minus second."""

    first: str
    second: str
    #: Whether it helps to decide the question; others are shown for the details.
    decides: bool
    #: None if no seed has both sides.
    test: PairedTest | None
    confidence: float


@dataclass(frozen=True)
class _Pair:
    """The two sides of a comparison: titles and cells."""

    first: str
    second: str
    first_cells: Sequence[Cell]
    second_cells: Sequence[Cell]


def compare_all(results: StudyResults, question: Question) -> list[Comparison]:
    """The comparisons that decide a question, then the others."""
    if question.compares == "models":
        deciding, others = _model_pairs(results, question)
    else:
        deciding, others = _width_pairs(results, question)
    confidence = 1 - ERROR / max(len(deciding), 1)
    return [
        *(_compared(results, pair, confidence, decides=True) for pair in deciding),
        *(_compared(results, pair, 1 - ERROR, decides=False) for pair in others),
    ]


def _compared(
    results: StudyResults, pair: _Pair, confidence: float, *, decides: bool
) -> Comparison:
    ours, theirs = map(results.mean_scores, (pair.first_cells, pair.second_cells))
    differences = [ours[seed] - theirs[seed] for seed in sorted(ours.keys() & theirs.keys())]
    return Comparison(
        first=pair.first,
        second=pair.second,
        decides=decides,
        test=paired_test(differences, confidence) if differences else None,
        confidence=confidence,
    )


def _model_pairs(results: StudyResults, question: Question) -> tuple[list[_Pair], list[_Pair]]:
    """The contrasts of the question, and every model against the reference."""
    experiment = results.study.experiment(question.experiment)
    reference = str(question.reference)
    contrasts = [
        Contrast(model.name, (model.name,), reference, (reference,))
        for model in experiment.models
        if model.name != reference
    ]
    deciding = question.contrasts or tuple(contrasts)
    others = [contrast for contrast in contrasts if contrast not in deciding]
    return (
        [_contrast_pair(results, experiment, contrast) for contrast in deciding],
        [_contrast_pair(results, experiment, contrast) for contrast in others],
    )


def _contrast_pair(results: StudyResults, experiment: Experiment, contrast: Contrast) -> _Pair:
    """Both groups at the widths for which every model has results."""
    models = {model.name: model for model in experiment.models}
    ours, theirs = (
        [models[name] for name in names if name in models]
        for names in (contrast.first_models, contrast.second_models)
    )
    widths = [
        width
        for width in experiment.widths
        if all(results.scores(model, width) for model in (*ours, *theirs))
    ]
    return _Pair(
        first=contrast.first,
        second=contrast.second,
        first_cells=[(model, width) for model in ours for width in widths],
        second_cells=[(model, width) for model in theirs for width in widths],
    )


def _width_pairs(results: StudyResults, question: Question) -> tuple[list[_Pair], list[_Pair]]:
    """The widths below and above the reference against it: all models together, then each."""
    experiment = results.study.experiment(question.experiment)
    middle = _reference_width(experiment.widths, question)
    finished = [
        width
        for width in experiment.widths
        if all(results.scores(model, width) for model in experiment.models)
    ]
    sides = {
        "below": [width for width in finished if width < middle],
        "above": [width for width in finished if width > middle],
    }

    def pairs(models: Sequence[StudyModel], title: str) -> list[_Pair]:
        return [
            _Pair(
                first=f"{title}width {widths[0] if len(widths) == 1 else f'{word} {middle}'}",
                second=f"width {middle}",
                first_cells=[(model, width) for model in models for width in widths],
                second_cells=[(model, middle) for model in models],
            )
            for word, widths in sides.items()
            if widths
        ]

    each = [pair for model in experiment.models for pair in pairs([model], f"{model.name}, ")]
    return pairs(experiment.models, ""), each


def _reference_width(widths: tuple[int, ...], question: Question) -> int:
    """The width of the question, or the smallest if the study was run without it."""
    reference = question.reference
    return reference if isinstance(reference, int) and reference in widths else min(widths)
