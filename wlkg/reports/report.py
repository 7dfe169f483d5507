"""Several results on one page, or in one Markdown or LaTeX file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wlkg.display import Displayed
from wlkg.errors import UsageError
from wlkg.progress import SILENT, Progress
from wlkg.reports.files import REPORTS, check_target
from wlkg.reports.python_results import as_result
from wlkg.reports.rereading import read_graphs_again
from wlkg.reports.results import Result
from wlkg.reports.saved import check_schema, read_result

#: A file, a document, or a result of a function such as `wlkg.refine`.
Source = str | Path | Mapping[str, Any] | Result | Displayed


def report(
    results: Source | Iterable[Source],
    path: str | Path,
    title: str | None = None,
    *,
    progress: Progress = SILENT,
) -> None:
    """Write a report of some results to ``path``, a .html, .md or .tex file.

    Results are those of functions such as `wlkg.refine`, files that ``wlkg COMMAND --json`` has
    printed, or their documents. The graphs of files are read again and drawn, unless they have
    changed.
    """
    check_target(str(path), "-o", tuple(REPORTS))
    given = (
        [results]
        if isinstance(results, str | Path | Mapping | Result | Displayed)
        else list(results)
    )
    if not given:
        raise UsageError("a report needs at least one result")
    read = [_result(each, progress) for each in given]
    REPORTS[Path(path).suffix.lower()](str(path), read, title)


def _result(source: Source, progress: Progress) -> Result:
    if isinstance(source, Result):
        return source
    if isinstance(source, Displayed):
        return as_result(source)
    if isinstance(source, str | Path):
        return read_result(str(source), progress=progress)
    check_schema(source, None)
    graphs, remarks = read_graphs_again(Result(source), progress=progress)
    return Result(source, graphs, remarks)
