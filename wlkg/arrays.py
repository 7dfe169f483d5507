"""Names for array types, and `sorted_distinct`, which sorts the rows of triples and arcs.

`sorted_distinct` packs each row into a 64-bit key if the value ranges allow it, because NumPy sorts
plain integers many times faster than rows. Otherwise a lexicographic sort gives the same result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

#: Ids of vertices, relations, labels or arcs.
IntArray = npt.NDArray[np.signedinteger[Any]]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

Scalar = TypeVar("Scalar", bound=np.generic)

_KEY_LIMIT = 2**63


def id_dtype(count: int) -> type[np.int32] | type[np.int64]:
    """The smaller of int32 and int64 that can number ``count`` things."""
    return np.int32 if count <= np.iinfo(np.int32).max else np.int64


def frozen(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """The same array, made read-only."""
    array.flags.writeable = False
    return array


def sorted_distinct(columns: Sequence[IntArray], sizes: Sequence[int]) -> list[IntArray]:
    """The distinct rows of ``columns``, sorted; column j has values below ``sizes[j]``."""
    dtypes = [id_dtype(size) for size in sizes]
    if math.prod(max(size, 1) for size in sizes) < _KEY_LIMIT:
        return _by_key(columns, sizes, dtypes)
    return _by_rows(columns, dtypes)


def _by_key(
    columns: Sequence[IntArray], sizes: Sequence[int], dtypes: Sequence[type]
) -> list[IntArray]:
    key = columns[0].astype(np.int64)
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        key *= size
        key += column
    key.sort()
    if len(key):
        is_first = np.empty(len(key), dtype=bool)
        is_first[0] = True
        np.not_equal(key[1:], key[:-1], out=is_first[1:])
        if not is_first.all():
            key = key[is_first]
    result: list[IntArray] = []
    for size, dtype in zip(reversed(sizes[1:]), reversed(dtypes[1:]), strict=True):
        rest = key // max(size, 1)
        result.append((key - rest * size).astype(dtype))
        key = rest
    result.append(key.astype(dtypes[0]))
    return result[::-1]


def _by_rows(columns: Sequence[IntArray], dtypes: Sequence[type]) -> list[IntArray]:
    order = np.lexsort([np.asarray(column) for column in reversed(columns)])
    ordered = [column[order] for column in columns]
    is_first = np.zeros(len(order), dtype=bool)
    is_first[:1] = True
    for column in ordered:
        is_first[1:] |= column[1:] != column[:-1]
    return [column[is_first].astype(dtype) for column, dtype in zip(ordered, dtypes, strict=True)]
