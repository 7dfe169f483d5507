"""Composition maps compared with their formulas."""

from __future__ import annotations

import pytest
import torch

from tests.gnn.models.formulas import assert_close, every_composition, phi, random_rows, randomised
from wlkg.errors import UsageError
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.composition_maps import Compose
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel


def test_every_composition_is_checked_against_its_formula() -> None:
    assert sorted(COMPOSITIONS) == sorted(
        ["add", "sub", "mult", "concat", "rotate", "corr", "scale", "mlp", "mlp2"]
    )


@every_composition
@pytest.mark.parametrize("width", [1, 2, 3, 4, 7])
def test_a_composition_equals_its_formula(composition: str, width: int) -> None:
    if composition == "rotate" and width % 2:
        width += 1
    compose = randomised(Compose(composition, width), width)
    h = random_rows(5, width, seed=1)
    z = random_rows(5, compose.relation_width, seed=2)
    expected = [phi(composition, *pair, compose.map) for pair in zip(h, z, strict=True)]
    composed = compose(h, z)
    assert composed.shape == (5, compose.out_width)
    assert_close(composed, torch.stack(expected))


@every_composition
def test_one_vector_is_composed_with_many(composition: str) -> None:
    compose = randomised(Compose(composition, 4), 3)
    h, z = random_rows(2, 3, 4, seed=1), random_rows(1, compose.relation_width, seed=2)
    expected = [phi(composition, row, z[0], compose.map) for row in h.reshape(6, 4)]
    assert_close(compose(h, z), torch.stack(expected).reshape(2, 3, -1))


@every_composition
def test_empty_tensors_are_composed(composition: str) -> None:
    compose = randomised(Compose(composition, 4), 3)
    h = torch.zeros((0, 4), dtype=torch.float64)
    z = torch.zeros((0, compose.relation_width), dtype=torch.float64)
    assert compose(h, z).shape == (0, compose.out_width)


def test_correlation_and_rotation_by_hand() -> None:
    h, z = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[10.0, 100.0, 1000.0]])
    # k = 1: 1 * 100 + 2 * 1000 + 3 * 10.
    assert Compose("corr", 3)(h, z).round().tolist() == [[3210.0, 2130.0, 1320.0]]
    # (1 + 3i) (5 + 7i) and (2 + 4i) (6 + 8i).
    h, z = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[5.0, 6.0, 7.0, 8.0]])
    assert Compose("rotate", 4)(h, z).tolist() == [[-16.0, -20.0, 22.0, 40.0]]


@pytest.mark.parametrize(
    ("in_width", "width", "remedy"),
    [(3, 4, "use other --features"), (4, 3, "Use another --dim"), (3, 3, "Use another --dim")],
)
def test_rotation_of_an_odd_width_is_refused(in_width: int, width: int, remedy: str) -> None:
    config = ModelConfig(
        "compgcn", in_width=in_width, width=width, out_width=2, relations=2, composition="rotate"
    )
    with pytest.raises(
        UsageError, match=r"rotate needs features of an even width, found 3\b"
    ) as error:
        VertexModel(config)
    assert error.value.exit_code == 2
    assert remedy in str(error.value)
    assert ("--dim" in str(error.value)) == ("--dim" in remedy)


def test_rotation_of_an_odd_width_is_refused_for_tuples() -> None:
    config = ModelConfig(
        "k-rn", in_width=4, width=5, out_width=2, relations=2, composition="rotate"
    )
    with pytest.raises(UsageError, match="rotate needs features of an even width, found 5"):
        TupleModel(config, 3)
