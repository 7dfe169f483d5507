"""Scores of a study by model, width and seed, and the paired comparisons of its questions.

Models are compared on the same seeds, which also means the same validation vertices. Scores at
several widths are averaged within a seed first. The intervals of a question with m comparisons have
level 1 - 0.05 / m (Bonferroni), so that all of them hold together with 95 % confidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from wlkg.studies.runs import Epoch, RunResult
from wlkg.studies.statistics import PairedTest, paired_test
from wlkg.studies.study import Question, Run, Study, StudyModel

Reported = Literal["last", "chosen", "best_on_test"]
_ERROR = 0.05


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

    def mean_scores(self, model: StudyModel, widths: Iterable[int]) -> dict[int, float]:
        """For each seed that has all widths, the mean accuracy over the widths."""
        columns = [self.scores(model, width) for width in widths]
        seeds = set.intersection(*map(set, columns)) if columns else set()
        return {
            seed: math.fsum(column[seed] for column in columns) / len(columns)
            for seed in sorted(seeds)
        }


@dataclass(frozen=True)
class Comparison:
    """Two sides of a question compared over seeds; differences are first minus second."""

    question: str
    first: str
    second: str
    #: None if no seed has both.
    test: PairedTest | None
    confidence: float


def compare_all(results: StudyResults, question: Question) -> list[Comparison]:
    """The comparisons that answer a question."""
    pairs = list(_pairs(results, question))
    confidence = 1 - _ERROR / max(len(pairs), 1)
    comparisons = []
    for first, second, ours, theirs in pairs:
        seeds = sorted(ours.keys() & theirs.keys())
        differences = [ours[seed] - theirs[seed] for seed in seeds]
        test = paired_test(differences, confidence) if differences else None
        comparisons.append(Comparison(question.name, first, second, test, confidence))
    return comparisons


_Pair = tuple[str, str, dict[int, float], dict[int, float]]


def _pairs(results: StudyResults, question: Question) -> Iterable[_Pair]:
    if question.compares == "models":
        return _model_pairs(results, question)
    return _width_pairs(results, question)


def _model_pairs(results: StudyResults, question: Question) -> Iterable[_Pair]:
    """Every model against the reference, over all widths that both have results for."""
    experiment = results.study.experiment(question.experiment)
    reference = next(m for m in experiment.models if m.name == question.reference)
    for model in experiment.models:
        if model != reference:
            widths = [
                width
                for width in experiment.widths
                if results.scores(model, width).keys() & results.scores(reference, width).keys()
            ]
            ours, theirs = (results.mean_scores(each, widths) for each in (model, reference))
            yield model.name, reference.name, ours, theirs


def _width_pairs(results: StudyResults, question: Question) -> Iterable[_Pair]:
    """For every model the widths below and above the reference, against the reference."""
    experiment = results.study.experiment(question.experiment)
    middle = _reference_width(experiment.widths, question)
    for model in experiment.models:
        theirs = results.scores(model, middle)
        finished = [width for width in experiment.widths if results.scores(model, width)]
        for word, widths in (
            ("below", [width for width in finished if width < middle]),
            ("above", [width for width in finished if width > middle]),
        ):
            if widths:
                shown = widths[0] if len(widths) == 1 else f"{word} {middle}"
                ours = results.mean_scores(model, widths)
                yield f"{model.name}, width {shown}", f"width {middle}", ours, theirs


def _reference_width(widths: tuple[int, ...], question: Question) -> int:
    """The width of the question, or the smallest if the study was run without it."""
    reference = question.reference
    return reference if isinstance(reference, int) and reference in widths else min(widths)
