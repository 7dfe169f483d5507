"""Configurations of models that are refused, and the defaults of training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wlkg.errors import UsageError
from wlkg.gnn.compositions import COMPOSITIONS, find_composition
from wlkg.gnn.config import MODELS, PAIR_AGGREGATIONS, UPDATES, ModelChoice, ModelConfig, defaults
from wlkg.gnn.models.composition_maps import Compose
from wlkg.gnn.models.vertex_model import VertexModel


@pytest.mark.parametrize(
    ("kind", "known", "make"),
    [
        ("composition", list(COMPOSITIONS), lambda: find_composition("plus")),
        ("composition", list(COMPOSITIONS), lambda: Compose("plus", 2)),
        (
            "composition",
            list(COMPOSITIONS),
            lambda: VertexModel(
                ModelConfig(
                    "compgcn", in_width=2, width=2, out_width=2, relations=2, composition="plus"
                )
            ),
        ),
        (
            "model",
            list(MODELS),
            lambda: ModelConfig("plus", in_width=2, width=2, out_width=2, relations=2),
        ),
        (
            "aggregation",
            list(PAIR_AGGREGATIONS),
            lambda: ModelChoice("rgcn", aggregation="plus"),  # type: ignore[arg-type]
        ),
        (
            "update",
            list(UPDATES),
            lambda: ModelChoice("k-rn", update="plus"),  # type: ignore[arg-type]
        ),
    ],
)
def test_the_error_for_an_unknown_name_lists_the_known_names(
    kind: str, known: list[str], make: Callable[[], object]
) -> None:
    with pytest.raises(UsageError) as error:
        make()
    assert str(error.value) == f"unknown {kind} 'plus'. Known: {', '.join(known)}"
    assert error.value.exit_code == 2


@pytest.mark.parametrize("name", ["in_width", "width", "out_width", "layers", "k"])
def test_sizes_below_one_are_refused(name: str) -> None:
    sizes: dict[str, Any] = {
        "in_width": 2,
        "width": 2,
        "out_width": 2,
        "layers": 2,
        "k": 2,
        name: 0,
    }
    with pytest.raises(UsageError, match=f"{name} must be at least 1, found 0"):
        ModelConfig("rgcn", relations=2, **sizes)


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_widths_that_do_not_fit_the_layers_are_refused(model: str) -> None:
    with pytest.raises(UsageError, match="2 hidden widths do not fit 4 layers"):
        ModelConfig(
            model, in_width=2, width=2, out_width=2, relations=2, layers=4, hidden_widths=(3, 3)
        )


def test_hyperparameters_are_those_of_the_paper() -> None:
    small, large = (defaults("rgcn", n) for n in (8_285, 1_666_764))
    assert (small.layers, small.epochs, small.learning_rate) == (2, 8000, 0.001)
    assert (large.layers, large.epochs, large.learning_rate) == (3, 100, 0.03)
    assert defaults("rgcn-mlp", 1_666_764).epochs == 400
    comp = defaults("compgcn", 1_666_764)
    assert (comp.layers, comp.epochs) == (2, 800)
