from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.studies.toy import RUN, toy_study
from wlkg.errors import UsageError
from wlkg.studies.paper import paper_study
from wlkg.studies.restrict import Changes, changed
from wlkg.studies.study import DataFiles, Run, choice_document

FILES = DataFiles("kg.nt", "train.tsv", "test.tsv")


@pytest.mark.parametrize(
    "changes",
    [
        {"epochs": 11},
        {"learning_rate": 0.002},
        {"weight_decay": 0.1},
        {"seed": 1},
        {"device": "cuda"},
        {"data": "abd"},
        {"choice": replace(RUN.choice, width=8)},
        {"choice": replace(RUN.choice, layers=3)},
        {"choice": replace(RUN.choice, norm=False)},
        {"choice": replace(RUN.choice, composition="add")},
        {"choice": replace(RUN.choice, model="rgcn")},
    ],
    ids=str,
)
def test_everything_that_a_result_depends_on_changes_key_and_file(
    changes: dict[str, object],
) -> None:
    other = replace(RUN, **changes)  # type: ignore[arg-type]
    assert other.key != RUN.key
    assert other.file_name != RUN.file_name
    assert Run.of(other.document()) == other


def test_options_at_their_default_are_not_part_of_a_run() -> None:
    assert choice_document(RUN.choice) == {"model": "compgcn", "layers": 2, "width": 4}


def test_file_names_can_be_read() -> None:
    assert RUN.file_name == f"compgcn-d4-seed0-{RUN.key[:8]}.json"
    run = replace(RUN, choice=replace(RUN.choice, norm=False, composition="add"), seed=3)
    assert run.file_name == f"compgcn-d4-add-no-norm-seed3-{run.key[:8]}.json"


def test_the_study_of_aifb_is_the_papers() -> None:
    study = paper_study("aifb", FILES).resolved(8285)
    width, ablations, compositions = study.experiments
    assert [model.name for model in width.models] == [
        "R-GCN, sum",
        "R-GCN, mean",
        "R-GCN + MLP",
        "CompGCN",
    ]
    assert width.widths == (2, 4, 8, 16, 32, 64, 128)
    assert len(ablations.models) == 8
    assert {"mult", "add", "rotate", "mlp"} <= {model.name for model in compositions.models}
    assert {(m.epochs, m.learning_rate, m.choice.layers) for m in width.models} == {
        (8000, 0.001, 2)
    }
    assert [question.name for question in study.questions] == ["Q1", "Q2", "Q3", "Q4"]
    runs = study.runs("data")
    # CompGCN at width 4 is in all three experiments and is trained once per seed.
    assert len(runs) == 5 * (28 + 7 + len(compositions.models) - 1)
    assert len({run.file_name for run in runs}) == len(runs)
    assert [run.seed for run in runs] == sorted(run.seed for run in runs)


def test_the_study_of_am_has_the_hyperparameters_of_the_paper() -> None:
    study = paper_study("am", FILES).resolved(1_666_764)
    models = {model.name: model for model in study.experiments[0].models}
    assert {name: (m.choice.layers, m.epochs, m.learning_rate) for name, m in models.items()} == {
        "R-GCN, sum": (3, 100, 0.03),
        "R-GCN, mean": (3, 100, 0.03),
        "R-GCN + MLP": (3, 400, 0.03),
        "CompGCN": (2, 800, 0.03),
    }
    assert study.experiments[0].widths == (4,)
    assert [question.name for question in study.questions] == ["Q1", "Q3", "Q4"]


def test_every_change_is_recorded_as_a_departure(tmp_path: Path) -> None:
    study = changed(
        paper_study("aifb", FILES), Changes(only=("width",), seeds=2, epochs=7, widths=(2, 2, 8))
    )
    assert study.departures == ("only width", "widths 2, 2, 8", "7 epochs", "2 seeds")
    assert study.experiments[0].widths == (2, 8)
    assert [question.name for question in study.questions] == ["Q1", "Q2"]
    unchanged = toy_study(tmp_path)
    assert changed(unchanged, Changes()) == unchanged


def test_unknown_experiments_and_useless_widths_are_refused() -> None:
    study = paper_study("aifb", FILES)
    with pytest.raises(UsageError, match=r"unknown experiment 'figure'\. Known: width, abl"):
        changed(study, Changes(only=("figure",)))
    with pytest.raises(UsageError, match="several widths"):
        changed(study, Changes(only=("ablations",), widths=(2,)))
