"""A trained model compared with the ceiling.

``wlkg train`` holds a share of its targets out for validation, unless it is given others, so the
accuracy on all targets combines both parts. A model with t layers sees no more than round t of its
test; CompGCN that divides by degrees reads the degrees of the neighbours, and so sees one round
more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from wlkg.analysis.ceiling.ceiling import SPLITS, Ceiling
from wlkg.errors import MALFORMED, InputError
from wlkg.readers.source import Source
from wlkg.readers.targets import VALIDATION_SHARE, held_out

SCHEMA = "wlkg/train/1"
_ROUNDING = 1e-9


@dataclass(frozen=True)
class TrainedModel:
    """What is known about a trained model, with its accuracy and number of targets per split."""

    path: str
    model: str
    layers: int
    #: The round of the test that bounds it.
    rounds: int
    accuracies: dict[str, float]
    sizes: dict[str, int]


@dataclass(frozen=True)
class ReachedAccuracy:
    """The accuracy of a trained model on a split, and the ceiling at its round."""

    split: str
    round: int
    accuracy: float
    ceiling: float

    @property
    def share(self) -> float:
        return self.accuracy / self.ceiling

    @property
    def exceeds(self) -> bool:
        return self.accuracy > self.ceiling + _ROUNDING


@dataclass(frozen=True)
class TrainedComparison:
    """A trained model, and what it reaches on each split."""

    model: TrainedModel
    splits: tuple[ReachedAccuracy, ...]


def read_trained(path: str, *, graphs: bool = False) -> TrainedModel:
    """The model in a file that ``wlkg train --json`` has printed, for vertices or for graphs."""
    try:
        document = json.loads(Source(path, is_graph=False).read_document())
        if document["schema"] != SCHEMA:
            raise _unusable(path, f"its schema is {document['schema']!r}, not {SCHEMA!r}")
        theirs, wanted = document.get("items", "vertices"), "graphs" if graphs else "vertices"
        if theirs != wanted:
            raise InputError(
                f"the model has learned classes of {theirs}, not of {wanted}",
                path=path,
                remedy="Leave out --graphs" if graphs else "Give --graphs",
            )
        return _trained(path, document)
    except KeyError as error:
        raise _unusable(path, f"it has no {error}") from error
    except MALFORMED as error:
        raise _unusable(path, str(error)) from error


def _unusable(path: str, why: str) -> InputError:
    return InputError(
        f"this is not what wlkg train --json prints ({why})",
        path=path,
        remedy="Write it with: wlkg train GRAPH --targets FILE --json > OUT.json",
    )


def _trained(path: str, document: dict[str, Any]) -> TrainedModel:
    config = document["config"]
    layers = int(config["layers"])
    sizes = dict(zip(SPLITS, (int(part["vertices"]) for part in document["targets"]), strict=False))
    if layers < 0 or min(sizes.values(), default=0) < 1:
        raise ValueError(f"it has {layers} layers and {sizes} targets")
    divides_by_degrees = config["model"] == "compgcn" and bool(config["norm"])
    accuracies = {"train": _accuracy_on_all(document, sizes["train"])}
    if document["test_accuracy"] is not None and sizes["test"]:
        accuracies["test"] = float(document["test_accuracy"])
    return TrainedModel(
        path=path,
        model=str(config["model"]),
        layers=layers,
        rounds=layers + divides_by_degrees,
        accuracies=accuracies,
        sizes=sizes,
    )


def _accuracy_on_all(document: dict[str, Any], count: int) -> float:
    """The accuracy on the targets of training and validation together."""
    fitted, validation = document["train_accuracy"], document["validation_accuracy"]
    # Documents of older versions do not say how many targets were held out.
    about = document.get("validation", {"vertices": held_out(count), "share": VALIDATION_SHARE})
    if validation is None or about["share"] is None:
        return float(fitted)
    share = about["vertices"] / count
    return float((1 - share) * fitted + share * validation)


def compare_with_ceiling(model: TrainedModel, ceiling: Ceiling) -> TrainedComparison:
    """The accuracies of a trained model beside the ceilings at its round."""
    splits = []
    for split in ceiling.splits:
        if split.split not in model.accuracies:
            continue
        here, theirs = split.last.total, model.sizes[split.split]
        if here != theirs:
            raise InputError(
                f"the model has {theirs:,} {split.split} targets, there are {here:,} here",
                path=model.path,
                remedy="Give the targets and reading options that it was trained with",
            )
        best = split.rounds[min(model.rounds, ceiling.rounds)]
        splits.append(
            ReachedAccuracy(
                split=split.split,
                round=best.round,
                accuracy=model.accuracies[split.split],
                ceiling=best.accuracy,
            )
        )
    return TrainedComparison(model=model, splits=tuple(splits))
