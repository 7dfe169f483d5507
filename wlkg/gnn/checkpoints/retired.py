"""Weights in old checkpoints that models no longer have.

k-RN once had a readout for whole graphs, ``graph_head``. It took no part in training, so a
checkpoint that holds it is read as if it did not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: For each kind of model, how the names of its retired weights begin.
_RETIRED = {"k-rn": ("graph_head.",)}


def without_retired(model: str, weights: Mapping[str, Any]) -> dict[str, Any]:
    """The weights that a kind of model still has, or what an optimiser keeps for them."""
    retired = _RETIRED.get(model, ())
    return {name: value for name, value in weights.items() if not name.startswith(retired)}
