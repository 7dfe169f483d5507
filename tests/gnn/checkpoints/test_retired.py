"""Checkpoints with weights that models used to have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from tests.gnn.checkpoints.saved_models import (
    Content,
    assert_equal_models,
    content_of,
    outputs,
    saved_model,
    written,
)
from wlkg.errors import InputError
from wlkg.gnn.checkpoints.saved_model import load_model


def with_graph_head(weights: Any, prefix: str = "") -> Content:
    """Weights of a k-RN as they were when it had a readout for graphs, which nothing trained."""
    head = {
        "mlp.0.weight": torch.randn(3, 3),
        "mlp.0.bias": torch.randn(3),
        "mlp.2.weight": torch.randn(2, 3),
        "mlp.2.bias": torch.randn(2),
    }
    more = {f"{prefix}graph_head.{name}": value.double() for name, value in head.items()}
    return {**{f"{prefix}{name}": value for name, value in weights.items()}, **more}


@pytest.mark.parametrize("prefix", ["", "body."])
def test_a_k_rn_that_still_had_a_graph_readout_is_read_without_it(
    prefix: str, tmp_path: Path
) -> None:
    saved = saved_model("k-rn")
    content = {**content_of(saved), "model": with_graph_head(saved.weights, prefix)}
    loaded = load_model(str(written(content, tmp_path / "m.pt")))
    assert_equal_models(loaded, saved)
    assert torch.equal(outputs(loaded), outputs(saved))


def test_only_a_k_rn_may_have_had_a_graph_readout(tmp_path: Path) -> None:
    saved = saved_model("rgcn")
    content = {**content_of(saved), "model": with_graph_head(saved.weights)}
    with pytest.raises(InputError, match=r"unknown weights 'graph_head\.mlp\.0\."):
        load_model(str(written(content, tmp_path / "m.pt")))
