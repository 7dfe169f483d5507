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
from wlkg.compiled.kernel import Kernel, run
from wlkg.partition import Partition
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.threads import equal_ranges, on_ranges
from wlkg.refinement.tuples.code_check_kernels import (
    Groups,
    Layout,
    SharedCodes,
    collect_shared,
    differ_in_code,
    differ_in_lines,
    differ_in_type,
    differ_locally,
    find_groups,
    mark_bits,
)
from wlkg.refinement.tuples.multiset_kernels import differ_from_head, list_members
from wlkg.refinement.tuples.tuple_codes import line_sums
from wlkg.refinement.tuples.tuple_problem import COLOURS_PER_STEP, TupleProblem

#: Ranges of tuples. They differ in the amount of work, so there are more of them than workers.
_RANGES = 16
#: Average number of shared codes per prefix in the table that finds them.
_CODES_PER_PREFIX = 4
#: Extra prefix bits in the bitmap that rejects most codes that are not shared.
_EXTRA_BITS = 5


class CodeCheck:
    """Every tuple is compared with one tuple of the same code, the head of its group."""

    def __init__(
        self, problem: TupleProblem, codes: UInt64Array, sorted_codes: UInt64Array
    ) -> None:
        """``sorted_codes`` holds the same codes sorted; it is overwritten.

        Tuples whose codes it does not hold are not checked: see `mirrored_pairs`.
        """
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
            alike = self._holds(differ_locally, effort, codes, ArcArrays.of(arcs), *lists)
            if problem.test.sees_all:
                alike = alike and self._see_same_lines(codes, first=problem.arity - 1)
            return alike
        if problem.test.looks == "vectors":
            members = self._members()
            return self._have_equal_multisets(self._groups, members, codes, np.zeros(0, np.int64))
        return self._see_same_lines(codes)

    def _see_same_lines(self, codes: UInt64Array, first: int = 0) -> bool:
        """Whether the lines through tuples of a group have the same codes, from a position on.

        A line holds the tuples that agree in all positions but one. Lines are grouped by the sums
        of their codes. If lines of a group have the same codes, a line may stand for its codes.
        """
        blocks, arity = self._problem.blocks, self._problem.arity
        parts = [line_sums(codes[b.tuples], b.num_vertices, arity) for b in blocks]
        base = np.cumsum([0, *(part.shape[1] for part in parts)])
        sums = np.concatenate(parts, axis=1)
        lines, members = _grouped(sums.reshape(-1), first * sums.shape[1])
        if not self._have_equal_multisets(lines, members, codes, base):
            return False
        return self._holds(differ_in_lines, arity, lines.group.reshape(sums.shape), base, first)

    def _have_equal_multisets(
        self, groups: Groups, members: IntArray, codes: UInt64Array, base: IntArray
    ) -> bool:
        """Whether members of a group have equal multisets (see `differ_from_head`)."""
        largest = int(self._layout.sizes.max(initial=0))
        size = len(members) * largest * self._problem.arity // COLOURS_PER_STEP
        ranges = equal_ranges(len(members), _RANGES)
        arguments = (groups, self._layout, members, codes, largest, base)
        return bool(max(on_ranges(differ_from_head, size, ranges, *arguments)) < 0)

    def _members(self) -> IntArray:
        """The tuples that share their codes, group by group."""
        group = self._groups.group
        sizes = np.bincount(group[group >= 0], minlength=len(self._groups.head))
        members = np.empty(int(sizes.sum()), dtype=id_dtype(len(group)))
        run(list_members, len(group), self._groups, np.cumsum(sizes) - sizes, members)
        return members

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


def _grouped(sums: UInt64Array, first: int) -> tuple[Groups, IntArray]:
    """Groups of equal sums, and the places from the ``first`` on, group by group."""
    members = first + np.argsort(sums[first:], kind="stable")
    in_order = sums[members]
    is_first = np.ones(len(members), dtype=bool)
    is_first[1:] = in_order[1:] != in_order[:-1]
    group = np.full(len(sums), -1, dtype=np.int64)
    group[members] = np.cumsum(is_first) - 1
    return Groups(group=group, head=members[is_first]), members
