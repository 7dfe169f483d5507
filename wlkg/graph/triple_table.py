"""Triples of names, collected in dictionary-encoded Arrow arrays as they stream in.

Every block contributes dictionary-encoded columns. Their dictionaries are merged at the end, and
earlier whenever repeated names take up too much memory. The merged names are sorted into the
canonical order, and only then become Python strings.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wlkg.arrays import IntArray
from wlkg.graph.names import NUMBER
from wlkg.progress import SILENT, Progress

#: Dictionary entries held before they are first merged.
_MERGE_ABOVE = 4_000_000
_BATCH = 50_000
_ENCODED = pa.dictionary(pa.int32(), pa.large_string())


class TripleSink(Protocol):
    """Where readers put triples: into memory, or into a database."""

    def add(self, heads: pa.Array, relations: pa.Array, tails: pa.Array) -> None:
        """Append rows; each column holds large strings, dictionary-encoded or not."""

    def add_codes(self, names: pa.Array, codes: npt.NDArray[np.int32]) -> None:
        """Append rows of three indices into ``names``."""

    def add_rows(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Append triples of Python strings."""


class TripleTable:
    """Collects triples; `arrays` gives what `RelationalGraph.from_arrays` takes."""

    def __init__(self, progress: Progress = SILENT) -> None:
        self._progress = progress
        #: Per block: all heads, then all relations, then all tails.
        self._columns: list[pa.DictionaryArray] = []
        self._lengths: list[int] = []
        self._entries = 0
        self._merge_at = _MERGE_ABOVE

    def __len__(self) -> int:
        return sum(self._lengths)

    def add(self, heads: pa.Array, relations: pa.Array, tails: pa.Array) -> None:
        """Append rows; each column holds large strings, dictionary-encoded or not."""
        self._append([heads, relations, tails], len(heads))

    def add_codes(self, names: pa.Array, codes: npt.NDArray[np.int32]) -> None:
        """Append rows of three indices into ``names``."""
        flat = pa.array(np.ascontiguousarray(codes.T).reshape(-1))
        self._append([pa.DictionaryArray.from_arrays(flat, names)], len(codes))

    def add_rows(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Append triples of Python strings."""
        remaining = iter(rows)
        while batch := list(islice(remaining, _BATCH)):
            self.add(*(pa.array(column, pa.large_string()) for column in zip(*batch, strict=True)))

    def _append(self, columns: list[pa.Array], length: int) -> None:
        if not length:
            return
        self._lengths.append(length)
        self._progress.count(len(self), "triples")
        for column in columns:
            encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
            self._columns.append(encoded)
            self._entries += len(encoded.dictionary)
        if self._entries > self._merge_at:
            merged = self._merged()
            self._columns = [merged]
            self._entries = len(merged.dictionary)
            self._merge_at = max(_MERGE_ABOVE, 2 * self._entries)

    def _merged(self, declared: Iterable[str] = ()) -> pa.DictionaryArray:
        # The declared names come last and are always there: unifying needs at least two chunks.
        extra = pa.array(list(declared), pa.large_string()).dictionary_encode()
        columns = pa.chunked_array([*self._columns, extra], type=_ENCODED)
        return columns.unify_dictionaries().combine_chunks()

    def arrays(self, vertices: Iterable[str] = ()) -> dict[str, Any]:
        """Ids in canonical order and their names; ``vertices`` adds vertices without triples."""
        merged = self._merged(vertices)
        codes = merged.indices.to_numpy(zero_copy_only=False)
        parts = np.split(codes, np.cumsum(np.repeat(self._lengths, 3)).astype(np.int64))
        nothing = [codes[:0]]
        head, relation, tail = (np.concatenate(parts[:-1][j::3] or nothing) for j in range(3))
        order = canonical_indices(merged.dictionary)
        vertex_ids, vertex_names = _numbered(merged.dictionary, order, (head, tail, parts[-1]))
        relation_ids, relation_names = _numbered(merged.dictionary, order, (relation,))
        return {
            "head": vertex_ids[head],
            "relation": relation_ids[relation],
            "tail": vertex_ids[tail],
            "vertex_names": vertex_names,
            "relation_names": relation_names,
        }


def _numbered(
    names: pa.Array, order: IntArray, columns: tuple[IntArray, ...]
) -> tuple[npt.NDArray[np.int32], list[str]]:
    """Consecutive ids, in the given order, for the names used in the columns; and these names."""
    used = np.zeros(len(names), dtype=bool)
    for column in columns:
        used[column] = True
    chosen = order[used[order]]
    ids = np.empty(len(names), dtype=np.int32)
    ids[chosen] = np.arange(len(chosen), dtype=np.int32)
    return ids, names.take(pa.array(chosen)).to_pylist()


def canonical_indices(names: pa.Array) -> IntArray:
    """Indices that sort an array of distinct names as `wlkg.graph.names.canonical_order` does."""
    order: IntArray = pc.sort_indices(names).to_numpy().astype(np.int64)
    if not _has_digit_first(names):
        return order
    is_number = pc.match_substring_regex(names, f"^{NUMBER}$").to_numpy(zero_copy_only=False)
    if not is_number.any():
        return order
    numbers = np.flatnonzero(is_number)
    values = pc.cast(names.take(pa.array(numbers)), pa.int64()).to_numpy()
    return np.concatenate([numbers[np.argsort(values)], order[~is_number[order]]])


def _has_digit_first(names: pa.Array) -> bool:
    """Whether any of the names, which are large strings, begins with a decimal digit."""
    if not len(names):
        return False
    offsets = np.frombuffer(names.buffers()[1], dtype=np.int64)[names.offset :][: len(names) + 1]
    begins = offsets[:-1][offsets[1:] > offsets[:-1]]
    if not len(begins):
        return False
    first = np.frombuffer(names.buffers()[2], dtype=np.uint8)[begins]
    return bool(((first >= ord("0")) & (first <= ord("9"))).any())
