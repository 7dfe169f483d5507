"""Proof, without hashing, that names tell everything they should.

The name of a tuple is a function of its true colour, so a collision of names can only hide a
difference. No difference is hidden at the end if tuples of equal name have equal atomic types and
see the same names: then the partition by names is stable and refines the atomic types, and the
coarsest partition of that kind is the true one. The same, with the names of one round seen by
tuples of equal name in the next, proves a single round.
"""

from __future__ import annotations

import itertools

import numpy as np

from wlkg.arrays import IntArray, UInt64Array, id_dtype
from wlkg.partition import Partition
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.kernel import Kernel, run
from wlkg.refinement.compiled.threads import equal_ranges, on_ranges
from wlkg.refinement.tuples.code_check_kernels import (
    Groups,
    Layout,
    Shared,
    collect_shared,
    differ_in_lines,
    differ_in_type,
    differ_in_vectors,
    differ_locally,
    differ_themselves,
    find_groups,
    mark_bits,
)
from wlkg.refinement.tuples.tuple_problem import PER_STEP, TupleProblem

#: Ranges of tuples differ in how much there is to compare, so there are more of them than workers.
_RANGES = 16
#: So many names on lines are compared at a time.
_NAMES = 50_000
#: So many shared names may begin alike.
_TOGETHER = 4
#: So many bits longer are the beginnings by which most names are found not to be shared.
_LONGER = 5


class Check:
    """Tuples of equal name, compared with one of them."""

    def __init__(self, problem: TupleProblem, names: UInt64Array, ordered: UInt64Array) -> None:
        """``ordered`` holds the same names sorted; it is overwritten."""
        self._problem = problem
        self._layout = _layout(problem)
        self._ranges = equal_ranges(len(names), _RANGES)
        shared = _shared(ordered)
        group = np.empty(len(names), id_dtype(len(shared.names)))
        self._groups = Groups(group, np.zeros(len(shared.names), id_dtype(len(names))))
        on_ranges(find_groups, len(names), self._ranges, names, shared, self._groups)

    def same_types(self) -> bool:
        """Whether tuples of equal name have equal atomic types."""
        return self._holds(differ_in_type, 1)

    def sees_alike(self, names: UInt64Array, *, with_own: bool = False) -> bool:
        """Whether tuples of equal name see the same of these names, and have the same if asked."""
        problem = self._problem
        if with_own and not self._holds(differ_themselves, 1, names):
            return False
        effort = problem.steps // max(problem.num_tuples, 1)
        if problem.test.looks == "local":
            arcs = problem.arcs
            most = int(np.diff(arcs.offsets).max(initial=0))
            arrays = ArcArrays(arcs.offsets, arcs.neighbour, arcs.relation)
            kinds = _numbered_slices(arcs.relation, arcs.offsets)
            both = np.stack([arcs.relation, arcs.neighbour], axis=1)
            twins = _numbered_slices(both, arcs.offsets)
            return self._holds(differ_locally, effort, names, arrays, kinds, twins, most)
        if problem.test.looks == "vectors":
            most = int(self._layout.sizes.max(initial=0))
            return self._holds(differ_in_vectors, 4 * effort, names, most)
        lines, base = _numbered_lines(problem, names)
        return lines is not None and self._holds(differ_in_lines, problem.arity, lines, base)

    def _holds(self, kernel: Kernel, effort: int, *arguments: object) -> bool:
        size = self._problem.num_tuples * effort // PER_STEP
        found = on_ranges(kernel, size, self._ranges, self._groups, self._layout, *arguments)
        return bool(max(found) < 0)


def rows_alike(problem: TupleProblem, names: UInt64Array, vertices: Partition) -> bool:
    """Whether vertices of one class begin tuples with the same multiset of names."""
    heads: dict[int, UInt64Array] = {}
    shared = vertices.sizes[vertices.colours] > 1
    for block in problem.blocks:
        rows = names[block.tuples].reshape(block.num_vertices, -1 if block.count else 0)
        for v in range(block.num_vertices):
            colour = int(vertices.colours[block.first_vertex + v])
            if not shared[block.first_vertex + v]:
                continue
            row = np.sort(rows[v])
            if not np.array_equal(heads.setdefault(colour, row), row):
                return False
    return True


