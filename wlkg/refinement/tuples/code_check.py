"""Proof, without hashing, that codes hide no difference.

The code of a tuple is a function of its true colour, so a collision of codes can only hide a
difference. The stable codes hide none if tuples with equal codes have equal atomic types and see
the same codes: then the partition by codes is stable and refines the atomic types, and the true
partition is the coarsest of that kind. A single round is proven in the same way: tuples with equal
codes in one round must see the same codes of the round before.
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
    SharedCodes,
    collect_shared,
    differ_in_code,
    differ_in_lines,
    differ_in_type,
    differ_in_vectors,
    differ_locally,
    find_groups,
    mark_bits,
)
from wlkg.refinement.tuples.tuple_problem import COLOURS_PER_STEP, TupleProblem

#: Ranges of tuples. They differ in the amount of work, so there are more of them than workers.
_RANGES = 16
#: Codes on lines that are compared together.
_CODES_TOGETHER = 50_000
#: Average number of shared codes per prefix in the table that finds them.
_CODES_PER_PREFIX = 4
#: Extra prefix bits in the bitmap that rejects most codes that are not shared.
_EXTRA_BITS = 5


class CodeCheck:
    """Every tuple is compared with one tuple of the same code, the head of its group."""

    def __init__(
        self, problem: TupleProblem, codes: UInt64Array, sorted_codes: UInt64Array
    ) -> None:
        """``sorted_codes`` holds the same codes sorted; it is overwritten."""
        self._problem = problem
        self._layout = _layout(problem)
        self._ranges = equal_ranges(len(codes), _RANGES)
        shared = _shared_codes(sorted_codes)
        self._groups = Groups(
            group=np.empty(len(codes), id_dtype(len(shared.codes))),
            head=np.zeros(len(shared.codes), id_dtype(len(codes))),
        )
        on_ranges(find_groups, len(codes), self._ranges, codes, shared, self._groups)

    def have_same_types(self) -> bool:
        """Whether tuples with equal codes have equal atomic types."""
        return self._holds(differ_in_type, 1)

    def see_alike(self, codes: UInt64Array, *, with_own: bool = False) -> bool:
        """Whether tuples of a group see the same of the given codes.

        If ``with_own``, they must also have the same of the given codes themselves.
        """
        problem = self._problem
        if with_own and not self._holds(differ_in_code, 1, codes):
            return False
        effort = problem.steps // max(problem.num_tuples, 1)
        if problem.test.looks == "local":
            arcs = problem.arcs
            longest = int(np.diff(arcs.offsets).max(initial=0))
            relation_lists = _numbered_slices(arcs.relation, arcs.offsets)
            both = np.stack([arcs.relation, arcs.neighbour], axis=1)
            arc_lists = _numbered_slices(both, arcs.offsets)
            lists = (problem.test.fixed, relation_lists, arc_lists, longest)
            return self._holds(differ_locally, effort, codes, ArcArrays.of(arcs), *lists)
        if problem.test.looks == "vectors":
            largest = int(self._layout.sizes.max(initial=0))
            return self._holds(differ_in_vectors, 4 * effort, codes, largest)
        lines, base = _numbered_lines(problem, codes)
        return lines is not None and self._holds(differ_in_lines, problem.arity, lines, base)

    def _holds(self, kernel: Kernel, effort: int, *arguments: object) -> bool:
        """Whether a kernel finds no difference; ``effort`` is its number of steps per tuple."""
        size = self._problem.num_tuples * effort // COLOURS_PER_STEP
        differing = on_ranges(kernel, size, self._ranges, self._groups, self._layout, *arguments)
        return bool(max(differing) < 0)


def rows_alike(problem: TupleProblem, codes: UInt64Array, vertices: Partition) -> bool:
    """Whether vertices of one class begin tuples with the same multiset of codes."""
    heads: dict[int, UInt64Array] = {}
    shared = vertices.sizes[vertices.colours] > 1
    for block in problem.blocks:
        rows = codes[block.tuples].reshape(block.num_vertices, -1 if block.count else 0)
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
    lengths = np.array([len(each) for each in types], dtype=np.int64)
    return Layout(
        arity=problem.arity,
        first_tuple=np.array([block.first for block in blocks] + [problem.num_tuples], np.int64),
        sizes=sizes,
        first_vertex=np.cumsum(sizes) - sizes,
        types=types[0] if len(types) == 1 else np.concatenate(types),
        first_type=np.cumsum(lengths) - lengths,
    )


def _shared_codes(sorted_codes: UInt64Array) -> SharedCodes:
    """The codes that occur more than once among sorted codes, which are overwritten."""
    count = int(run(collect_shared, len(sorted_codes), sorted_codes))
    codes = sorted_codes[:count].copy()
    length = max(count // _CODES_PER_PREFIX, 1).bit_length()
    shift = np.uint64(64 - length)
    sizes = np.bincount((codes >> shift).astype(np.int64), minlength=2**length)
    starts = (np.cumsum(sizes) - sizes).astype(id_dtype(count))
    bits = np.zeros(max(2 ** (length + _EXTRA_BITS) // 64, 1), dtype=np.uint64)
    bit_shift = shift - np.uint64(_EXTRA_BITS)
    run(mark_bits, len(codes), codes, bit_shift, bits)
    return SharedCodes(codes=codes, starts=starts, shift=shift, bits=bits, bit_shift=bit_shift)


def _numbered_slices(values: IntArray, offsets: IntArray) -> IntArray:
    """A number for each slice between offsets, the same for equal slices."""
    numbers: dict[bytes, int] = {}
    slices = [
        numbers.setdefault(values[low:high].tobytes(), len(numbers))
        for low, high in itertools.pairwise(offsets.tolist())
    ]
    return np.array(slices, dtype=np.int64)


def _numbered_lines(problem: TupleProblem, codes: UInt64Array) -> tuple[IntArray | None, IntArray]:
    """A number for the multiset of codes on each line, for each position; None on a collision.

    A line holds the tuples that agree in all positions but one. Lines are sorted by the sums of
    their codes; lines with equal sums must have equal codes. The second array says where
    the numbers of each block begin.
    """
    counts = np.array([block.count // max(block.num_vertices, 1) for block in problem.blocks])
    base = np.cumsum(counts) - counts
    numbers = np.zeros((problem.arity, int(counts.sum())), dtype=np.int64)
    taken = 0
    for size in sorted({block.num_vertices for block in problem.blocks} - {0}):
        same_size = [b for b, block in enumerate(problem.blocks) if block.num_vertices == size]
        for j in range(problem.arity):
            parts = [
                _lines(codes[problem.blocks[b].tuples], size, problem.arity, j) for b in same_size
            ]
            lines = parts[0] if len(parts) == 1 else np.concatenate(parts)
            del parts
            lines.sort(axis=1)
            line_numbers = _numbered(lines)
            if line_numbers is None:
                return None, base
            line_numbers += taken
            for place, b in enumerate(same_size):
                length = counts[b]
                numbers[j, base[b] : base[b] + length] = line_numbers[place * length :][:length]
        taken = int(numbers.max(initial=0)) + 1
    return numbers, base


def _numbered(lines: UInt64Array) -> IntArray | None:
    """A number for each sorted line, the same for equal lines; None if sums collide."""
    totals = lines.sum(axis=1, dtype=np.uint64)
    permutation = np.argsort(totals, kind="stable")
    fresh = np.ones(len(permutation), dtype=bool)
    fresh[1:] = totals[permutation[1:]] != totals[permutation[:-1]]
    heads = permutation[np.maximum.accumulate(np.where(fresh, np.arange(len(permutation)), 0))]
    together = _CODES_TOGETHER // lines.shape[1] + 1
    for begin in range(0, len(permutation), together):
        part = slice(begin, begin + together)
        if not np.array_equal(lines[permutation[part]], lines[heads[part]]):
            return None
    numbers = np.empty(len(permutation), dtype=np.int64)
    numbers[permutation] = np.cumsum(fresh)
    return numbers


def _lines(codes: UInt64Array, size: int, arity: int, j: int) -> UInt64Array:
    """A copy of the codes with a row for each line along position j."""
    cube = codes.reshape((size**j, size, size ** (arity - 1 - j)))
    return np.moveaxis(cube, 1, 2).copy().reshape(-1, size)
