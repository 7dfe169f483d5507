"""Choices of models."""

from __future__ import annotations

from typing import Any

from wlkg.gnn.config import ModelChoice


def plain(model: str = "compgcn", width: int = 16, **switches: Any) -> ModelChoice:
    """A model without direction and norm, unless they are switched on."""
    chosen = {"direction": False, "norm": False, **switches}
    return ModelChoice(model, width=width, **chosen)
