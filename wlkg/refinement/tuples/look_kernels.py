"""The compiled inner loops of the tuple tests: the codes of a round from those of the last.

The colour of a tuple is a 64-bit *code*. A row holds the n tuples that agree in all positions but
the last, so the K-tuple (v_1, ..., v_K) is at place v_K of row (v_1, ..., v_{K-1}). Codes look
random, so the sum of a multiset of codes modulo 2^64 identifies it. What a tuple sees is a sum of
codes multiplied by random odd numbers (salts) that stand for positions and relations: one
multiplication and one addition per tuple seen. Whole rows are added to rows, so the processor
handles eight codes per instruction. For the last position, eight rows are laid side by side to the
same effect.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import GOLDEN, ZERO, scrambled

#: Rows that are processed together for the last position.
_LANES = 8
#: Sums that are accumulated together, few enough to stay in the fastest cache.
_TILE = 2048


@Kernel
def encode_types(low: int, high: int, arity: int, types: Array, seed: Any, codes: Array) -> None:
    """Start codes of the rows ``low:high``: a hash of the types of all pairs in a tuple."""
    n = types.shape[1]
    depth = max(arity - 1, 1)  # if K = 1, row 0 holds the types of all vertices
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
        out = codes[row * n : (row + 1) * n]
        for w in range(n):
            out[w] = start
        for p in range(depth):
            type_row = types[prefix[p]]
            for w in range(n):
                out[w] = scrambled(out[w] + np.uint64(type_row[w]))


@Kernel
def add_rows(
    row: Any,
    arity: int,
    fixed: int,
    n: int,
    arcs: ArcArrays,
    salts: Array,
    codes: Array,
    out: Array,
) -> None:
    """Sum the rows with a neighbour in one position, over all positions but fixed and last."""
    for begin in range(0, n, _TILE):
        end = min(begin + _TILE, n)
        sums = out[row * n + begin : row * n + end]
        for w in range(end - begin):
            sums[w] = ZERO
        rest = row
        stride = 1
        for j in range(arity - 2, fixed - 1, -1):
            v = rest % n
            rest //= n
            for arc in range(arcs.offsets[v], arcs.offsets[v + 1]):
                salt = salts[j, arcs.relation[arc]]
                other = (row + (arcs.neighbour[arc] - v) * stride) * n
                there = codes[other + begin : other + end]
                for w in range(end - begin):
                    sums[w] += salt * there[w]
            stride *= n


@Kernel
def look_local(
    low: int,
    high: int,
    arity: int,
    fixed: int,
    n: int,
    arcs: ArcArrays,
    totals: Array,
    salts: Array,
    codes: Array,
    out: Array,
) -> None:
    """New codes of the rows ``low:high`` from neighbours, by position and relation.

    If ``totals`` is not empty, a tuple also sees the sum of all codes in its row.
    """
    offsets, neighbour, relation = arcs.offsets, arcs.neighbour, arcs.relation
    last = arity - 1
    own = np.zeros((n, _LANES), dtype=np.uint64)
    seen = np.zeros((n, _LANES), dtype=np.uint64)
    while low < high:
        count = min(_LANES, high - low)
        for lane in range(count):
            add_rows(low + lane, arity, fixed, n, arcs, salts, codes, out)
            here = codes[(low + lane) * n : (low + lane + 1) * n]
            for w in range(n):
                own[w, lane] = here[w]
        for w in range(n):
            for lane in range(_LANES):
                seen[w, lane] = ZERO
            for arc in range(offsets[w], offsets[w + 1]):
                salt = salts[last, relation[arc]]
                u = neighbour[arc]
                for lane in range(_LANES):
                    seen[w, lane] += salt * own[u, lane]
        for lane in range(count):
            sums = out[(low + lane) * n : (low + lane + 1) * n]
            here = codes[(low + lane) * n : (low + lane + 1) * n]
            common = ZERO
            if len(totals) > 0:
                common = salts[last, salts.shape[1] - 1] * totals[low + lane]
            for w in range(n):
                sums[w] = scrambled(here[w] * GOLDEN + sums[w] + seen[w, lane] + common)
        low += count


@Kernel
def look_everywhere(
    low: int, high: int, arity: int, n: int, lines: Array, salts: Array, codes: Array, out: Array
) -> None:
    """New codes of the rows ``low:high`` from all vertices, by position.

    ``lines[j]`` has the sum over all vertices in position j, for each choice of the others.
    """
    last = arity - 1
    for row in range(low, high):
        here = codes[row * n : (row + 1) * n]
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
def look_vectors(
    low: int, high: int, arity: int, n: int, salts: Array, codes: Array, out: Array
) -> None:
    """New codes of the rows ``low:high``: for each vertex, the codes with it in each position."""
    last = arity - 1
    vector = np.zeros(n, dtype=np.uint64)
    for row in range(low, high):
        here = codes[row * n : (row + 1) * n]
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
                there = codes[other * n : (other + 1) * n]
                salt = salts[j, 0]
                for w in range(n):
                    vector[w] += salt * there[w]
                stride *= n
            for w in range(n):
                sums[w] += scrambled(vector[w])
        for w in range(n):
            sums[w] = scrambled(sums[w])
