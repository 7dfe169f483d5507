"""The targets to train on, to validate on and to test on, and the classes they have.

Targets are vertices or graphs, by number: nothing here depends on which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import IntArray
from wlkg.display import Brief
from wlkg.errors import UsageError
from wlkg.readers.targets import VALIDATION_SHARE, Targets, held_out
from wlkg.text import first_few


@dataclass(frozen=True, eq=False)
class Split:
    """Positions of the training, validation and test targets among all targets."""

    train: Tensor
    validation: Tensor
    test: Tensor

    def to(self, device: torch.device) -> Split:
        """The same positions on a device."""
        return Split(self.train.to(device), self.validation.to(device), self.test.to(device))


@dataclass(frozen=True, eq=False)
class TargetSets(Brief):
    """All targets in the order: to train on, to validate on if given, held out."""

    training: Targets
    holdout: Targets | None = None
    #: Targets to validate on, or the share of the training targets that each seed sets aside.
    validation: Targets | float = VALIDATION_SHARE

    @property
    def parts(self) -> tuple[Targets, ...]:
        """The targets to train on, and those of the other sets that were given."""
        given = (self.training, self.validation, self.holdout)
        return tuple(part for part in given if isinstance(part, Targets))

    @property
    def parts_to_score(self) -> tuple[Targets, ...]:
        """The targets to train on, and those held out if there are any."""
        return (self.training,) if self.holdout is None else (self.training, self.holdout)

    @property
    def items(self) -> IntArray:
        """The vertices or graphs, by number."""
        return np.concatenate([part.vertices for part in self.parts])

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in the order of a model's outputs."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.classes))

    @property
    def labels(self) -> Tensor:
        """The number of the class of each target."""
        number = {name: place for place, name in enumerate(self.classes)}
        return torch.tensor([number[name] for part in self.parts for name in part.labels])

    @property
    def num_validation(self) -> int:
        """How many targets are validated on."""
        if isinstance(self.validation, Targets):
            return len(self.validation)
        return held_out(len(self.training), self.validation)

    def split(self, seed: int) -> Split:
        """The given split, or one that sets a random share of the training targets aside."""
        num_train, num_validation = len(self.training), self.num_validation
        order = np.random.default_rng(seed).permutation(num_train)
        if isinstance(self.validation, Targets):
            train, validation = np.arange(num_train), num_train + np.arange(num_validation)
            tested_from = num_train + num_validation
        else:
            train, validation = np.sort(order[num_validation:]), np.sort(order[:num_validation])
            tested_from = num_train
        test = np.arange(tested_from, sum(map(len, self.parts)))
        return Split(*map(torch.from_numpy, (train, validation, test)))

    def check(self, name_of: Callable[[int], str], noun: str = "vertices") -> None:
        """Refuse targets in two sets, and too few targets or classes to train on."""
        share = self.validation
        if not isinstance(share, Targets) and not 0 <= share < 1:
            raise UsageError(f"validation must be a share from 0 to below 1, found {share}")
        named = {
            "targets": self.training,
            "for validation": self.validation,
            "held out": self.holdout,
        }
        given = [(word, part) for word, part in named.items() if isinstance(part, Targets)]
        for (word, part), (other_word, other) in combinations(given, 2):
            both = np.intersect1d(part.vertices, other.vertices).tolist()
            if both:
                names = [name_of(item) for item in both]
                raise UsageError(
                    f"{len(both):,} {noun} are both {word} and {other_word}: {first_few(names)}"
                )
        if not len(self.training):
            raise UsageError("there is no target to train on")
        if len(self.training.classes) < 2:
            raise UsageError("all targets have the same class: there is nothing to learn")
