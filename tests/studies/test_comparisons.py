from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.studies.toy import made_up_facts, made_up_result, toy_study
from wlkg.studies.answers import answer_all
from wlkg.studies.comparisons import StudyResults, compare_all
from wlkg.studies.paper import paper_study
from wlkg.studies.statistics import paired_test
from wlkg.studies.study import DataFiles, Run, Study

AIFB = paper_study("aifb", DataFiles("kg.nt", "train.tsv", "test.tsv")).resolved(8285)


def made_up(study: Study, score: object) -> StudyResults:
    """Results with the accuracy that a function gives to each run."""
    assert callable(score)
    runs = study.runs("data")
    results = {run: made_up_result(run, score(run)) for run in runs if score(run) is not None}
    return StudyResults(study, "data", results)


def scattered(run: Run, mean: float, scatter: float) -> float:
    """About the mean, the same for the same run; a seed shifts all models alike."""
    draw = random.Random(run.key)
    shift = random.Random(run.seed).gauss(0, 0.05)
    return min(max(mean + shift + draw.gauss(0, scatter), 0), 1)


def answers(results: StudyResults) -> dict[str, str]:
    facts = made_up_facts(results.study)
    return {answer.question.name: answer.text for answer in answer_all(results, facts)}


def test_contrasts_are_means_over_groups_and_widths_within_a_seed() -> None:
    results = made_up(AIFB, lambda run: random.Random(run.key).random())
    third = AIFB.questions[2]
    first = compare_all(results, third)[0]
    assert first.decides
    models = AIFB.experiment("ablations").models
    differences = []
    for seed in range(5):
        score = {model.name: results.scores(model, 4)[seed] for model in models}
        without = [value for name, value in score.items() if "-dir" in name]
        others = [value for name, value in score.items() if "-dir" not in name]
        assert len(without) == len(others) == 4
        differences.append(sum(without) / 4 - sum(others) / 4)
    assert first.test is not None
    assert first.test.mean == pytest.approx(sum(differences) / 5)
    assert first.test.p == paired_test(differences).p
    assert first.confidence == pytest.approx(1 - 0.05 / 3)
    details = [each for each in compare_all(results, third) if not each.decides]
    assert len(details) == 7
    assert {each.confidence for each in details} == {0.95}


def test_seeds_that_shift_all_models_alike_do_not_matter() -> None:
    results = made_up(AIFB, lambda run: scattered(run, 0.8, 0.005))
    texts = answers(results)
    assert texts["Q1"].startswith("Yes, as far as these runs can tell: alike within 10 points are")
    assert texts["Q2"].startswith("No: ")
    assert texts["Q3"].startswith("No component has an effect: ")
    assert texts["Q4"].startswith("No, the compositions are alike: ")


def test_large_differences_are_found_with_their_sign() -> None:
    def score(run: Run) -> float:
        worse = 0.3 * (not run.choice.direction) + 0.2 * (run.choice.width == 2)
        return scattered(run, 0.85 - worse, 0.005)

    texts = answers(made_up(AIFB, score))
    assert texts["Q2"].startswith("Yes, in part: width 2 is 20.")
    assert "points worse than width 4 (" in texts["Q2"]
    assert texts["Q3"].startswith("Some components matter: -dir in any combination is 30.")
    assert (
        "alike within 10 points are -norm in any combination and the same with norm" in texts["Q3"]
    )


def test_results_that_scatter_leave_the_question_open() -> None:
    texts = answers(made_up(AIFB, lambda run: scattered(run, 0.5, 0.3)))
    assert texts["Q3"].startswith("Open: too few runs, or too much scatter, to judge -dir in any")


def test_without_results_every_question_is_open() -> None:
    for text in answers(made_up(AIFB, lambda _: None)).values():
        assert text.startswith("Open: ")


def test_unfinished_widths_and_seeds_are_left_out(tmp_path: Path) -> None:
    study = toy_study(tmp_path).resolved(25)

    def score(run: Run) -> float | None:
        missing = run.choice.model == "compgcn" and run.choice.width == 4
        return None if missing else 0.5 + 0.1 * (run.choice.width == 4)

    first, second = study.questions
    (models,) = compare_all(made_up(study, score), first)
    assert models.test is not None
    assert (models.test.mean, models.test.count) == (0, 2)
    assert all(each.test is None for each in compare_all(made_up(study, score), second))


def test_the_explanation_names_bounds_classes_and_ceilings() -> None:
    results = made_up(AIFB, lambda _: 0.5)
    explanations = [each.explanation for each in answer_all(results, made_up_facts(AIFB))]
    assert "bounded by round 2 of 1-rwl with 20 classes, at best 15 of 16 train" in explanations[0]
    assert "the same at every width" in explanations[1]
    assert "plain layers" in explanations[3]
