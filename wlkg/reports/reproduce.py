"""Studies as data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, new_table, note, printable
from wlkg.studies.answers import Answer
from wlkg.studies.comparisons import Comparison
from wlkg.studies.reproduce import PlannedRun, Reproduction
from wlkg.studies.statistics import mean_interval
from wlkg.studies.study import Experiment
from wlkg.studies.table_formats import StudyTable
from wlkg.text import counted

# -- data -----------------------------------------------------------------------------------------


def reproduction_document(done: Reproduction) -> dict[str, Any]:
    """What ``wlkg reproduce --json`` prints."""
    record, results = done.record, done.results
    runs = record.study.runs(record.data)
    return {
        "study": record.study.name,
        "departures": list(record.study.departures),
        "questions": [_answer_document(answer) for answer in done.answers],
        "runs": len(runs),
        "finished": len(results.results),
        "diverged": sum(result.failure is not None for result in results.results.values()),
        "core_seconds": sum(result.seconds for result in results.results.values()),
        "facts": record.facts.document(),
        "parameters": [{**asdict(count), "remark": count.remark} for count in record.parameters],
        "tables": {table.name: _table_document(table) for table in done.tables},
        "table_columns": {table.name: _columns_document(table) for table in done.tables},
        "out": str(done.folder),
        "figures": None if done.figures is None else [path.name for path in done.figures],
    }


def _answer_document(answer: Answer) -> dict[str, Any]:
    return {
        "question": f"{answer.question.name}: {answer.question.text}",
        "answer": answer.text,
        "evidence": [_comparison_document(each) for each in answer.comparisons],
        "explanation": answer.explanation,
    }


def _comparison_document(comparison: Comparison) -> dict[str, Any]:
    test = comparison.test
    return {
        "first": comparison.first,
        "second": comparison.second,
        "confidence": comparison.confidence,
        **({} if test is None else {**asdict(test), "differs": test.differs}),
    }


def _table_document(table: StudyTable) -> list[dict[str, Any]]:
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, row, strict=True)) for row in table.rows]


def _columns_document(table: StudyTable) -> dict[str, Any]:
    """What a table shows, and what its numbers mean."""
    return {
        "title": table.title,
        "columns": [asdict(column) for column in table.columns],
        "notes": list(table.notes),
    }


def plan_document(planned: Sequence[PlannedRun], workers: int) -> dict[str, Any]:
    """What ``wlkg reproduce --dry-run --json`` prints."""
    left = [each for each in planned if not each.is_finished]
    return {
        "runs": [
            {
                **each.run.document(),
                "file": each.run.file_name,
                "seconds": each.seconds,
                "finished": each.is_finished,
            }
            for each in planned
        ],
        "seconds_left": sum(each.seconds for each in left) / workers,
        "workers": workers,
    }


# -- text -----------------------------------------------------------------------------------------


def print_reproduction(done: Reproduction) -> None:
    """A table for each experiment, the answers, and where the files are."""
    out, study = console(), done.record.study
    out.print(heading(f"{printable(study.title)}: {study.measure} accuracy in %"))
    if study.departures:
        out.print(f"not the full study: {printable(', '.join(study.departures))}")
    runs = study.runs(done.record.data)
    state = f"{len(done.results.results):,} of {counted(len(runs), 'run', 'runs')} finished"
    out.print(state)
    for experiment in study.experiments:
        out.print()
        out.print(f"{experiment.name}: {printable(experiment.title)}, last epoch")
        several = len(experiment.widths) > 1
        out.print((_width_table if several else _model_table)(done, experiment))
    for answer in done.answers:
        out.print()
        out.print(heading(f"{answer.question.name}  {printable(answer.question.text)}"))
        out.print(printable(answer.text))
        out.print(remark(printable(answer.explanation)))
    out.print()
    out.print(f"written to {printable(str(done.folder))}: README.md, tables, figures, runs")
    if done.figures is None:
        note("figures need matplotlib: pip install 'wlkg[plots]', then add --report-only")


def _new_table(titles: Sequence[str]) -> Table:
    table = new_table(console())
    for place, title in enumerate(titles):
        table.add_column(title, justify="right" if place else "left", no_wrap=place > 0)
    return table


def _width_table(done: Reproduction, experiment: Experiment) -> Table:
    """A row for each model, a column for each width."""
    table = _new_table(["width", *map(str, experiment.widths), "ceiling"])
    for model in experiment.models:
        cells = [_mean(done.results.scores(model, width)) for width in experiment.widths]
        table.add_row(Text(printable(model.name)), *cells, _ceiling(done, experiment, model.name))
    return table


def _model_table(done: Reproduction, experiment: Experiment) -> Table:
    """A row for each model: the last epoch, the chosen one, and the ceiling."""
    titles = ["model", "runs", "mean", "deviation", "chosen epoch", "ceiling"]
    table = _new_table(titles)
    width = experiment.widths[0]
    for model in experiment.models:
        scores = done.results.scores(model, width)
        deviation = mean_interval(list(scores.values())).deviation if scores else None
        table.add_row(
            Text(printable(model.name)),
            f"{len(scores)}",
            _mean(scores),
            "-" if deviation is None else f"{100 * deviation:.1f}",
            _mean(done.results.scores(model, width, "chosen")),
            _ceiling(done, experiment, model.name),
        )
    return table


def _mean(scores: dict[int, float]) -> str:
    return f"{100 * mean_interval(list(scores.values())).mean:.1f}" if scores else "-"


def _ceiling(done: Reproduction, experiment: Experiment, model: str) -> str:
    split = "test" if done.record.study.measure == "test" else "train"
    share = done.record.facts.bound(experiment.name, model).ceiling(split)
    return "-" if share is None else f"{100 * share:.1f}"


def print_plan(planned: Sequence[PlannedRun], workers: int) -> None:
    """The runs by model and width, and the time that they take together."""
    out = console()
    groups: dict[str, list[PlannedRun]] = {}
    for each in planned:
        groups.setdefault(each.run.file_name.rpartition("-seed")[0], []).append(each)
    table = _new_table(["model", "runs", "finished", "epochs", "minutes each"])
    for name, members in groups.items():
        table.add_row(
            name,
            f"{len(members)}",
            f"{sum(each.is_finished for each in members)}",
            f"{members[0].run.epochs:,}",
            f"{members[0].seconds / 60:.1f}",
        )
    out.print(table)
    left = [each.seconds for each in planned if not each.is_finished]
    runs, processes = counted(len(left), "run", "runs"), counted(workers, "process", "processes")
    minutes = sum(left) / 60 / workers
    out.print(f"{runs} left: about {minutes:,.0f} minutes with {processes}")
