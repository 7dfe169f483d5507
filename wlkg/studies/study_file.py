"""The file ``study.json``: a resolved study, and all that is known about it before training.

With it and the files of the runs, tables and figures can be made again without the data set.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from wlkg.errors import MALFORMED, InputError, UsageError
from wlkg.gnn.config import ModelChoice
from wlkg.studies.facts import Facts
from wlkg.studies.parameters import ParameterCount
from wlkg.studies.study import (
    Contrast,
    DataFiles,
    Experiment,
    Question,
    Study,
    StudyModel,
    choice_document,
)
from wlkg.writers.aside import written_aside

SCHEMA = "wlkg/study/1"
FILE_NAME = "study.json"


@dataclass(frozen=True)
class StudyRecord:
    """A resolved study, its data set's digest, and what is known before training."""

    study: Study
    data: str
    facts: Facts
    parameters: tuple[ParameterCount, ...]
    #: How the study was started, and the number of cores of the machine.
    command: str
    cores: int


def write_record(folder: Path, record: StudyRecord) -> None:
    """Write ``study.json``. It has the names of the data files, but not their folder."""
    document = {
        "schema": SCHEMA,
        "study": _study_document(record.study),
        "data": record.data,
        "facts": record.facts.document(),
        "parameters": [asdict(count) for count in record.parameters],
        "command": record.command,
        "cores": record.cores,
    }
    with written_aside(folder / FILE_NAME) as stream:
        stream.write(f"{json.dumps(document, indent=1)}\n".encode())


def read_record(folder: Path) -> StudyRecord:
    """The study of a folder."""
    path = folder / FILE_NAME
    remedy = "Run wlkg reproduce without --report-only first, or name the folder with --out"
    try:
        document = json.loads(path.read_bytes())
        return _record(document)
    except FileNotFoundError as error:
        raise InputError("there is no study in this folder", path=path, remedy=remedy) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    except (*MALFORMED, UsageError) as error:
        raise InputError(f"this is not a study ({error})", path=path, remedy=remedy) from error


def _record(document: Mapping[str, Any]) -> StudyRecord:
    if document["schema"] != SCHEMA:
        raise ValueError(f"its schema is {document['schema']!r}, not {SCHEMA!r}")
    return StudyRecord(
        study=_study(document["study"]),
        data=str(document["data"]),
        facts=Facts.from_document(document["facts"]),
        parameters=tuple(ParameterCount(**count) for count in document["parameters"]),
        command=str(document["command"]),
        cores=int(document["cores"]),
    )


def _study_document(study: Study) -> dict[str, Any]:
    files = study.data
    named = replace(
        files,
        graph=Path(files.graph).name,
        targets=Path(files.targets).name,
        holdout=None if files.holdout is None else Path(files.holdout).name,
    )
    document = asdict(replace(study, data=named))
    for experiment, shown in zip(study.experiments, document["experiments"], strict=True):
        for model, shown_model in zip(experiment.models, shown["models"], strict=True):
            shown_model["choice"] = choice_document(model.choice)
    return document


def _study(document: Mapping[str, Any]) -> Study:
    content = dict(document)
    data = content.pop("data")
    return Study(
        data=DataFiles(**{**data, "without": tuple(data["without"])}),
        experiments=tuple(map(_experiment, content.pop("experiments"))),
        questions=tuple(map(_question, content.pop("questions"))),
        departures=tuple(content.pop("departures")),
        **content,
    )


def _question(document: Mapping[str, Any]) -> Question:
    contrasts = (
        Contrast(
            first=each["first"],
            first_models=tuple(each["first_models"]),
            second=each["second"],
            second_models=tuple(each["second_models"]),
        )
        for each in document["contrasts"]
    )
    return Question(**{**document, "contrasts": tuple(contrasts)})


def _experiment(document: Mapping[str, Any]) -> Experiment:
    models = (
        StudyModel(**{**model, "choice": ModelChoice(**model["choice"])})
        for model in document["models"]
    )
    return Experiment(
        name=document["name"],
        title=document["title"],
        models=tuple(models),
        widths=tuple(document["widths"]),
    )
