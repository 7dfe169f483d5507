"""Reports as files: pages, tables and figures, each written completely or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wlkg.errors import OutputError, UsageError
from wlkg.reports.results import Result
from wlkg.writers.aside import written_aside

#: The formats of figures, by suffix.
FIGURE_SUFFIXES = (".svg", ".png", ".pdf")


def check_target(path: str, option: str, suffixes: Sequence[str] = ()) -> None:
    """Refuse a file that cannot be written, before any work is done."""
    target = Path(path)
    if suffixes and target.suffix.lower() not in suffixes:
        known = ", ".join(suffixes)
        raise UsageError(f"{option} {path}: the suffix sets the format; use one of {known}")
    if target.is_dir():
        raise OutputError(f"{path}: is a folder; {option} needs the name of a file")
    if not target.parent.is_dir():
        raise OutputError(f"{path}: the folder {target.parent} does not exist; create it first")


def write_html(path: str, results: Sequence[Result], title: str | None = None) -> None:
    """One self-contained page with a section for each result."""
    from wlkg.reports.html.page import page
    from wlkg.reports.sections.registry import section_of

    _write(path, page([section_of(result) for result in results], title))


def write_markdown(path: str, results: Sequence[Result], title: str | None = None) -> None:
    """The text and tables of each result as Markdown."""
    from wlkg.reports.sections.registry import section_of
    from wlkg.reports.tables.markdown import markdown_document

    _write(path, markdown_document([section_of(result) for result in results], title))


def write_latex(path: str, results: Sequence[Result], title: str | None = None) -> None:
    """The text and tables of each result as LaTeX, for use with the package booktabs."""
    from wlkg.reports.sections.registry import section_of
    from wlkg.reports.tables.latex import latex_document

    _write(path, latex_document([section_of(result) for result in results], title))


#: How reports are written, by the suffix of the file.
REPORTS = {".html": write_html, ".htm": write_html, ".md": write_markdown, ".tex": write_latex}


def write_figure(path: str, result: Result, at_round: int | None = None) -> None:
    """The figure of a result as SVG, PNG or PDF; graphs are drawn at one round."""
    from wlkg.reports.figures.figure import figure_bytes
    from wlkg.reports.sections.registry import section_of

    content = figure_bytes(section_of(result), Path(path).suffix.lower(), at_round)
    with written_aside(Path(path)) as stream:
        stream.write(content)


def _write(path: str, text: str) -> None:
    with written_aside(Path(path)) as stream:
        stream.write(text.encode("utf-8", "surrogateescape"))
