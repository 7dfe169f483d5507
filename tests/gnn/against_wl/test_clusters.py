"""Rows of features that are equal up to rounding, against comparing every row with every other."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.gnn.against_wl.rows import NOISE, distance, near_one
from wlkg.arrays import FloatArray
from wlkg.gnn.against_wl import clusters
from wlkg.gnn.against_wl.clusters import (
    BLURRED,
    CLEAR,
    Clusters,
    cluster,
    cut,
    deviation,
    distinct_rows,
    smallest_gap,
    sorting_keys,
)
from wlkg.partition import Partition

seeds = st.integers(0, 10**6)


def scales(rows: FloatArray) -> FloatArray:
    largest: FloatArray = np.abs(rows).max(axis=1, initial=0.0)
    return largest


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def blurred(rows: FloatArray, size: float, seed: int) -> FloatArray:
    """The rows with errors of at most ``size``, relative to their largest entries."""
    errors = random(seed).uniform(-size, size, rows.shape)
    moved: FloatArray = rows + errors * scales(rows)[:, None]
    return moved


@st.composite
def grids(draw: st.DrawFn, most_rows: int = 9) -> FloatArray:
    """Rows of small multiples of powers of two, whose sums and quotients are exact."""
    width = draw(st.integers(1, 3))
    row = st.lists(st.integers(-4, 4), min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=1, max_size=most_rows))
    powers = draw(st.lists(st.integers(-3, 3), min_size=len(rows), max_size=len(rows)))
    return np.array(rows, dtype=np.float64) * 2.0 ** np.array(powers)[:, None]


# -- distances ------------------------------------------------------------------------------------


def test_a_deviation_is_relative_to_the_larger_of_two_rows() -> None:
    rows = np.array([[8.0, 0.0], [1.0, 3.0], [0.0, 0.0]])
    others = np.array([[8.0, 0.5], [1.0, 4.0], [0.0, 0.0]])
    assert deviation(rows, others) == 1 / 4
    assert deviation(rows[:1], others[:1]) == 1 / 16
    assert deviation(rows[2:], others[2:]) == 0
    assert deviation(rows[:, :0], others[:, :0]) == 0
    assert deviation(rows[:0], others[:0]) == 0
    assert deviation(np.array([[1e308]]), np.array([[-1e308]])) == 2


@given(rows=grids(), blur=st.sampled_from([1e-9, 0.01, 0.3]), seed=seeds)
def test_moving_rows_a_little_hardly_brings_them_closer(
    rows: FloatArray, blur: float, seed: int
) -> None:
    # Conclusions from the first rows of classes rest on this: the distances do not satisfy the
    # triangle inequality.
    others = blurred(rows, blur, seed)
    spread = max(distance(a, b) for a, b in zip(rows, others, strict=True))
    assume(spread < 1)
    for i, j in itertools.combinations(range(len(rows)), 2):
        least = distance(rows[i], rows[j]) * (1 - spread) - 2 * spread
        assert distance(others[i], others[j]) >= least - 1e-12


@given(rows=grids(), blur=st.sampled_from([1e-9, 0.01, 0.2, 0.45]), seed=seeds)
def test_the_keys_of_close_rows_are_close(rows: FloatArray, blur: float, seed: int) -> None:
    every = np.concatenate([rows, blurred(rows, blur, seed)])
    keys = sorting_keys(every, scales(every))
    for i, j in itertools.combinations(range(len(every)), 2):
        apart = distance(every[i], every[j])
        if apart <= 1 / 2:
            assert abs(keys[i] - keys[j]) <= 4 * apart + 1e-13


def brute_gap(rows: FloatArray) -> float | None:
    return min((distance(a, b) for a, b in itertools.combinations(rows, 2)), default=None)


@given(rows=grids(), blur=st.sampled_from([0.0, 1e-12, 1e-6, 0.1]), seed=seeds)
def test_the_smallest_gap_is_the_smallest_distance_of_all_pairs(
    rows: FloatArray, blur: float, seed: int
) -> None:
    every, _ = distinct_rows(np.concatenate([rows, blurred(rows, blur, seed)]))
    assert smallest_gap(every, scales(every), np.arange(len(every))) == brute_gap(every)


@pytest.mark.parametrize(
    "rows",
    [
        [[1.0], [-1.0]],
        [[1.0], [0.01]],
        [[1e-300], [1e300], [0.0]],
        [[0.0, 0.0], [3.0, 3.0]],
        [[1.0, 1e-9], [1.0, 0.0], [1e9, 1.0]],
        [[2.0]],
    ],
)
def test_the_smallest_gap_of_rows_far_apart(rows: list[list[float]]) -> None:
    table = np.array(rows)
    assert smallest_gap(table, scales(table), np.arange(len(table))) == brute_gap(table)


@given(seed=seeds, width=st.integers(1, 3), most=st.sampled_from([0.0, 1.0, 10.0]))
@settings(max_examples=50)
def test_a_search_that_gives_up_knows_a_lower_bound(seed: int, width: int, most: float) -> None:
    rows = np.abs(random(seed).normal(size=(30, width)))
    expected = brute_gap(rows)
    assert expected is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_MOST_COMPARISONS", most * width)
        gap = smallest_gap(rows, scales(rows), np.arange(len(rows)))
    assert gap is not None
    assert 0 < gap <= expected


def test_a_search_that_gives_up_at_once_knows_the_gap_of_a_line() -> None:
    rows = 1 + np.arange(10)[:, None] / 1000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_MOST_COMPARISONS", 0)
        gap = smallest_gap(rows, scales(rows), np.arange(len(rows)))
    assert gap == pytest.approx(np.log(1.009 / 1.008) / 4)


# -- cutting --------------------------------------------------------------------------------------


def brute_cut(rows: FloatArray, tolerance: float) -> Partition:
    """Split groups into the joined rows of a column, column by column, until nothing changes."""
    size, groups = scales(rows), [list(range(len(rows)))]
    while True:
        before = len(groups)
        for column in range(rows.shape[1]):
            groups = [
                part
                for group in groups
                for part in _joined(group, rows[:, column], tolerance * size)
            ]
        if len(groups) == before:
            number = {row: i for i, group in enumerate(groups) for row in group}
            return Partition.of([number[row] for row in range(len(rows))])


def _joined(group: list[int], values: FloatArray, reach: FloatArray) -> list[list[int]]:
    parts: list[list[int]] = []
    for row in group:
        touched = [
            part
            for part in parts
            if any(abs(values[row] - values[u]) <= max(reach[row], reach[u]) for u in part)
        ]
        rest = [part for part in parts if part not in touched]
        parts = [*rest, [row, *itertools.chain(*touched)]]
    return parts


@given(rows=grids(), tolerance=st.sampled_from([0.0, 1 / 8, 1 / 4, 1 / 2, 1.0, 2.0]))
@settings(max_examples=200)
def test_rows_are_cut_as_comparing_all_pairs_says(rows: FloatArray, tolerance: float) -> None:
    assert cut(rows, scales(rows), tolerance) == brute_cut(rows, tolerance)


@given(rows=grids(12), tolerance=st.sampled_from([0.0, 1 / 8, 1 / 2]), columns=st.integers(1, 3))
@settings(max_examples=200)
def test_groups_that_no_column_can_cut_are_settled_early(
    rows: FloatArray, tolerance: float, columns: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_SINGLE", columns)
        assert cut(rows, scales(rows), tolerance) == brute_cut(rows, tolerance)


def test_equal_rows_are_settled_without_trying_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    def counted(*arguments: Any) -> Any:
        nonlocal tried
        tried += 1
        return cut_column(*arguments)

    cut_column = clusters._cut_column
    monkeypatch.setattr(clusters, "_cut_column", counted)
    rows = np.repeat(random(0).random((50, 200)), 2, axis=0)
    assert cut(rows, scales(rows), 1e-9) == Partition.of(np.arange(100) // 2)
    assert tried == clusters._SINGLE


@given(rows=grids(30), seed=seeds)
def test_rows_with_equal_hashes_are_told_apart(rows: FloatArray, seed: int) -> None:
    rows = np.concatenate([rows, rows * random(seed).choice([1.0, -0.0, 2.0], (len(rows), 1))])
    distinct, place = distinct_rows(rows)
    firsts = list(dict.fromkeys(map(tuple, (rows + 0.0).tolist())))
    assert [tuple(row) for row in distinct.tolist()] == firsts
    assert [firsts[number] for number in place] == [tuple(row) for row in (rows + 0.0).tolist()]
    assert not np.signbit(distinct[distinct == 0]).any()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "_hashes", lambda rows: np.zeros(len(rows), dtype=np.uint64))
        again, same_place = distinct_rows(rows)
    assert np.array_equal(again, distinct)
    assert np.array_equal(same_place, place)


def test_rows_of_round_numbers_have_different_hashes() -> None:
    rows = np.array(list(itertools.product(range(8), range(8), [0.0, 0.5, 2.0**40], range(8))))
    assert len(np.unique(clusters._hashes(rows))) == len(rows)


def test_a_large_row_reaches_across_small_rows_that_are_cut() -> None:
    # In the second column the small rows lie between the two large rows, which are joined.
    rows = np.array([[1e6, 0.0], [1e6, 0.3], [1e-3, 0.1], [1e-3, 0.2]])
    assert cut(rows[:, ::-1], scales(rows), 1e-6).colours.tolist() == [0, 0, 1, 2]
    assert cut(rows, scales(rows), 1e-6).colours.tolist() == [0, 0, 1, 2]
    # Rows that stay joined to it do not cut it off either.
    rows = np.array([[4.0, 0.0], [4.0, 3.0], [1.0, 1.0], [1.0, 2.0]])
    assert cut(rows, scales(rows), 0.75).num_classes == 1


# -- clusters -------------------------------------------------------------------------------------


def known_classes(seed: int, classes: int, width: int) -> FloatArray:
    """Rows of all sizes that are far apart; some are all zeros."""
    draw = random(seed)
    rows = draw.normal(size=(classes, width)) * (draw.random((classes, width)) < 0.7)
    scaled: FloatArray = rows * 10.0 ** draw.integers(-9, 9, (classes, 1))
    return distinct_rows(scaled)[0]


@given(
    seed=seeds,
    classes=st.integers(1, 40),
    width=st.integers(1, 5),
    noise=st.sampled_from([1e-15, 1e-13, 1e-11]),
)
def test_classes_are_found_through_noise(seed: int, classes: int, width: int, noise: float) -> None:
    rows = known_classes(seed, classes, width)
    gap = brute_gap(rows)
    assume(gap is None or gap > 2 * CLEAR * noise)
    place = random(seed).integers(0, len(rows), 100)
    clustered = cluster(blurred(rows[place], 10 * noise, seed), noise)
    assert clustered.surely == clustered.possibly == clustered.close == Partition.of(place)
    assert clustered.tight
    assert clustered.clear
    assert clustered.max_spread <= 21 * noise
    seen = brute_gap(rows[np.unique(place)])
    assert (clustered.min_gap is None) == (seen is None)
    assert clustered.min_gap == pytest.approx(seen, abs=50 * noise) if seen else True


@given(seed=seeds, noise=st.sampled_from([1e-15, 1e-7, 1e-5, 1e-4, 1e-3, 0.1]), rows=grids())
@settings(max_examples=120)
def test_what_clusters_claim_holds_for_every_pair(
    seed: int, noise: float, rows: FloatArray
) -> None:
    steps = random(seed).choice([0, 1, BLURRED / 2, 2 * BLURRED, CLEAR / 2, 2 * CLEAR], 4)
    every = np.concatenate([rows, *(blurred(rows, noise * step, seed) for step in steps)])
    clustered = cluster(every, noise)
    assert clustered.possibly.refines(clustered.surely)
    assert clustered.close.refines(clustered.possibly)
    assert clustered.max_spread <= 2
    apart, near, kept = (p.colours for p in (clustered.surely, clustered.possibly, clustered.close))
    exact = 1 + 1e-9
    for i, j in itertools.combinations(range(len(every)), 2):
        here = distance(every[i], every[j])
        if apart[i] != apart[j]:
            assert here * exact > CLEAR * noise
        if near[i] != near[j]:
            assert here * exact > BLURRED * noise
        else:
            assert here <= clustered.max_spread * exact + 1e-15
        if kept[i] == kept[j]:
            assert here <= CLEAR * noise * exact


def relations(clustered: Clusters) -> tuple[int, int]:
    return clustered.surely.num_classes, clustered.possibly.num_classes


@pytest.mark.parametrize(
    ("apart", "classes"),
    [(0, (1, 1)), (BLURRED / 2, (1, 1)), (2 * BLURRED, (1, 2)), (CLEAR / 2, (1, 2)),
     (2 * CLEAR, (2, 2))],
)  # fmt: skip
def test_rows_near_the_tolerance_are_left_open(apart: float, classes: tuple[int, int]) -> None:
    clustered = cluster(near_one(0, 1, apart, apart + 1), NOISE)
    assert relations(clustered) == classes
    assert clustered.tight
    assert clustered.clear == (classes[0] == classes[1])
    if classes[1] == 2:
        assert clustered.min_gap == pytest.approx(apart * NOISE, rel=0.01)


def test_a_ladder_of_tiny_steps_is_not_tight() -> None:
    ladder = near_one(*np.arange(0, 3 * CLEAR, BLURRED / 2))
    clustered = cluster(ladder, NOISE)
    assert relations(clustered) == (1, 1)
    assert not clustered.tight
    assert not clustered.clear
    assert clustered.close == Partition.of(range(len(ladder)))
    assert clustered.max_spread == pytest.approx(distance(ladder[0], ladder[-1]), rel=1e-6)
    # Only the rows on the ladder are in doubt.
    beside = cluster(np.concatenate([ladder, 5 * near_one(0, 1)]), NOISE)
    assert beside.close.colours[-2] == beside.close.colours[-1]
    assert beside.close.num_classes == len(ladder) + 1
    assert not beside.tight


def test_classes_whose_ends_are_close_are_not_surely_different() -> None:
    # Their first rows are far apart.
    one = np.arange(0, 8001, 200)
    clustered = cluster(near_one(*one, *(one + 9000)), NOISE)
    assert clustered.min_gap is not None
    assert clustered.min_gap > CLEAR * NOISE
    assert clustered.tight
    assert relations(clustered) == (1, 2)


def test_with_much_noise_nothing_is_sure() -> None:
    clustered = cluster(np.array([[1.0], [1.0], [1.001], [7.0], [0.0]]), 0.1)
    assert clustered.surely.num_classes == 1
    assert clustered.close == Partition.of(range(5))
    assert not clustered.clear


def test_with_the_noise_of_single_precision_close_rows_are_not_known_to_be_equal() -> None:
    rows = np.array([[30_000.0], [30_001.0], [1.0]])
    clustered = cluster(rows, 4 * float(np.finfo(np.float32).eps))
    assert clustered.surely.colours.tolist() == [0, 0, 1]
    assert clustered.tight
    assert not clustered.clear
    assert cluster(rows, 1e-15).surely.num_classes == 3


@given(rows=grids(), power=st.integers(-900, 900), noise=st.sampled_from([1e-15, 1e-4, 0.01]))
def test_the_unit_of_measurement_does_not_matter(
    rows: FloatArray, power: int, noise: float
) -> None:
    one, two = cluster(rows, noise), cluster(rows * 2.0**power, noise)
    assert_same(one, two)


def assert_same(one: Clusters, two: Clusters) -> None:
    for name in ("surely", "possibly", "close", "max_spread"):
        assert getattr(one, name) == getattr(two, name), name
    assert one.min_gap == (None if two.min_gap is None else pytest.approx(two.min_gap, rel=1e-9))


@given(data=st.data(), rows=grids(), seed=seeds)
def test_the_order_of_rows_and_columns_does_not_matter(
    data: st.DataObject, rows: FloatArray, seed: int
) -> None:
    rows = np.concatenate([rows, blurred(rows, 1e-14, seed)])
    order = np.array(data.draw(st.permutations(range(len(rows)))))
    columns = np.array(data.draw(st.permutations(range(rows.shape[1]))))
    one, two = cluster(rows, 1e-15), cluster(rows[order][:, columns], 1e-15)
    for name in ("surely", "possibly", "close"):
        assert getattr(one, name).restricted(order) == getattr(two, name)
    assert one.max_spread == two.max_spread
    # Other rows may be the first of their classes.
    assert one.min_gap == (None if two.min_gap is None else pytest.approx(two.min_gap, abs=1e-13))


@pytest.mark.parametrize(
    ("rows", "colours"),
    [
        ([[0.0, 0.0], [0.0, 0.0]], [0, 0]),
        ([[0.0, -0.0], [-0.0, 0.0], [0.0, 1e-300]], [0, 0, 1]),
        ([[3.0, 4.0]], [0]),
        ([[], [], []], [0, 0, 0]),
        ([[1.7e308], [-1.7e308], [1.0], [1.7e308]], [0, 1, 2, 0]),
        ([[5e-324], [0.0], [1e-323], [5e-324]], [0, 1, 2, 0]),
        ([[1e-200], [1e200], [1e-200 * (1 + 1e-14)]], [0, 1, 0]),
    ],
)
def test_unusual_numbers(rows: list[list[float]], colours: list[int]) -> None:
    table = np.array(rows).reshape(len(rows), -1)
    clustered = cluster(table, 1e-15)
    assert clustered.surely == clustered.possibly == clustered.close
    assert clustered.surely.colours.tolist() == colours
    assert (clustered.min_gap is None) == (max(colours) == 0)


def test_without_rows_there_are_no_classes() -> None:
    clustered = cluster(np.zeros((0, 3)), 1e-15)
    assert clustered.surely.num_items == clustered.possibly.num_classes == 0
    assert clustered.min_gap is None
    assert clustered.max_spread == 0


@given(rows=grids())
def test_distinct_rows_differ_in_their_bits(rows: FloatArray) -> None:
    signed: Any = np.where(rows == 0, -0.0, rows)
    every = np.concatenate([rows, signed])
    distinct, place = distinct_rows(every)
    assert np.array_equal(distinct[place], every)
    assert len(distinct) == len({tuple(row) for row in rows.tolist()})