def _layout(problem: TupleProblem) -> Layout:
    blocks = problem.blocks
    sizes = np.array([block.num_vertices for block in blocks], dtype=np.int64)
    types = [block.types.reshape(-1) for block in blocks]
    lengths = np.array([len(codes) for codes in types], dtype=np.int64)
    return Layout(
        problem.arity,
        np.array([block.first for block in blocks] + [problem.num_tuples], dtype=np.int64),
        sizes,
        np.cumsum(sizes) - sizes,
        np.cumsum(lengths) - lengths,
        types[0] if len(types) == 1 else np.concatenate(types),
    )


def _shared(ordered: UInt64Array) -> Shared:
    """The names that occur more than once among sorted ones, which are overwritten."""
    count = int(run(collect_shared, len(ordered), ordered))
    names = ordered[:count].copy()
    length = max(count // _TOGETHER, 1).bit_length()
    shift = np.uint64(64 - length)
    sizes = np.bincount((names >> shift).astype(np.int64), minlength=2**length)
    starts = (np.cumsum(sizes) - sizes).astype(id_dtype(count))
    bits = np.zeros(max(2 ** (length + _LONGER) // 64, 1), dtype=np.uint64)
    bit_shift = shift - np.uint64(_LONGER)
    run(mark_bits, len(names), names, bit_shift, bits)
    return Shared(names, starts, shift, bits, bit_shift)


def _numbered_slices(values: IntArray, offsets: IntArray) -> IntArray:
    """A number for each slice between offsets, the same for equal slices."""
    numbers: dict[bytes, int] = {}
    found = [
        numbers.setdefault(values[low:high].tobytes(), len(numbers))
        for low, high in itertools.pairwise(offsets.tolist())
    ]
    return np.array(found, dtype=np.int64)


def _numbered_lines(problem: TupleProblem, names: UInt64Array) -> tuple[IntArray | None, IntArray]:
    """A number for the multiset of names on each line, for each position; None on a collision.

    A line holds the tuples that agree in all but one position. Lines are put in order by the sums
    of their names; those with equal sums must have equal names.
    """
    counts = np.array([block.count // max(block.num_vertices, 1) for block in problem.blocks])
    base = np.cumsum(counts) - counts
    numbers = np.zeros((problem.arity, int(counts.sum())), dtype=np.int64)
    taken = 0
    for size in sorted({block.num_vertices for block in problem.blocks} - {0}):
        chosen = [b for b, block in enumerate(problem.blocks) if block.num_vertices == size]
        for j in range(problem.arity):
            parts = [
                _lines(names[problem.blocks[b].tuples], size, problem.arity, j) for b in chosen
            ]
            lines = parts[0] if len(parts) == 1 else np.concatenate(parts)
            del parts
            lines.sort(axis=1)
            found = _numbered(lines)
            if found is None:
                return None, base
            found += taken
            for place, b in enumerate(chosen):
                length = counts[b]
                numbers[j, base[b] : base[b] + length] = found[place * length :][:length]
        taken = int(numbers.max(initial=0)) + 1
    return numbers, base


def _numbered(lines: UInt64Array) -> IntArray | None:
    """A number for each sorted line, the same for equal ones; None where sums collide."""
    totals = lines.sum(axis=1, dtype=np.uint64)
    order = np.argsort(totals, kind="stable")
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = totals[order[1:]] != totals[order[:-1]]
    heads = order[np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))]
    together = _NAMES // lines.shape[1] + 1
    for begin in range(0, len(order), together):
        part = slice(begin, begin + together)
        if not np.array_equal(lines[order[part]], lines[heads[part]]):
            return None
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(fresh)
    return numbers


def _lines(names: UInt64Array, size: int, arity: int, j: int) -> UInt64Array:
    """A copy of the names, a row for each line along position j."""
    cube = names.reshape((size**j, size, size ** (arity - 1 - j)))
    return np.moveaxis(cube, 1, 2).copy().reshape(-1, size)
