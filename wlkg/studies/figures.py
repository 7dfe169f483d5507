"""The figures of a study as SVG and PNG: one experiment each, drawn with matplotlib.

An experiment with several widths is drawn as lines against the width, any other as one row per
model. Points are seeds, marks are means, bars are 95 % intervals of the mean over seeds. The lines
of the ceiling and of the most frequent label say what is possible and what is trivial. Models
differ by colours and markers. The same results give the same bytes with the same version of
matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wlkg.studies.comparisons import StudyResults
from wlkg.studies.facts import Facts
from wlkg.studies.restrict import QUICK
from wlkg.studies.statistics import Interval, mean_interval
from wlkg.studies.study import Experiment, StudyModel
from wlkg.typesetting.figures import COLOURS, MARKERS, STYLE, encoded
from wlkg.writers.aside import written_aside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The formats of the figures of a study.
_SUFFIXES = (".svg", ".png")


def write_figures(results: StudyResults, facts: Facts, folder: Path) -> list[Path]:
    """Draw every experiment that has results; the files that were written."""
    import matplotlib as mpl

    paths: list[Path] = []
    for experiment in results.study.experiments:
        if not any(results.scores(*cell) for cell in experiment.cells()):
            continue
        with mpl.rc_context(STYLE):
            figure = draw(results, facts, experiment)
            for suffix in _SUFFIXES:
                path = folder / f"{experiment.name}{suffix}"
                with written_aside(path) as stream:
                    stream.write(encoded(figure, suffix))
                paths.append(path)
    return paths


def draw(results: StudyResults, facts: Facts, experiment: Experiment) -> Figure:
    """The figure of an experiment."""
    from matplotlib.figure import Figure

    against_width = len(experiment.widths) > 1
    height = 3.8 if against_width else 1.7 + 0.32 * len(experiment.models)
    figure = Figure(figsize=(6.3, height), layout="constrained")
    axes = figure.add_subplot()
    lines: list[Any] = []
    if against_width:
        lines = _draw_lines(axes, results, facts, experiment)
    else:
        _draw_rows(axes, results, facts, experiment)
    limits = _draw_limits(axes, results, facts, experiment, is_vertical=not against_width)
    study = results.study
    axes.set_title(f"{study.title}: {experiment.title}", loc="left", fontweight="bold", pad=17)
    remark = _remark(results, experiment)
    axes.text(0, 1.02, remark, transform=axes.transAxes, fontsize=7.5, color="#444444")
    figure.legend(handles=[*lines, *limits], loc="outside lower left", ncols=3, fontsize=8)
    return figure


def _remark(results: StudyResults, experiment: Experiment) -> str:
    """What was run, on the figure itself: a quick study must not pass for the paper's."""
    counts = [len(results.scores(*cell)) for cell in experiment.cells()]
    seeds = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    epochs = sorted({model.epochs or 0 for model in experiment.models})
    shown = " or ".join(f"{number:,}" for number in epochs)
    departures = results.study.departures
    departs = "NOT THE FULL STUDY; " if departures else ""
    if QUICK in departures:
        departs = "QUICK STUDY; "
    return f"{departs}mean and 95 % interval over {seeds} seeds, {shown} epochs; dots are seeds"


def _intervals(
    results: StudyResults, experiment: Experiment, model: StudyModel
) -> list[tuple[int, list[float], Interval]]:
    """For each width with results: the scores of the seeds in percent, and their interval."""
    rows = []
    for width in experiment.widths:
        scores = [100 * score for score in results.scores(model, width).values()]
        if scores:
            rows.append((width, scores, mean_interval(scores)))
    return rows


def _reach(intervals: Sequence[Interval]) -> list[list[float]]:
    """The lengths of error bars below and above, which end at 0 and 100."""
    below = [i.mean - max(i.mean if i.low is None else i.low, 0) for i in intervals]
    above = [min(i.mean if i.high is None else i.high, 100) - i.mean for i in intervals]
    return [below, above]


