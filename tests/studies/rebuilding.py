"""A study's folder made again from its study.json and run files, and compared with the original."""

from __future__ import annotations

import shutil
from pathlib import Path

from wlkg.studies.reproduce import report


def assert_rebuilt(folder: Path, again: Path) -> None:
    """Check that README and tables are exactly what the result files give."""
    again.mkdir(parents=True)
    shutil.copy(folder / "study.json", again)
    shutil.copytree(folder / "runs", again / "runs")
    done = report(again, figures=False)
    runs = {run.file_name for run in done.results.results}
    assert runs == {path.name for path in (folder / "runs").iterdir()}, "a run file is not believed"
    published = sorted((folder / "tables").iterdir())
    assert [path.name for path in published] == sorted(p.name for p in (again / "tables").iterdir())
    for path in published:
        assert path.read_bytes() == (again / "tables" / path.name).read_bytes(), path.name
    assert without_figures(folder / "README.md") == without_figures(again / "README.md")


def without_figures(path: Path) -> list[str]:
    """The lines of a report but for its figures."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line != "## Figures" and not line.startswith("![")]
