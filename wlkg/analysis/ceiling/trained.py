"""A trained model beside the ceiling.

``wlkg train`` holds 15 % of its targets out for validation, so the accuracy on all of them is put
together from both parts. A model of t layers sees no more than round t of its test; CompGCN that
divides by degrees looks at those of the neighbours, and so one round further.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from wlkg.analysis.ceiling.ceiling import SPLITS, Ceiling
from wlkg.errors import InputError
from wlkg.readers.source import Source
from wlkg.readers.targets import held_out

SCHEMA = "wlkg/train/1"
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Trained:
    """What is known of a trained model: its accuracy and number of targets for each split."""

    path: str
    model: str
    layers: int
    #: How many rounds of a test can bound it.
    rounds: int
    accuracies: dict[str, float]
    sizes: dict[str, int]


@dataclass(frozen=True)
class Reached:
    """A trained model's accuracy, and the best possible one at its round."""

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


def read_trained(path: str) -> Trained:
    """What ``wlkg train --json`` has printed into a file."""
    try:
        document = json.loads(Source(path).read_document())
        if document["schema"] != SCHEMA:
            raise _unusable(path, f"its schema is {document['schema']!r}, not {SCHEMA!r}")
        return _trained(path, document)
    except KeyError as error:
        raise _unusable(path, f"it has no {error}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise _unusable(path, str(error)) from error


def _unusable(path: str, why: str) -> InputError:
    return InputError(
        f"this is not what wlkg train --json prints ({why})",
        path=path,
        remedy="Write it with: wlkg train GRAPH --targets FILE --json > OUT.json",
    )


def _trained(path: str, document: dict[str, Any]) -> Trained:
    config = document["config"]
    layers = int(config["layers"])
    sizes = dict(zip(SPLITS, (int(part["vertices"]) for part in document["targets"]), strict=False))
    if layers < 0 or min(sizes.values(), default=0) < 1:
        raise ValueError(f"it has {layers} layers and {sizes} targets")
    normalised = config["model"] == "compgcn" and bool(config["norm"])
    accuracies = {"train": _on_all(document, sizes["train"])}
    if document["test_accuracy"] is not None and sizes["test"]:
        accuracies["test"] = float(document["test_accuracy"])
    return Trained(path, str(config["model"]), layers, layers + normalised, accuracies, sizes)


def _on_all(document: dict[str, Any], count: int) -> float:
    """The accuracy on the targets of training and validation together."""
    fitted, validation = document["train_accuracy"], document["validation_accuracy"]
    if validation is None:
        return float(fitted)
    share = held_out(count) / count
    return float((1 - share) * fitted + share * validation)


def compared(found: Ceiling, trained: Trained) -> tuple[Reached, ...]:
    """The trained model's accuracies beside the ceilings of its round."""
    results = []
    for split in found.splits:
        if split.split not in trained.accuracies:
            continue
        total, theirs = split.last.total, trained.sizes[split.split]
        if total != theirs:
            raise InputError(
                f"the model has {theirs:,} {split.split} targets, there are {total:,} here",
                path=trained.path,
                remedy="Give the targets and reading options that it was trained with",
            )
        at = split.rounds[min(trained.rounds, found.rounds)]
        accuracy = trained.accuracies[split.split]
        results.append(Reached(split.split, at.round, accuracy, at.accuracy))
    return tuple(results)
