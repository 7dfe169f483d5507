"""The options of every analysis command that say where its result goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.single import JsonOption, quiet_option
from wlkg.shell.panels import OUTPUT

if TYPE_CHECKING:
    from wlkg.reports.next_steps import NextStep
    from wlkg.reports.results import NamedGraph, Result

Target = str | None


@dataclass(frozen=True)
class Outputs:
    """Text or JSON on stdout, and files beside it; unusable targets are refused at once."""

    PANEL: ClassVar[str] = OUTPUT

    html: Annotated[
        Target, quiet_option("--html", metavar="FILE", help="Write a page for the browser.")
    ] = None
    markdown: Annotated[
        Target, quiet_option("--markdown", metavar="FILE", help="Write the tables as Markdown.")
    ] = None
    latex: Annotated[
        Target, quiet_option("--latex", metavar="FILE", help="Write the tables as LaTeX.")
    ] = None
    json: JsonOption = False

    def __post_init__(self) -> None:
        """Refuse targets that cannot be written, before a graph is read for minutes."""
        for option, path in (
            ("--html", self.html),
            ("--markdown", self.markdown),
            ("--latex", self.latex),
        ):
            if path is not None:
                from wlkg.reports.files import check_target

                check_target(path, option)

    def present(
        self,
        command: str,
        content: Callable[[], Mapping[str, Any]],
        text: Callable[[], None],
        graphs: Sequence[NamedGraph] = (),
        *,
        step: Callable[[], NextStep | None] = lambda: None,
        status: str | None = None,
    ) -> None:
        """Print the result as text or JSON, and write the files that the user asked for.

        ``content`` makes the JSON document, which plain text does not need. Text ends with what
        exit status 1 means, if it is 1, and with the next step.
        """
        from wlkg.reports.next_steps import end_text

        files = self._writers()
        if not (self.json or files):
            text()
            end_text(step(), status=status)
            return
        from wlkg.reports.jsondoc import print_result
        from wlkg.reports.results import result_of

        result = result_of(command, content(), graphs)
        for path, write in files.items():
            self._write(path, write, result)
        if self.json:
            print_result(result)
        else:
            text()
            end_text(step(), status=status)

    def _writers(self) -> dict[str, Callable[[str, Result], None]]:
        """What writes each file that the user asked for."""
        from wlkg.reports import files

        writers: dict[str, Callable[[str, Result], None]] = {}
        if self.html is not None:
            writers[self.html] = lambda path, result: files.write_html(path, [result])
        if self.markdown is not None:
            writers[self.markdown] = lambda path, result: files.write_markdown(path, [result])
        if self.latex is not None:
            writers[self.latex] = lambda path, result: files.write_latex(path, [result])
        return writers

    @staticmethod
    def _write(path: str, write: Callable[[str, Result], None], result: Result) -> None:
        from wlkg.progress import phase
        from wlkg.reports.progressbar import TerminalProgress
        from wlkg.reports.terminal import note

        with phase(TerminalProgress(), f"writing {path}"):
            write(path, result)
        note(f"wrote {path}")


@dataclass(frozen=True)
class OutputsWithFigure(Outputs):
    """Also a figure, for results that have something to draw."""

    figure: Annotated[
        Target,
        quiet_option(
            "--figure", metavar="FILE", help="Draw a figure for print: .svg, .png or .pdf."
        ),
    ] = None
    figure_round: Annotated[
        int | None,
        quiet_option("--figure-round", metavar="N", min=0, help="Draw graphs at this round."),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.figure is None and self.figure_round is not None:
            from wlkg.errors import UsageError

            raise UsageError("--figure-round has no effect without --figure")
        if self.figure is not None:
            from wlkg.reports.files import FIGURE_SUFFIXES, check_target
            from wlkg.typesetting.figures import check_matplotlib

            check_target(self.figure, "--figure", FIGURE_SUFFIXES)
            check_matplotlib()

    def _writers(self) -> dict[str, Callable[[str, Result], None]]:
        from wlkg.reports.files import write_figure

        writers = super()._writers()
        if self.figure is not None:
            writers[self.figure] = lambda path, result: write_figure(
                path, result, self.figure_round
            )
        return writers


def has_outputs(command: Command) -> Command:
    """Replace the parameter ``outputs`` of a command by the fields of `Outputs` as options."""
    return with_options(command, "outputs", Outputs, {})


def has_outputs_with_figure(command: Command) -> Command:
    """The same with ``--figure``."""
    return with_options(command, "outputs", OutputsWithFigure, {})
