"""Features of the classes of a witness: how they are read, and how they are gated."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.gnn.theorems.exact_layers import exact, is_regular
from wlkg.arrays import FloatArray
from wlkg.gnn.theorems.encodings import ENCODINGS, Code, OneHot, Ramps, Signs

activations = pytest.mark.parametrize("activation", sorted(ENCODINGS))
seeds = st.integers(0, 1000)
halves = st.integers(0, 200).map(lambda number: number / 2)
different = st.lists(halves, min_size=1, max_size=8, unique=True)
largest_steps = st.integers(1, 40)


def drawn(encoding: OneHot | Signs | Ramps, seed: int, most: int) -> Code:
    return encoding.draw(np.random.default_rng(seed), most)


def rows_of(encoding: Signs | Ramps, numbers: list[float]) -> FloatArray:
    """The features of each class after its layer."""
    before = np.array(numbers)[:, None] * encoding.slopes - encoding.thresholds
    rows: FloatArray = np.sign(before) if isinstance(encoding, Signs) else np.maximum(before, 0)
    return rows


def assert_reads(rows: FloatArray, code: Code) -> None:
    """The vector reads the number of every class, without any rounding."""
    features, reader = exact(torch.from_numpy(rows)), exact(torch.from_numpy(code.reader))
    products = [[h * u for h, u in zip(row, reader, strict=True)] for row in features]
    assert [sum(row) for row in products] == exact(torch.from_numpy(code.values))
    sizes = [sum(map(abs, row)) for row in products]
    assert max(sizes) == code.reach <= code.length * (1 + 1e-12)
    assert (rows @ code.reader).tolist() == code.values.tolist()
    assert len(set(code.values.tolist())) == len(rows)
    assert code.values.min() >= 1
    assert (2 * code.reader % 1 == 0).all()
    # Compositions that count relations add to the first feature.
    assert code.reader[0] > 0


@activations
@given(numbers=different, seed=seeds, most=largest_steps)
def test_features_of_classes_are_read_as_any_numbers_drawn(
    numbers: list[float], seed: int, most: int, activation: str
) -> None:
    encoding = ENCODINGS[activation](np.array(numbers))
    rows = rows_of(encoding, numbers)
    assert is_regular(exact(torch.from_numpy(rows)))
    code = drawn(encoding, seed, most)
    assert_reads(rows, code)
    assert np.argsort(code.values).tolist() == np.argsort(numbers).tolist()


@activations
@given(numbers=st.lists(st.integers(0, 100), min_size=1, max_size=8, unique=True))
def test_a_gate_is_open_in_the_column_of_a_class_only(numbers: list[int], activation: str) -> None:
    encoding = ENCODINGS[activation](np.array(numbers, dtype=np.float64))
    assert_gates(encoding, rows_of(encoding, list(map(float, numbers))))


@given(order=st.permutations(range(5)), count=st.integers(1, 5))
def test_the_gate_of_unit_vectors_ignores_unused_columns(order: list[int], count: int) -> None:
    rows = np.eye(5)[order[:count]]
    assert_gates(OneHot(rows), rows)


def assert_gates(encoding: OneHot | Signs | Ramps, rows: FloatArray) -> None:
    gate = encoding.gate
    gated = rows @ gate.matrix + gate.bias
    assert (rows @ encoding.one).tolist() == [1.0] * len(rows)
    assert len(set(encoding.columns.tolist())) == len(rows)
    for number, column in enumerate(encoding.columns):
        assert gated[number, column] == 0
        assert (np.delete(gated[number], column) <= -1).all()
    sizes = np.abs(rows) @ np.abs(gate.matrix) + np.abs(gate.bias)
    assert sizes.max() <= gate.reach
    assert (2 * gate.matrix % 1 == 0).all()


@given(numbers=different)
def test_rows_are_those_of_the_description(numbers: list[float]) -> None:
    b = sorted(numbers)
    thresholds = Signs(np.array(numbers)).thresholds.tolist()
    for i, number in enumerate(b):
        signs = [float(np.sign(number - threshold)) for threshold in thresholds]
        assert signs == [1.0] * (i + 1) + [-1.0] * (len(b) - i - 1)
    ramps = Ramps(np.array(numbers))
    for i, number in enumerate(b):
        row = np.maximum(number * ramps.slopes - ramps.thresholds, 0).tolist()
        assert row == [1.0, *(number - b[k] for k in range(i)), *[0.0] * (len(b) - i - 1)]


@given(order=st.permutations(range(5)), seed=seeds, most=largest_steps)
def test_unit_vectors_are_read_in_any_order(order: list[int], seed: int, most: int) -> None:
    rows = np.eye(5)[order]
    code = drawn(OneHot(rows), seed, most)
    assert_reads(rows, code)
    assert code.reach <= 5 * most


@given(seed=seeds, most=largest_steps)
def test_signs_reach_no_further_than_the_largest_number_drawn(seed: int, most: int) -> None:
    code = drawn(Signs(np.arange(6.0)), seed, most)
    assert code.reach == code.values.max() <= 6 * most
    assert set(np.diff(code.values).tolist()) <= {float(step) for step in range(1, most + 1)}


@pytest.mark.parametrize("encoding", [OneHot(np.eye(1)), Signs(np.ones(1)), Ramps(np.ones(1))])
def test_a_single_class_is_always_read_as_one(encoding: OneHot | Signs | Ramps) -> None:
    codes = [drawn(encoding, seed, 1000) for seed in range(5)]
    assert [(code.values.tolist(), code.reach) for code in codes] == [([1.0], 1.0)] * 5
