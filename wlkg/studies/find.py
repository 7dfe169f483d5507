"""A study by the name that users give: one of the paper's, or a TOML file of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from wlkg.errors import UsageError
from wlkg.studies.dataset import paper_files
from wlkg.studies.paper import paper_study
from wlkg.studies.paper_data import find_paper_study
from wlkg.studies.restrict import QUICK, Changes, changed
from wlkg.studies.study import Study
from wlkg.studies.toml_study import read_study


def find_study(
    name: str, data: str | None = None, *, quick: bool = False, changes: Changes | None = None
) -> Study:
    """The study of that name on the files in the folder ``data``, with the changes of a user."""
    changes = changes or Changes()
    if is_file(name):
        if quick:
            raise UsageError(
                "--quick is for the paper's studies. Set seeds, epochs and widths in the file, "
                "or use --seeds, --epochs and --widths"
            )
        return changed(read_study(name, data), changes)
    paper = find_paper_study(name)
    if data is None:
        raise UsageError(
            f"{name} needs --data DIR: the folder that holds the data set. wlkg fetch-data {name}"
            " fetches it"
        )
    study = paper_study(name, paper_files(name, data))
    if quick:
        study = replace(study, departures=(*study.departures, QUICK))
        names = changes.only or tuple(each.name for each in study.experiments)
        several = any(len(e.widths) > 1 for e in study.experiments if e.name in names)
        changes = Changes(
            only=changes.only,
            seeds=paper.quick.seeds if changes.seeds is None else changes.seeds,
            epochs=paper.quick.epochs if changes.epochs is None else changes.epochs,
            widths=changes.widths or (paper.quick.widths if several else ()),
            device=changes.device,
        )
    return changed(study, changes)


def is_file(name: str) -> bool:
    """Whether a name is that of a file."""
    return name.lower().endswith(".toml")


def usual_folder(name: str, *, quick: bool) -> Path:
    """Where the results of a study go unless the user names a folder."""
    stem = Path(name).stem if is_file(name) else name
    return Path("reproduction") / (f"{stem}-{QUICK}" if quick else stem)


def command_line(name: str, *, quick: bool, changes: Changes) -> str:
    """The command that runs a study, for its report; the folder of the data is not named."""
    words = ["wlkg reproduce", Path(name).name if is_file(name) else f"{name} --data DIR"]
    words += ["--quick"] if quick else []
    words += [f"--only {only}" for only in changes.only]
    words += [] if changes.seeds is None else [f"--seeds {changes.seeds}"]
    words += [] if changes.epochs is None else [f"--epochs {changes.epochs}"]
    words += [f"--widths {width}" for width in changes.widths]
    words += [] if changes.device in (None, "cpu") else [f"--device {changes.device}"]
    return " ".join(words)
