"""The models for which there are constructions, and the tests that they simulate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from wlkg.gnn.config import ModelChoice


@dataclass(frozen=True)
class Kind:
    """A model with a construction, and the test that it simulates."""

    model: str
    composition: str
    activation: str
    test: str

    def choice(self, layers: int | None = None) -> ModelChoice:
        return choice_of(self.model, self.composition, self.activation, layers=layers)

    def __str__(self) -> str:
        return f"{self.model}-{self.composition}-{self.activation}"


def choice_of(
    model: str, composition: str = "mult", activation: str = "sign", **more: Any
) -> ModelChoice:
    options: dict[str, Any] = {"activation": activation, **more}
    return ModelChoice(model, width=4, composition=composition, **options)


#: Model and composition -> the test that the construction simulates.
TESTS = {
    ("gnn", "mult"): "1-wl",
    ("rgcn", "mult"): "1-rwl",
    ("rgcn-mlp", "mult"): "1-rwl",
    ("compgcn", "scale"): "1-rwl",
    ("compgcn", "mult"): "1-rwl",
    ("compgcn", "corr"): "1-rwl",
    ("compgcn", "rotate"): "1-rwl",
    ("compgcn", "mlp"): "1-rwl",
    ("compgcn", "mlp2"): "1-rwl",
    ("compgcn", "add"): "weak-rwl",
    ("compgcn", "sub"): "weak-rwl",
    ("compgcn", "concat"): "weak-rwl",
    ("k-rn", "scale"): "2-rlwl",
    ("k-rn", "mult"): "2-rlwl",
    ("k-rn", "corr"): "2-rlwl",
    ("k-rn", "rotate"): "2-rlwl",
    ("k-rn", "mlp"): "2-rlwl",
    ("k-rn", "mlp2"): "2-rlwl",
}
KINDS = [
    Kind(model, composition, activation, test)
    for (model, composition), test in TESTS.items()
    for activation in ("sign", "relu")
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
