"""The compiled inner loops of the tuple tests.

A colour is a 64-bit *name*. A row is the n tuples that agree in all but the last place, so a
K-tuple (v_1, ..., v_K) stands in row (v_1, ..., v_{K-1}) at place v_K. Names are random-looking, so
a multiset of them is told by its sum modulo 2^64, and what a tuple sees by sums times random odd
numbers: one addition per tuple seen. Rows are added to rows, which the processor does eight names
at a time; for the last place eight rows are laid side by side to the same end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.mixing import GOLDEN, ZERO, scrambled

#: So many rows are looked at together.
LANES = 8
#: So many sums are added up at a time: they stay in the fastest cache.
_TILE = 2048


@Kernel
def name_types(low: int, high: int, arity: int, types: Array, seed: Any, names: Array) -> None:
    """Name the tuples of the rows ``low:high`` by their atomic types."""
    n = types.shape[1]
    depth = max(arity - 1, 1)  # a vertex stands in row 0 of its one row of types
    prefix = np.zeros(depth, dtype=np.int64)
    for row in range(low, high):
        rest = row
        for j in range(arity - 2, -1, -1):
            prefix[j] = rest % n
            rest //= n
        start = seed
        for p in range(depth):
            for q in range(p + 1, depth):
                start = scrambled(start + np.uint64(types[prefix[p], prefix[q]]))
        out = names[row * n : (row + 1) * n]
        for w in range(n):
            out[w] = start
        for p in range(depth):
            code = types[prefix[p]]
            for w in range(n):
                out[w] = scrambled(out[w] + np.uint64(code[w]))


@Kernel
def add_rows(
    row: Any, arity: int, n: int, arcs: ArcArrays, salts: Array, names: Array, out: Array
) -> None:
    """Add up, for all positions but the last, the rows with a neighbour there instead."""
    for begin in range(0, n, _TILE):
        end = min(begin + _TILE, n)
        sums = out[row * n + begin : row * n + end]
        for w in range(end - begin):
            sums[w] = ZERO
        rest = row
        stride = 1
        for j in range(arity - 2, -1, -1):
            v = rest % n
            rest //= n
            for arc in range(arcs.offsets[v], arcs.offsets[v + 1]):
                salt = salts[j, arcs.relation[arc]]
                other = (row + (arcs.neighbour[arc] - v) * stride) * n
                there = names[other + begin : other + end]
                for w in range(end - begin):
                    sums[w] += salt * there[w]
            stride *= n


@Kernel
def look_local(
    low: int, high: int, arity: int, n: int, arcs: ArcArrays, salts: Array, names: Array, out: Array
) -> None:
    """New names of the rows ``low:high``: what stands at neighbours, by position and relation."""
    offsets, neighbour, relation = arcs.offsets, arcs.neighbour, arcs.relation
    last = arity - 1
    own = np.zeros((n, LANES), dtype=np.uint64)
    seen = np.zeros((n, LANES), dtype=np.uint64)
    while low < high:
        count = min(LANES, high - low)
        for lane in range(count):
            add_rows(low + lane, arity, n, arcs, salts, names, out)
            here = names[(low + lane) * n : (low + lane + 1) * n]
            for w in range(n):
                own[w, lane] = here[w]
        for w in range(n):
            for lane in range(LANES):
                seen[w, lane] = ZERO
            for arc in range(offsets[w], offsets[w + 1]):
                salt = salts[last, relation[arc]]
                u = neighbour[arc]
                for lane in range(LANES):
                    seen[w, lane] += salt * own[u, lane]
        for lane in range(count):
            sums = out[(low + lane) * n : (low + lane + 1) * n]
            here = names[(low + lane) * n : (low + lane + 1) * n]
            for w in range(n):
                sums[w] = scrambled(here[w] * GOLDEN + sums[w] + seen[w, lane])
        low += count


@Kernel
def look_everywhere(
    low: int, high: int, arity: int, n: int, lines: Array, salts: Array, names: Array, out: Array
) -> None:
    """New names of the rows ``low:high``: for each position the sum over all vertices there.

    ``lines[j]`` has that sum for position j and each choice of the other positions.
    """
    last = arity - 1
    for row in range(low, high):
        here = names[row * n : (row + 1) * n]
        sums = out[row * n : (row + 1) * n]
        common = salts[last, 0] * lines[last, row]
        for w in range(n):
            sums[w] = here[w] * GOLDEN + common
        stride = 1
        for j in range(arity - 2, -1, -1):
            others = (row // (stride * n)) * stride + row % stride
            line = lines[j, others * n : (others + 1) * n]
            salt = salts[j, 0]
            for w in range(n):
                sums[w] += salt * line[w]
            stride *= n
        for w in range(n):
            sums[w] = scrambled(sums[w])


@Kernel
def look_at_vectors(
    low: int, high: int, arity: int, n: int, salts: Array, names: Array, out: Array
) -> None:
    """New names of the rows ``low:high``: over all vertices, the names with it in each position."""
    last = arity - 1
    vector = np.zeros(n, dtype=np.uint64)
    for row in range(low, high):
        here = names[row * n : (row + 1) * n]
        sums = out[row * n : (row + 1) * n]
        for w in range(n):
            sums[w] = here[w] * GOLDEN
        for x in range(n):
            common = salts[last, 0] * here[x]
            for w in range(n):
                vector[w] = common
            rest = row
            stride = 1
            for j in range(arity - 2, -1, -1):
                v = rest % n
                rest //= n
                other = row + (x - v) * stride
                there = names[other * n : (other + 1) * n]
                salt = salts[j, 0]
                for w in range(n):
                    vector[w] += salt * there[w]
                stride *= n
            for w in range(n):
                sums[w] += scrambled(vector[w])
        for w in range(n):
            sums[w] = scrambled(sums[w])
