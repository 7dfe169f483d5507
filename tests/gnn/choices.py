"""Choices of models."""

from __future__ import annotations

from typing import Any

from wlkg.gnn.config import ModelChoice
from wlkg.gnn.switches import applying


def plain(model: str = "compgcn", width: int = 16, **switches: Any) -> ModelChoice:
    """A model without direction and norm, unless they are switched on where they apply."""
    chosen = {**applying(model, direction=False, norm=False), **switches}
    return ModelChoice(model, width=width, **chosen)
