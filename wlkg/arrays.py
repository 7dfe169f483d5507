"""Names for array types, and `sorted_distinct`, which sorts the rows of triples and arcs.

`sorted_distinct` packs each row into a 64-bit key if the value ranges allow it, because NumPy sorts
plain integers many times faster than rows; every column has its own bits of the key, because
shifting is many times faster than dividing. Otherwise a lexicographic sort gives the same result.
"""

from __future__ import annotations

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

#: The bits of a key; the sign is not used.
_KEY_BITS = 63


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
    bits = [max(size - 1, 0).bit_length() for size in sizes]
    if sum(bits) <= _KEY_BITS:
        return _by_key(columns, bits, dtypes)
    return _by_rows(columns, dtypes)


def _by_key(
    columns: Sequence[IntArray], bits: Sequence[int], dtypes: Sequence[type]
) -> list[IntArray]:
    key = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], bits[1:], strict=True):
        key <<= width
        key |= column
    if (key[1:] < key[:-1]).any():
        key.sort()
    if len(key):
        is_first = np.empty(len(key), dtype=bool)
        is_first[0] = True
        np.not_equal(key[1:], key[:-1], out=is_first[1:])
        if not is_first.all():
            key = key[is_first]
    result: list[IntArray] = []
    for width, dtype in zip(reversed(bits[1:]), reversed(dtypes[1:]), strict=True):
        result.append((key & ((1 << width) - 1)).astype(dtype))
        key >>= width
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
