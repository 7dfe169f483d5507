"""A study from beginning to end: train what is not trained yet, then write tables and figures.

In the folder of a study:

===============  ====================================================================
``study.json``   the study, resolved, and what is known before training
``runs/``        a file for each finished run
``tables/``      each table as Markdown, LaTeX and CSV
``figures/``     each experiment as SVG and PNG
``README.md``    the report
===============  ====================================================================

Everything but ``study.json`` and ``runs`` is made from these two, in seconds.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from wlkg.display import Displayed
from wlkg.errors import MissingExtraError, UsageError
from wlkg.progress import SILENT, Progress
from wlkg.studies.answers import Answer, answer_all
from wlkg.studies.comparisons import StudyResults
from wlkg.studies.dataset import Dataset, check_files, data_digest, load_dataset
from wlkg.studies.facts import find_facts
from wlkg.studies.figures import write_figures
from wlkg.studies.find import find_study
from wlkg.studies.pace import Pace
from wlkg.studies.paper_data import PAPER
from wlkg.studies.parameters import against_paper, check_models
from wlkg.studies.report_page import report_page
from wlkg.studies.runs import read_results, write_result
from wlkg.studies.schedule import train_all
from wlkg.studies.study import Run, Study
from wlkg.studies.study_file import StudyRecord, read_record, write_record
from wlkg.studies.table_formats import FORMATS, StudyTable
from wlkg.studies.tables import all_tables
from wlkg.studies.training import require_torch
from wlkg.typesetting.figures import check_matplotlib
from wlkg.writers.aside import made_folder, written_aside


@dataclass(frozen=True, eq=False)
class Reproduction(Displayed):
    """A study with its results, and the files that were written."""

    folder: Path
    record: StudyRecord
    results: StudyResults
    answers: tuple[Answer, ...]
    tables: tuple[StudyTable, ...]
    #: The files of the figures; None if matplotlib is not installed.
    figures: tuple[Path, ...] | None


@dataclass(frozen=True)
class PlannedRun:
    """A run that a study would do, and the seconds that it would take."""

    run: Run
    seconds: float
    is_finished: bool


@dataclass(frozen=True, eq=False)
class _Prepared:
    record: StudyRecord
    dataset: Dataset
    pace: Pace


def reproduce(
    study: Study | str,
    folder: str | Path,
    *,
    data: str | None = None,
    quick: bool = False,
    workers: int | None = None,
    figures: bool | None = None,
    command: str = "",
    progress: Progress = SILENT,
) -> Reproduction:
    """Train the runs of a study that are not finished, and write its report to a folder.

    A study is a `Study`, a name such as ``aifb``, whose files are in the folder ``data``, or a TOML
    file. Names can be run ``quick``. ``workers`` is the number of processes, by default the number
    of cores. ``figures`` may be forced or left out; by default they are drawn if matplotlib is
    installed.
    """
    if isinstance(study, str):
        study = find_study(study, data, quick=quick)
    place = Path(folder)
    if workers is not None and workers < 1:
        raise UsageError(f"workers must be at least 1, found {workers}")
    if figures:
        check_matplotlib()
    prepared = _prepare(study, place, command, progress)
    record = prepared.record
    runs_folder = made_folder(place / "runs")
    write_record(place, record)
    runs = record.study.runs(record.data)
    finished = read_results(runs_folder, runs)
    train_all(
        [run for run in runs if run not in finished],
        study.data,
        prepared.dataset,
        workers=workers or os.cpu_count() or 1,
        pace=prepared.pace,
        finished=partial(write_result, runs_folder),
        progress=progress,
    )
    return report(place, figures=figures)


def plan(study: Study, folder: str | Path, *, progress: Progress = SILENT) -> list[PlannedRun]:
    """The runs of a study, in order, with estimated times."""
    place = Path(folder)
    prepared = _prepare(study, place, "", progress)
    runs = prepared.record.study.runs(prepared.record.data)
    finished = read_results(place / "runs", runs)
    return [PlannedRun(run, prepared.pace.seconds(run), run in finished) for run in runs]


def report(folder: str | Path, *, figures: bool | None = None) -> Reproduction:
    """Write tables, figures and README from the files of a study; needs no data set."""
    place = Path(folder)
    if figures:
        check_matplotlib()
    record = read_record(place)
    results = StudyResults(
        study=record.study,
        data=record.data,
        results=read_results(place / "runs", record.study.runs(record.data)),
    )
    answers = answer_all(results, record.facts)
    tables = tuple(all_tables(results, record.facts, record.parameters, answers))
    tables_folder = made_folder(place / "tables")
    for table in tables:
        for suffix, text_of in FORMATS.items():
            _write(tables_folder / f"{table.name}{suffix}", text_of(table))
    drawn = _draw(place, results, record, figures)
    images = [path.relative_to(place).as_posix() for path in drawn or () if path.suffix == ".svg"]
    _write(place / "README.md", report_page(record, results, answers, tables, images))
    return Reproduction(
        folder=place,
        record=record,
        results=results,
        answers=answers,
        tables=tables,
        figures=None if drawn is None else tuple(drawn),
    )


def _draw(
    place: Path, results: StudyResults, record: StudyRecord, figures: bool | None
) -> Sequence[Path] | None:
    if figures is False:
        return ()
    try:
        check_matplotlib()
    except MissingExtraError:
        return None
    return write_figures(results, record.facts, made_folder(place / "figures"))


def _prepare(study: Study, place: Path, command: str, progress: Progress) -> _Prepared:
    """Read the data set, fill in the study, and learn what is known before training."""
    require_torch()
    check_files(study.data)
    dataset = load_dataset(study.data, progress)
    resolved = study.resolved(dataset.graph.num_vertices)
    facts = find_facts(resolved, dataset, progress)
    check_models(resolved, facts.graph)
    paper = PAPER.get(study.name)
    counts = () if paper is None else against_paper(resolved.experiments, facts.graph, paper)
    data = data_digest(study.data)
    record = StudyRecord(
        study=resolved,
        data=data,
        facts=facts,
        parameters=tuple(counts),
        command=command,
        cores=os.cpu_count() or 1,
    )
    finished = read_results(place / "runs", resolved.runs(data))
    pace = Pace(2 * facts.graph.triples, finished.values())
    return _Prepared(record=record, dataset=dataset, pace=pace)


def _write(path: Path, text: str) -> None:
    with written_aside(path) as stream:
        stream.write(text.encode())
