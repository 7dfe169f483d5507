"""The README.md of a study's folder: what was run, the answers, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wlkg.studies.answers import Answer
from wlkg.studies.comparisons import StudyResults
from wlkg.studies.study_file import StudyRecord
from wlkg.studies.table_formats import StudyTable, markdown
from wlkg.text import counted


def report_page(
    record: StudyRecord,
    results: StudyResults,
    answers: Sequence[Answer],
    tables: Sequence[StudyTable],
    figures: Sequence[str],
) -> str:
    """The page; ``figures`` are paths of images relative to it."""
    lines = [f"# {record.study.title}: the study in numbers", ""]
    if record.study.departures:
        lines += [f"**Not the full study: {', '.join(record.study.departures)}.**", ""]
    lines += [f"    {record.command}", ""]
    lines += [f"- {line}" for line in _circumstances(record, results)]
    lines += ["", "## Questions", ""]
    for answer in answers:
        lines += [f"**{answer.question.name}: {answer.question.text}**", "", answer.text, ""]
        lines += [answer.explanation, ""]
    if not answers:
        lines += ["The study asks none.", ""]
    if figures:
        lines += ["## Figures", ""]
        lines += [f"![{_alt(path)}]({path})\n" for path in figures]
    lines += ["## Tables", ""]
    lines += [markdown(table) for table in tables]
    return "\n".join(lines).rstrip() + "\n"


def _alt(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _circumstances(record: StudyRecord, results: StudyResults) -> Iterator[str]:
    """Runs, time, versions, and what was not run."""
    runs = record.study.runs(record.data)
    finished = [results.results[run] for run in runs if run in results.results]
    yield f"{len(finished):,} of {counted(len(runs), 'run', 'runs')} finished"
    for experiment in record.study.experiments:
        missing = [
            f"{model.name}, width {width}"
            for model, width in experiment.cells()
            if not results.of(model, width)
        ]
        if missing:
            yield f"not run, {experiment.name}: {'; '.join(missing)}"
    failed = [result for result in finished if result.failure is not None]
    for result in failed:
        yield f"diverged: {result.run.file_name}: {result.failure}"
    hours = sum(result.seconds for result in finished) / 3600
    yield f"{hours:.2f} core-hours of training, one thread per run, {record.cores} cores"
    yield f"device {record.study.device}; data {', '.join(_data_names(record))}"
    for versions in sorted({tuple(sorted(result.versions.items())) for result in finished}):
        yield "versions: " + ", ".join(f"{name} {version}" for name, version in versions)


def _data_names(record: StudyRecord) -> list[str]:
    files = record.study.data
    names = [files.graph, files.targets, *([files.holdout] if files.holdout else [])]
    return [name.rpartition("/")[2] for name in names]
