"""A user's own study, written down in a TOML file.

::

    graph = "museum.nt.gz"          # paths are relative to this file, or to --data
    targets = "train.tsv"
    holdout = "test.tsv"            # without it, the accuracy on validation vertices is compared
    widths = [2, 4, 8]
    seeds = 5

    [[models]]
    name = "R-GCN"
    model = "rgcn"

    [[models]]
    name = "CompGCN, add"
    model = "compgcn"
    composition = "add"

`STUDY_KEYS` and `model_keys` are all keys. Hyperparameters that are not given are the paper's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from wlkg.catalogue import DIRECTIONS, LITERAL_POLICIES
from wlkg.errors import InputError, UsageError
from wlkg.gnn.config import TRAINING_WIDTH, WEIGHT_DECAY, ModelChoice, require_classifier
from wlkg.readers.complaints import complaints
from wlkg.studies.study import DataFiles, Experiment, Question, Study, StudyModel
from wlkg.studies.toml_checker import TomlChecker

#: The keys of a study and the types of their values.
STUDY_KEYS: dict[str, tuple[type, ...]] = {
    "title": (str,),
    "graph": (str,),
    "targets": (str,),
    "holdout": (str,),
    "literals": (str,),
    "direction": (str,),
    "entity_column": (str,),
    "label_column": (str,),
    "widths": (list,),
    "seeds": (int,),
    "epochs": (int,),
    "learning_rate": (float, int),
    "weight_decay": (float, int),
    "models": (list,),
}


def model_keys() -> dict[str, tuple[type, ...]]:
    """The keys of a model: its name, hyperparameters, and what can be chosen about it."""
    keys: dict[str, tuple[type, ...]] = {
        "name": (str,),
        "epochs": (int,),
        "learning_rate": (float, int),
    }
    hints = get_type_hints(ModelChoice)
    for field in fields(ModelChoice):
        if field.name != "width":
            keys[field.name] = (_plain_type(hints[field.name]),)
    return keys


def _plain_type(hint: Any) -> type:
    """The type of the values of an annotation: of ``int | None``, of ``Literal["sum"]``."""
    if get_origin(hint) is None:
        return hint if isinstance(hint, type) else str
    inner = get_args(hint)[0]
    return inner if isinstance(inner, type) else type(inner)


def read_study(file: str, data: str | None = None) -> Study:
    """The study of a TOML file; its paths are relative to the folder ``data``, or to the file's."""
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise InputError("there is no such study", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", path=path) from error
    with complaints("this is not TOML", path):
        table = tomllib.loads(text)
    return _study(table, TomlChecker(path, text), path, Path(data) if data else path.parent)


def _study(table: Mapping[str, Any], checker: TomlChecker, path: Path, folder: Path) -> Study:
    checker.check_keys(table, STUDY_KEYS, "a study")
    for key in ("graph", "targets", "models"):
        if not table.get(key):
            raise checker.error(f"{key} is missing: a study needs graph, targets and [[models]]")
    widths = table.get("widths", [TRAINING_WIDTH])
    if not widths or not all(type(width) is int and width > 0 for width in widths):
        raise checker.error(f"widths must be a list of positive numbers, found {widths}", "widths")
    models = tuple(_model(entry, table, checker) for entry in table["models"])
    names = [model.name for model in models]
    for name in names:
        if names.count(name) > 1:
            raise checker.error(f"two models are called {name!r}: give each another name")
    return Study(
        name=path.name,  # with its suffix, so that it is not taken for a study of the paper
        title=table.get("title", path.stem),
        data=DataFiles(
            graph=_place(folder, table["graph"]),
            targets=_place(folder, table["targets"]),
            holdout=_place(folder, table["holdout"]) if "holdout" in table else None,
            literals=checker.choice(table, "literals", LITERAL_POLICIES),
            direction=checker.choice(table, "direction", DIRECTIONS),
            entity_column=table.get("entity_column"),
            label_column=table.get("label_column"),
        ),
        experiments=(Experiment("models", "accuracy", models, tuple(dict.fromkeys(widths))),),
        questions=tuple(_questions(names, widths)),
        seeds=checker.number(table, "seeds", 5, 1),
        weight_decay=checker.number(table, "weight_decay", WEIGHT_DECAY, 0),
    )


def _place(folder: Path, name: str) -> str:
    return name if name.startswith("example:") else str(folder / name)


def _model(entry: Any, study: Mapping[str, Any], checker: TomlChecker) -> StudyModel:
    if not isinstance(entry, dict):
        raise checker.error("models must be tables: [[models]]", "models")
    checker.check_keys(entry, model_keys(), "a model")
    rest = {key: value for key, value in entry.items() if key in _chosen_keys()}
    both = {**study, **entry}
    try:
        choice = ModelChoice(**rest)
        require_classifier(choice.model)
    except UsageError as error:
        raise checker.error(str(error)) from error
    return StudyModel(
        name=entry.get("name") or _default_name(rest),
        choice=choice,
        epochs=checker.number(both, "epochs", None, 0),
        learning_rate=checker.number(both, "learning_rate", None, 0),
    )


def _chosen_keys() -> set[str]:
    return {field.name for field in fields(ModelChoice)}


def _default_name(options: Mapping[str, Any]) -> str:
    """The model and its options in words."""
    others = [f"{key.replace('_', ' ')} {value}" for key, value in options.items()]
    model = options.get("model", ModelChoice().model)
    return ", ".join([model, *(word for word in others if not word.startswith("model "))])


def _questions(names: list[str], widths: list[int]) -> Iterable[Question]:
    """What any study asks: whether models differ from the first, and whether the width matters."""
    if len(names) > 1:
        yield Question(
            name="Q1",
            text=f"Do the models differ from {names[0]}?",
            experiment="models",
            compares="models",
            reference=names[0],
            if_found="Yes, in part",
            if_none="No",
        )
    if len(set(widths)) > 1:
        yield Question(
            name="Q2",
            text="Does the accuracy depend on the width?",
            experiment="models",
            compares="widths",
            reference=min(widths),
            if_found="Yes, in part",
            if_none="No",
        )
