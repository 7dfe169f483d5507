"""The questions of a study answered: in words, with numbers, and with what the WL tests say.

A comparison whose interval excludes 0 is a difference. One whose interval lies within `MARGIN` of 0
shows that the two are alike, and all others leave the question open: not finding a difference in a
few runs that scatter is no evidence that there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.studies.comparisons import Comparison, StudyResults, compare_all
from wlkg.studies.facts import PLAIN, Facts
from wlkg.studies.statistics import FEWEST, PairedTest
from wlkg.studies.study import Question

_POINTS = 100
#: Two sides are called alike if the interval of their difference lies within this.
MARGIN = 0.1


@dataclass(frozen=True)
class Answer:
    """A question, its answer, the comparisons behind it, and the WL facts that explain it."""

    question: Question
    text: str
    comparisons: tuple[Comparison, ...]
    explanation: str


def answer_all(results: StudyResults, facts: Facts) -> tuple[Answer, ...]:
    """The answers to all questions of a study."""
    answers = []
    for question in results.study.questions:
        comparisons = compare_all(results, question)
        answers.append(
            Answer(
                question=question,
                text=_text(question, comparisons),
                comparisons=tuple(comparisons),
                explanation=_explanation(question, results, facts),
            )
        )
    return tuple(answers)


def _text(question: Question, comparisons: Sequence[Comparison]) -> str:
    """What differs, what is alike within `MARGIN`, and what the runs leave open."""
    deciding = [each for each in comparisons if each.decides]
    differing = _differing(deciding)
    alike = [each for each in deciding if each not in differing and _is_narrow(each.test)]
    unclear = [each for each in deciding if each not in differing and each not in alike]
    parts = [_difference(each) for each in differing]
    if alike:
        parts.append(f"alike within {_points(MARGIN)} points are {_limits(alike)}")
    if unclear:
        parts.append(f"too few runs, or too much scatter, to judge {_limits(unclear)}")
    if differing:
        lead = question.if_found
    else:
        lead = (
            question.if_none if alike and not unclear else "Open" if not alike else "Open in part"
        )
    details = _differing([each for each in comparisons if not each.decides])
    shown = f" In detail: {'; '.join(map(_difference, details))}." if details else ""
    return f"{lead}: {'; '.join(parts)}.{shown}"


def _differing(comparisons: Sequence[Comparison]) -> list[Comparison]:
    return [each for each in comparisons if each.test is not None and each.test.differs]


def _test(comparison: Comparison) -> PairedTest:
    assert comparison.test is not None
    return comparison.test


def _is_narrow(test: PairedTest | None) -> bool:
    if test is None or test.low is None or test.high is None or test.count < FEWEST:
        return False
    return max(-test.low, test.high) <= MARGIN


def _points(share: float) -> str:
    return f"{_POINTS * share:.0f}"


def _difference(comparison: Comparison) -> str:
    test = _test(comparison)
    word = "better" if test.mean > 0 else "worse"
    size = f"{abs(_POINTS * test.mean):.1f} points {word} than {comparison.second}"
    low, high = (_POINTS * (value or 0) for value in (test.low, test.high))
    return f"{comparison.first} is {size} ({low:+.1f} to {high:+.1f}, p = {test.p:.3g})"


def _limits(comparisons: Sequence[Comparison]) -> str:
    """What is compared, with the intervals."""
    texts = []
    for each in comparisons:
        interval = ""
        if each.test is not None and each.test.low is not None and each.test.high is not None:
            low, high = max(each.test.low, -1), min(each.test.high, 1)
            interval = f" ({_POINTS * low:+.1f} to {_POINTS * high:+.1f})"
        texts.append(f"{each.first} and {each.second}{interval}")
    return "; ".join(texts)


def _shown(name: str) -> str:
    return f"[{name}]" if "," in name else name


def _explanation(question: Question, results: StudyResults, facts: Facts) -> str:
    """The bounds of the models that are compared, with classes and ceilings."""
    experiment = results.study.experiment(question.experiment)
    if question.compares == "widths":
        return f"What the tests say: a bound is the same at every width.{_reached(facts)}"
    sentences = _bounds(facts, experiment.name)
    text = f"What the tests say: {'; '.join(sentences)}."
    if len({model.choice.composition for model in experiment.models}) > 1:
        plain = "; ".join(_bounds(facts, PLAIN))
        text += f" The theory speaks of plain layers, without directions and norm: {plain}."
    return text


def _reached(facts: Facts) -> str:
    """What the first model reaches at each width."""
    first = [each for each in facts.reached if each.model == facts.reached[0].model]
    if not first:
        return ""
    counts = ", ".join(f"{each.classes:,} at width {each.width}" for each in first)
    return (
        f" But narrow models may not reach it: of its {first[0].bound:,} classes, "
        f"{first[0].model} with random weights tells apart {counts}."
    )


def _bounds(facts: Facts, group: str) -> list[str]:
    sentences = []
    for bound, names in facts.by_bound(group):
        who, place = ", ".join(map(_shown, names)), f"round {bound.round} of {bound.test}"
        if bound.classes is None:
            sentences.append(f"{who}: bounded by {place}, which does not fit into memory")
            continue
        right = " and ".join(
            f"{correct} of {total} {split}" for split, (correct, total) in bound.correct.items()
        )
        sentences.append(
            f"{who}: bounded by {place} with {bound.classes:,} classes, at best {right} right"
        )
    return sentences
