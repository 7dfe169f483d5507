"""The questions of a study answered: in words, with numbers, and with what the WL tests say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.studies.comparisons import Comparison, StudyResults, compare_all
from wlkg.studies.facts import PLAIN, Facts
from wlkg.studies.study import Question

_POINTS = 100


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
    judged = [each for each in comparisons if each.test is not None and each.test.low is not None]
    if not judged:
        return "Open: too few runs are finished, each side needs two seeds."
    found = [each for each in judged if each.test is not None and each.test.differs]
    lead = question.if_found if found else question.if_none
    sentences = [_difference(each) for each in found]
    if len(found) < len(judged):
        others = [each for each in judged if each not in found]
        sentences.append(_no_difference(others, bool(found)))
    missing = len(comparisons) - len(judged)
    if missing:
        sentences.append(f"{missing} of {len(comparisons)} comparisons lack runs")
    return f"{lead}: {'; '.join(sentences)}."


def _difference(comparison: Comparison) -> str:
    test = comparison.test
    assert test is not None
    word = "better" if test.mean > 0 else "worse"
    size = f"{abs(_POINTS * test.mean):.1f} points {word} than {comparison.second}"
    return f"{comparison.first} is {size} ({_interval(comparison)})"


def _no_difference(comparisons: Sequence[Comparison], is_rest: bool) -> str:
    names = ", ".join(_shown(each.first) for each in comparisons)
    second = comparisons[0].second
    lows, highs = (
        [_POINTS * getattr(each.test, side) for each in comparisons] for side in ("low", "high")
    )
    limits = f"from {min(lows):+.1f} to {max(highs):+.1f} points"
    lead = "no difference was found for " if is_rest else ""
    return f"{lead}{names} against {second}: all intervals contain 0 and lie {limits}"


def _shown(name: str) -> str:
    return f"[{name}]" if "," in name else name


def _interval(comparison: Comparison) -> str:
    test = comparison.test
    assert test is not None
    assert test.low is not None
    assert test.high is not None
    return f"{_POINTS * test.low:+.1f} to {_POINTS * test.high:+.1f}, p = {test.p:.3g}"


def _explanation(question: Question, results: StudyResults, facts: Facts) -> str:
    """The bounds of the models that are compared, with classes and ceilings."""
    experiment = results.study.experiment(question.experiment)
    sentences = _bounds(facts, experiment.name)
    if question.compares == "widths":
        sentences.append("no width changes these bounds")
    text = f"What the tests say: {'; '.join(sentences)}."
    if len({model.choice.composition for model in experiment.models}) > 1:
        plain = "; ".join(_bounds(facts, PLAIN))
        text += f" The theory speaks of plain layers, without directions and norm: {plain}."
    return text


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