def _draw_lines(
    axes: Axes, results: StudyResults, facts: Facts, experiment: Experiment
) -> list[Any]:
    """Accuracy against width, a line for each model; models are shifted to lie side by side."""
    lines: list[Any] = []
    for place, model in enumerate(experiment.models):
        rows = _intervals(results, experiment, model)
        if not rows:
            continue
        colour, marker = COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]
        shift = 2 ** (0.13 * (place - (len(experiment.models) - 1) / 2))
        x = [width * shift for width, _, _ in rows]
        for at, (_, scores, _) in zip(x, rows, strict=True):
            axes.plot([at] * len(scores), scores, ".", color=colour, alpha=0.5, markersize=4)
        line = axes.errorbar(
            x,
            [interval.mean for _, _, interval in rows],
            yerr=_reach([interval for _, _, interval in rows]),
            label=model.name,
            color=colour,
            marker=marker,
            markersize=5,
            linewidth=1.4,
            elinewidth=1,
            capsize=2.5,
        )
        lines.append(line)
    axes.set_xscale("log", base=2)
    axes.set_xticks(experiment.widths, [str(width) for width in experiment.widths])
    axes.minorticks_off()
    axes.set_xlabel("width of the vertex features")
    axes.set_ylabel(f"{results.study.measure} accuracy, last epoch (%)")
    axes.set_ylim(_lowest(results, facts, experiment), 102)
    return lines


def _draw_rows(axes: Axes, results: StudyResults, facts: Facts, experiment: Experiment) -> None:
    """A row for each model, the first at the top."""
    for place, model in enumerate(experiment.models):
        for _, scores, interval in _intervals(results, experiment, model):
            below = [place + 0.22] * len(scores)
            axes.plot(scores, below, ".", color=COLOURS[0], alpha=0.5, markersize=5)
            axes.errorbar(
                [interval.mean],
                [place],
                xerr=_reach([interval]),
                color=COLOURS[0],
                marker="o",
                markersize=5,
                capsize=2.5,
                linewidth=1.4,
            )
    axes.set_yticks(range(len(experiment.models)), [model.name for model in experiment.models])
    axes.set_ylim(len(experiment.models) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    width = experiment.widths[0]
    axes.set_xlabel(f"{results.study.measure} accuracy, last epoch (%), width {width}")
    axes.set_xlim(_lowest(results, facts, experiment), 102)


def _lowest(results: StudyResults, facts: Facts, experiment: Experiment) -> float:
    """Where the axis of accuracies begins: below all seeds and the most frequent label."""
    scores = [s for cell in experiment.cells() for s in results.scores(*cell).values()]
    lowest = 100 * min([*scores, *facts.majority.values()])
    return max(10 * ((lowest - 2) // 10), -2)


def _draw_limits(
    axes: Axes, results: StudyResults, facts: Facts, experiment: Experiment, *, is_vertical: bool
) -> list[Any]:
    """The highest ceiling of the models, and the share of the most frequent label."""
    lines: list[Any] = []
    line = axes.axvline if is_vertical else axes.axhline
    split = "test" if results.study.measure == "test" else "train"
    bounds = [bound for bound, _ in facts.by_bound(experiment.name)]
    ceilings = {bound.ceiling(split): bound for bound in bounds[::-1]}
    known = [share for share in ceilings if share is not None]
    if known:
        best = ceilings[max(known)]
        label = f"ceiling: {best.test}, round {best.round} ({100 * max(known):.1f} %)"
        style: dict[str, Any] = {"color": "#555555", "linestyle": "--", "linewidth": 1}
        lines.append(line(100 * max(known), label=label, **style))
    if split in facts.majority:
        share = 100 * facts.majority[split]
        label = f"most frequent label ({share:.1f} %)"
        style = {"color": "#888888", "linestyle": ":", "linewidth": 1.3}
        lines.append(line(share, label=label, **style))
    return lines
