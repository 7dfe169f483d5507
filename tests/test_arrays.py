"""Sorted distinct rows of integers, by two methods that must agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wlkg import arrays
from wlkg.arrays import frozen, id_dtype, sorted_distinct

ROWS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)))


def columns_of(rows: list[tuple[int, int, int]], dtype: Any = np.int64) -> list[Any]:
    return [np.array([row[j] for row in rows], dtype=dtype) for j in range(3)]


def rows_of(columns: list[Any]) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(ROWS, st.sampled_from([np.int8, np.int32, np.int64]))
def test_rows_come_out_sorted_and_distinct(rows: list[tuple[int, int, int]], dtype: Any) -> None:
    assert rows_of(sorted_distinct(columns_of(rows, dtype), (5, 3, 5))) == sorted(set(rows))


@given(ROWS)
def test_packed_and_lexicographic_sorting_agree(rows: list[tuple[int, int, int]]) -> None:
    packed = sorted_distinct(columns_of(rows), (5, 3, 5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_KEY_BITS", 0)
        patch.setattr(arrays, "_by_key", None)
        by_rows = sorted_distinct(columns_of(rows), (5, 3, 5))
    assert rows_of(packed) == rows_of(by_rows)
    assert [c.dtype for c in packed] == [c.dtype for c in by_rows]


def test_rows_that_do_not_fit_64_bits_are_sorted_too() -> None:
    big = 2**31
    rows = [(big - 1, big - 1, 0), (0, big - 1, big - 1), (big - 1, 0, 5), (0, big - 1, big - 1)]
    columns = sorted_distinct(columns_of(rows), (big, big, big))
    assert rows_of(columns) == sorted(set(rows))
    assert columns[0].dtype == np.int64


def test_the_largest_keys_that_fit_are_packed_without_overflow() -> None:
    sizes = (2**31 - 1, 2, 2**31 - 1)
    rows = [(2**31 - 2, 1, 2**31 - 2), (2**31 - 2, 1, 2**31 - 3), (0, 0, 0)]
    assert rows_of(sorted_distinct(columns_of(rows), sizes)) == sorted(rows)


def test_the_given_columns_are_unchanged() -> None:
    columns = columns_of([(1, 1, 1), (0, 0, 0), (1, 1, 1)])
    before = [column.copy() for column in columns]
    result = sorted_distinct(columns, (2, 2, 2))
    result[0][:] = 7
    assert all(map(np.array_equal, columns, before))


@pytest.mark.parametrize(
    ("count", "dtype"), [(0, np.int32), (2**31 - 1, np.int32), (2**31, np.int64)]
)
def test_ids_take_32_bits_while_they_suffice(count: int, dtype: type) -> None:
    assert id_dtype(count) is dtype


def test_a_frozen_array_cannot_be_written_to() -> None:
    array = frozen(np.arange(3))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
