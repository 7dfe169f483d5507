"""``wlkg reproduce``: run a study, and answer its questions with tables and figures."""

from __future__ import annotations

from typing import Annotated

import typer

from wlkg.commands.options import Outputs, has_outputs
from wlkg.commands.options.completing import one_of
from wlkg.commands.options.single import listed, quiet_option
from wlkg.devices import DEVICES
from wlkg.shell.panels import OUTPUT


@has_outputs
def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A study of the paper: aifb, am, mutag or bgs; or a file STUDY.toml.",
            show_default=False,
            autocompletion=one_of(("aifb", "am", "mutag", "bgs")),
        ),
    ],
    outputs: Outputs,
    data: Annotated[
        str | None,
        quiet_option("--data", metavar="DIR", help="The folder that holds the data set."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick/--full", help="A small version that takes minutes.")
    ] = False,
    out: Annotated[
        str | None,
        quiet_option(
            "--out",
            metavar="DIR",
            help="The folder of the results; by default reproduction/NAME.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        quiet_option(
            "--only", metavar="EXPERIMENT", help="Run this experiment only, may be repeated."
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        quiet_option("--seeds", metavar="N", min=1, help="Train each model N times."),
    ] = None,
    epochs: Annotated[
        int | None, quiet_option("--epochs", metavar="N", min=0, help="Number of epochs.")
    ] = None,
    widths: Annotated[
        list[int] | None,
        quiet_option("--widths", metavar="N", min=1, help="A width, may be repeated."),
    ] = None,
    workers: Annotated[
        int | None,
        quiet_option(
            "--workers", metavar="N", min=1, help="Number of processes; by default one per core."
        ),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            "--device",
            metavar="DEVICE",
            help=f"Where to compute: {listed(DEVICES)}.",
            autocompletion=one_of(DEVICES),
        ),
    ] = "cpu",
    figures: Annotated[
        bool | None,
        quiet_option(
            "--figures/--no-figures",
            help="Draw figures; by default if matplotlib is installed.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List the runs and how long they would take.")
    ] = False,
    report_only: Annotated[
        bool,
        typer.Option(
            "--report-only", help="Train nothing: write the report of the finished runs again."
        ),
    ] = False,
) -> None:
    """Run a study of the paper, or one of your own.

    This trains the models of the study and answers its questions with tables and figures. Each run
    has a result file. Finished runs are skipped, so a study can be stopped at any time and
    continued with the same command. Every question is answered by paired tests over seeds, beside
    the classes and ceilings of the WL tests that bound the models.

    A study of your own is a TOML file with graph, targets, holdout, widths, seeds, and a table
    [[models]] for each model, with model, name and options such as composition.

    \b
    Examples:
      wlkg reproduce aifb --data DIR --quick
      wlkg reproduce aifb --data DIR --dry-run
      wlkg reproduce aifb --data DIR --only ablations --seeds 10
      wlkg reproduce my-study.toml --out results
    """
    import os

    from wlkg.reports.reproduce import (
        plan_document,
        print_plan,
        print_reproduction,
        reproduction_document,
    )
    from wlkg.reports.studyprogress import StudyProgress
    from wlkg.studies.find import command_line, find_study, usual_folder
    from wlkg.studies.reproduce import plan, report
    from wlkg.studies.reproduce import reproduce as run
    from wlkg.studies.restrict import Changes

    folder = usual_folder(name, quick=quick) if out is None else out
    if report_only:
        done = report(folder, figures=figures)
    else:
        changes = Changes(
            only=tuple(only or ()),
            seeds=seeds,
            epochs=epochs,
            widths=tuple(widths or ()),
            device=device,
        )
        study = find_study(name, data, quick=quick, changes=changes)
        processes = workers or os.cpu_count() or 1
        if dry_run:
            planned = plan(study, folder, progress=StudyProgress())
            outputs.present(
                "reproduce",
                lambda: plan_document(planned, processes),
                lambda: print_plan(planned, processes),
            )
            return
        done = run(
            study,
            folder,
            workers=processes,
            figures=figures,
            command=command_line(name, quick=quick, changes=changes),
            progress=StudyProgress(),
        )
    outputs.present(
        "reproduce", lambda: reproduction_document(done), lambda: print_reproduction(done)
    )
