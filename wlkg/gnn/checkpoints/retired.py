"""Weights in old checkpoints that models no longer have.

k-RN once had a readout for whole graphs, ``graph_head``. It took no part in training, so a
checkpoint that holds it is read as if it did not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: For each kind of model, how the names of its retired weights begin.
_RETIRED = {"k-rn": ("graph_head.",)}


def without_retired(model: str, weights: Mapping[str, Any]) -> dict[str, Any]:
    """The weights that a kind of model still has."""
    retired = _RETIRED.get(model, ())
    return {name: value for name, value in weights.items() if not name.startswith(retired)}


def without_retired_state(
    model: str, names: Iterable[str], optimiser: Mapping[str, Any]
) -> dict[str, Any]:
    """The state of an optimiser that numbers its parameters in the order of ``names``."""
    retired = _RETIRED.get(model, ())
    kept = [place for place, name in enumerate(names) if not name.startswith(retired)]
    number = {old: new for new, old in enumerate(kept)}
    return {
        **optimiser,
        "state": {number[old]: value for old, value in optimiser["state"].items() if old in number},
        "param_groups": [
            {**group, "params": [number[old] for old in group["params"] if old in number]}
            for group in optimiser["param_groups"]
        ],
    }
