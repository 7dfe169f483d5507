"""The codes of all tuples, round by round.

The code of a tuple is a 64-bit hash of its colour: of its atomic type in round 0, and afterwards of
its last code and of the codes that it sees (see `look_kernels`). Equal colours have equal codes;
that different colours have different codes is checked by `code_check`. For pairs, see also
`mirrored_pairs`.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.compiled.kernel import Kernel
from wlkg.partition import Partition
from wlkg.refinement.compiled.threads import equal_ranges, on_ranges
from wlkg.refinement.tuples.look_kernels import (
    encode_types,
    look_everywhere,
    look_local,
    look_vectors,
)
from wlkg.refinement.tuples.mirrored_pairs import (
    RANDOM_BITS,
    is_mirrored,
    mirror_pairs,
    num_tiles,
)
from wlkg.refinement.tuples.tuple_problem import COLOURS_PER_STEP, Block, TupleProblem

_ALL_BITS = 2**64 - 1
#: Ranges of rows. They differ in the amount of work, so there are more of them than workers.
_RANGES = 16


class TupleCodes:
    """The codes of one round in ``current``, and memory for those of the next in ``spare``."""

    def __init__(self, problem: TupleProblem, seed: int, mask: int = _ALL_BITS) -> None:
        """Start with round 0; ``mask`` weakens the codes, for tests."""
        self._problem = problem
        self._mask = mask
        draw = np.random.default_rng(seed)
        shape = (problem.arity, problem.arcs.num_relations + 1)
        self._salts = draw.integers(0, 2**63, size=shape, dtype=np.uint64) * np.uint64(2)
        self._salts += np.uint64(1)
        start = draw.integers(0, 2**64, dtype=np.uint64)
        self.current = np.empty(problem.num_tuples, dtype=np.uint64)
        #: Free for any other use until the next call of `advance`.
        self.spare = np.empty_like(self.current)
        for block in problem.blocks:
            arguments = (problem.arity, block.types, start, self.current[block.tuples])
            self._on_rows(encode_types, block, problem.num_tuples * problem.arity, *arguments)
        self._finish(self.current)

    def advance(self) -> None:
        """Go on to the next round; ``spare`` then holds the codes of the round before."""
        arity, steps = self._problem.arity, self._problem.steps
        for block in filter(lambda block: block.count, self._problem.blocks):
            n, codes = block.num_vertices, self.current[block.tuples]
            rest = (self._salts, codes, self.spare[block.tuples])
            if self._problem.test.looks == "local":
                test = self._problem.test
                rows = codes.reshape(-1, n) if test.sees_all else codes[:0].reshape(0, n)
                what = (arity, test.fixed, n, block.arcs, rows.sum(axis=1, dtype=np.uint64))
                self._on_rows(look_local, block, steps, *what, *rest)
            elif self._problem.test.looks == "everywhere":
                lines = line_sums(codes, n, arity)
                self._on_rows(look_everywhere, block, steps, arity, n, lines, *rest)
            else:
                self._on_rows(look_vectors, block, steps, arity, n, *rest)
        self._finish(self.spare)
        self.current, self.spare = self.spare, self.current

    def vertex_partition(self) -> Partition:
        """The partition of the vertices; see `wlkg.refinement.results.TupleRefinement`."""
        diagonal, totals = [], []
        for block in self._problem.blocks:
            n = block.num_vertices
            step = sum(n**j for j in range(self._problem.arity))
            codes = self.current[block.tuples]
            diagonal.append(codes[: n * step : max(step, 1)][:n])
            totals.append(codes.reshape(n, -1).sum(axis=1, dtype=np.uint64) if n else codes)
        return Partition.of(np.concatenate(diagonal)).meet(Partition.of(np.concatenate(totals)))

    def _finish(self, codes: UInt64Array) -> None:
        """Let the codes of pairs tell those of mirror images; weaken codes in tests."""
        if is_mirrored(self._problem):
            mask = np.uint64((self._mask << 2) & RANDOM_BITS)
            for block in self._problem.blocks:
                tiles = equal_ranges(num_tiles(block.num_vertices), _RANGES)
                arguments = (block.num_vertices, mask, codes[block.tuples])
                on_ranges(mirror_pairs, block.count, tiles, *arguments)
        elif self._mask != _ALL_BITS:
            codes &= np.uint64(self._mask)

    @staticmethod
    def _on_rows(kernel: Kernel, block: Block, steps: int, *arguments: object) -> None:
        rows = block.count // max(block.num_vertices, 1)
        on_ranges(kernel, steps // COLOURS_PER_STEP, equal_ranges(rows, _RANGES), *arguments)


def line_sums(codes: UInt64Array, n: int, arity: int) -> UInt64Array:
    """For each position a row: the sums of the codes of the tuples that differ only there."""
    cubes = [codes.reshape(n**j, n, n ** (arity - 1 - j)) for j in range(arity)]
    return np.stack([cube.sum(axis=1, dtype=np.uint64).reshape(-1) for cube in cubes])
