from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from tests.studies.toy import made_up_facts, made_up_result, toy_study
from wlkg.errors import MissingExtraError
from wlkg.studies.comparisons import StudyResults
from wlkg.studies.figures import write_figures
from wlkg.studies.paper import paper_study
from wlkg.studies.study import DataFiles, Study
from wlkg.typesetting.figures import check_matplotlib

pytest.importorskip("matplotlib", reason="figures need matplotlib: pip install 'wlkg[plots]'")


def results_of(study: Study, share: float = 1.0) -> StudyResults:
    draw = random.Random(0)
    runs = [run for run in study.runs("data") if draw.random() <= share]
    results = {run: made_up_result(run, draw.random()) for run in runs}
    return StudyResults(study, "data", results)


def test_equal_results_give_equal_files(tmp_path: Path) -> None:
    study = toy_study(tmp_path).resolved(25)
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        paths = write_figures(results_of(study), made_up_facts(study), folder)
        assert [path.name for path in paths] == ["models.svg", "models.png"]
    for name in ("models.svg", "models.png"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert b"<dc:date>" not in (folders[0] / "models.svg").read_bytes()


def test_unfinished_studies_are_drawn_as_far_as_they_are(tmp_path: Path) -> None:
    study = paper_study("aifb", DataFiles("g", "t", "h")).resolved(8285)
    facts = made_up_facts(study)
    assert len(write_figures(results_of(study, 0.1), facts, tmp_path)) == 6
    assert write_figures(results_of(study, -1), facts, tmp_path) == []


def test_without_matplotlib_figures_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'wlkg\[plots\]'"):
        check_matplotlib()
