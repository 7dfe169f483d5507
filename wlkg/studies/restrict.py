"""A study made smaller or changed, with a record of what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wlkg.errors import UsageError, unknown_name
from wlkg.studies.study import Experiment, Study
from wlkg.text import counted

#: The departure of a study that was made small to take minutes.
QUICK = "quick"


@dataclass(frozen=True)
class Changes:
    """What a user changes about a study; None leaves a thing as it is."""

    only: tuple[str, ...] = ()
    seeds: int | None = None
    epochs: int | None = None
    widths: tuple[int, ...] = ()
    device: str | None = None


def changed(study: Study, changes: Changes) -> Study:
    """The study with these changes; what departs from the original is written down in it."""
    departures = list(study.departures)
    experiments = study.experiments
    if changes.only:
        experiments = _chosen(experiments, changes.only)
        departures.append(f"only {', '.join(each.name for each in experiments)}")
    if changes.widths:
        experiments = _at_widths(experiments, changes.widths)
        departures.append(f"widths {', '.join(map(str, changes.widths))}")
    if changes.epochs is not None:
        experiments = tuple(_for_epochs(each, changes.epochs) for each in experiments)
        departures.append(counted(changes.epochs, "epoch", "epochs"))
    seeds = study.seeds
    if changes.seeds is not None and changes.seeds != seeds:
        seeds = changes.seeds
        departures.append(counted(seeds, "seed", "seeds"))
    names = [each.name for each in experiments]
    return replace(
        study,
        experiments=experiments,
        questions=tuple(q for q in study.questions if q.experiment in names),
        seeds=seeds,
        device=changes.device or study.device,
        departures=tuple(departures),
    )


def _chosen(experiments: Sequence[Experiment], names: Sequence[str]) -> tuple[Experiment, ...]:
    known = [each.name for each in experiments]
    for name in names:
        if name not in known:
            raise unknown_name("experiment", name, known)
    return tuple(each for each in experiments if each.name in names)


def _at_widths(
    experiments: Sequence[Experiment], widths: tuple[int, ...]
) -> tuple[Experiment, ...]:
    """Experiments with several widths take those given; others keep their only width."""
    widths = tuple(dict.fromkeys(widths))
    if not any(len(each.widths) > 1 for each in experiments):
        raise UsageError("--widths: no experiment of this study has several widths to choose from")
    return tuple(
        replace(each, widths=widths) if len(each.widths) > 1 else each for each in experiments
    )


def _for_epochs(experiment: Experiment, epochs: int) -> Experiment:
    models = tuple(replace(model, epochs=epochs) for model in experiment.models)
    return replace(experiment, models=models)
