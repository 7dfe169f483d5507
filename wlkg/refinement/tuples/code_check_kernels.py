"""The compiled inner loops of the check: what tuples see, compared without hashing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.mixing import ZERO
from wlkg.refinement.compiled.shell_sort import shell_sort

_ONE = np.uint64(1)
_SIX = np.uint64(6)
_LOW_SIX = np.uint64(63)

#: So many names are looked up together.
_BATCH = 512


class Layout(NamedTuple):
    """Where the blocks lie: block b has the tuples ``first[b]:first[b + 1]``."""

    arity: int
    first: Array
    #: The number of vertices of each block, and the place of its first vertex.
    sizes: Array
    vertex: Array
    #: Where the codes of pairs (see `problem`) of each block begin in ``types``.
    codes: Array
    types: Array


class Groups(NamedTuple):
    """Tuples with equal names: tuple t is in group ``group[t]``, or alone (-1)."""

    group: Array
    #: One tuple of each group.
    head: Array


class Shared(NamedTuple):
    """The names that several tuples have, sorted, and two ways to look one up."""

    names: Array
    #: The place of the first name that begins with certain bits, or comes later.
    starts: Array
    shift: Any
    #: A bit for each longer beginning: most names that are not here are found out by it.
    bits: Array
    bit_shift: Any


@Kernel
def collect_shared(ordered: Array) -> Any:
    """Move each name that occurs again in a sorted array to its front, once; return how many.

    Nothing is decided by a jump, which could not be foreseen.
    """
    count = 0
    last = ZERO
    is_again = False
    for t in range(len(ordered)):
        name = ordered[t]
        again = t > 0 and name == last
        ordered[count] = name if again else ordered[count]
        count += again and not is_again
        is_again = again
        last = name
    return count


@Kernel
def mark_bits(names: Array, shift: Any, bits: Array) -> None:
    """Set the bits of the beginnings of names."""
    for k in range(len(names)):
        x = names[k] >> shift
        bits[np.int64(x >> _SIX)] |= _ONE << (x & _LOW_SIX)


@Kernel
def find_groups(low: int, high: int, names: Array, shared: Shared, groups: Groups) -> None:
    """Find the groups of the tuples ``low:high``: their names' places among the shared ones.

    Any tuple may become the head of its group, so ranges may be worked on side by side. Names are
    looked up some hundreds at a time, step by step: loads that do nothing else overlap.
    """
    group, head = groups.group, groups.head
    likely = np.zeros(_BATCH, dtype=np.int64)
    place = np.zeros(_BATCH, dtype=np.int64)
    while low < high:
        stop = min(low + _BATCH, high)
        count: Any = 0
        for t in range(low, stop):
            x = names[t] >> shared.bit_shift
            group[t] = -1
            likely[count] = t
            count += np.int64((shared.bits[np.int64(x >> _SIX)] >> (x & _LOW_SIX)) & _ONE)
        for k in range(count):
            place[k] = shared.starts[np.int64(names[likely[k]] >> shared.shift)]
        for k in range(count):
            t = likely[k]
            p = place[k]
            while p < len(shared.names) and shared.names[p] < names[t]:
                p += 1
            if p < len(shared.names) and shared.names[p] == names[t]:
                group[t] = p
                head[p] = t
        low = stop


@Kernel
def read_tuple(t: Any, layout: Layout, digits: Array) -> Any:
    """Write down the vertices of a tuple, counted within its block, and return the block."""
    block = 0
    while t >= layout.first[block + 1]:
        block += 1
    n = layout.sizes[block]
    rest = t - layout.first[block]
    for j in range(layout.arity - 1, -1, -1):
        digits[j] = rest % n
        rest //= n
    return block


@Kernel
def type_of_pair(t: Any, layout: Layout) -> Any:
    """The code of a pair of vertices, or of a vertex: codes lie in the order of the tuples."""
    block = 0
    while t >= layout.first[block + 1]:
        block += 1
    return layout.types[layout.codes[block] + t - layout.first[block]]


@Kernel
def same_type(layout: Layout, b: Any, mine: Array, c: Any, theirs: Array) -> Any:
    """Whether two tuples of the blocks b and c have the same atomic type."""
    for p in range(layout.arity):
        for q in range(p + 1, layout.arity):
            one = layout.types[layout.codes[b] + mine[p] * layout.sizes[b] + mine[q]]
            two = layout.types[layout.codes[c] + theirs[p] * layout.sizes[c] + theirs[q]]
            if one != two:
                return False
    return True


@Kernel
def differ_in_type(low: int, high: int, groups: Groups, layout: Layout) -> Any:
    """A tuple of ``low:high`` whose type is not that of its group's head, or -1."""
    mine = np.zeros(layout.arity, dtype=np.int64)
    theirs = np.zeros(layout.arity, dtype=np.int64)
    for t in range(low, high):
        if groups.group[t] < 0 or groups.head[groups.group[t]] == t:
            continue
        head = groups.head[groups.group[t]]
        if layout.arity < 3:
            if type_of_pair(t, layout) != type_of_pair(head, layout):
                return t
            continue
        b = read_tuple(t, layout, mine)
        c = read_tuple(head, layout, theirs)
        if not same_type(layout, b, mine, c, theirs):
            return t
    return -1


@Kernel
def differ_themselves(low: int, high: int, groups: Groups, _layout: Layout, names: Array) -> Any:
    """A tuple of ``low:high`` that has another of these names than its group's head, or -1."""
    for t in range(low, high):
        if groups.group[t] >= 0 and names[t] != names[groups.head[groups.group[t]]]:
            return t
    return -1


@Kernel
def differ_locally(
    low: int,
    high: int,
    groups: Groups,
    layout: Layout,
    names: Array,
    arcs: ArcArrays,
    kinds: Array,
    twins: Array,
    most: int,
) -> Any:
    """A tuple of ``low:high`` that sees other names at its neighbours than its head, or -1.

    Vertices of one kind have the same relations, in the same order, on their arcs; twins have the
    same neighbours too, so that putting one in the place of the other changes nothing there.
    """
    offsets, neighbour, relation = arcs.offsets, arcs.neighbour, arcs.relation
    mine = np.zeros(layout.arity, dtype=np.int64)
    theirs = np.zeros(layout.arity, dtype=np.int64)
    seen = np.zeros((2, most), dtype=np.uint64)
    for t in range(low, high):
        if groups.group[t] < 0 or groups.head[groups.group[t]] == t:
            continue
        head = groups.head[groups.group[t]]
        b = read_tuple(t, layout, mine)
        c = read_tuple(head, layout, theirs)
        stride = 1
        head_stride = 1
        for j in range(layout.arity - 1, -1, -1):
            v = layout.vertex[b] + mine[j]
            w = layout.vertex[c] + theirs[j]
            if kinds[v] != kinds[w]:
                return t
            if twins[v] == twins[w] and t - mine[j] * stride == head - theirs[j] * stride:
                stride *= layout.sizes[b]
                head_stride *= layout.sizes[c]
                continue
            begin, other = offsets[v], offsets[w]
            length = offsets[v + 1] - begin
            same = True
            for k in range(length):
                seen[0, k] = names[t + (neighbour[begin + k] - v) * stride]
                seen[1, k] = names[head + (neighbour[other + k] - w) * head_stride]
                same &= seen[0, k] == seen[1, k]
            # Arcs are listed by relation, so names need to be put in order within each.
            k = 0
            while k < length and not same:
                end = k + 1
                while end < length and relation[begin + end] == relation[begin + k]:
                    end += 1
                if end > k + 1:
                    shell_sort(seen[0], k, end)
                    shell_sort(seen[1], k, end)
                for place in range(k, end):
                    if seen[0, place] != seen[1, place]:
                        return t
                k = end
            stride *= layout.sizes[b]
            head_stride *= layout.sizes[c]
    return -1


@Kernel
def differ_in_lines(
    low: int, high: int, groups: Groups, layout: Layout, lines: Array, base: Array
) -> Any:
    """A tuple of ``low:high`` one of whose lines has another number than its head's, or -1.

    ``lines[j, base[b]:]`` are the numbers of the lines of block b along position j.
    """
    for t in range(low, high):
        if groups.group[t] < 0 or groups.head[groups.group[t]] == t:
            continue
        for j in range(layout.arity):
            if line_of(t, j, layout, lines, base) != line_of(
                groups.head[groups.group[t]], j, layout, lines, base
            ):
                return t
    return -1


@Kernel
def line_of(t: Any, j: Any, layout: Layout, lines: Array, base: Array) -> Any:
    """The number of the line along position j on which a tuple lies."""
    block = 0
    while t >= layout.first[block + 1]:
        block += 1
    n = layout.sizes[block]
    stride = 1
    for _ in range(layout.arity - 1 - j):
        stride *= n
    place = t - layout.first[block]
    return lines[j, base[block] + (place // (stride * n)) * stride + place % stride]


@Kernel
def list_vectors(t: Any, layout: Layout, names: Array, digits: Array, vectors: Array) -> Any:
    """Write down, sorted, the names with each vertex in each position; return how many vectors."""
    n = layout.sizes[read_tuple(t, layout, digits)]
    stride = 1
    for j in range(layout.arity - 1, -1, -1):
        for x in range(n):
            vectors[x, j] = names[t + (x - digits[j]) * stride]
        stride *= n
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    held = np.zeros(layout.arity, dtype=np.uint64)
    while gap > 0:
        for x in range(gap, n):
            for j in range(layout.arity):
                held[j] = vectors[x, j]
            place = x
            while place >= gap and is_before(held, vectors[place - gap]):
                for j in range(layout.arity):
                    vectors[place, j] = vectors[place - gap, j]
                place -= gap
            for j in range(layout.arity):
                vectors[place, j] = held[j]
        gap //= 3
    return n


@Kernel
def is_before(one: Array, two: Array) -> Any:
    """Whether a vector comes before another in lexicographic order."""
    for j in range(len(one)):
        if one[j] != two[j]:
            return one[j] < two[j]
    return False


@Kernel
def differ_in_vectors(
    low: int, high: int, groups: Groups, layout: Layout, names: Array, most: int
) -> Any:
    """A tuple of ``low:high`` that sees other vectors of names than its head, or -1."""
    digits = np.zeros(layout.arity, dtype=np.int64)
    mine = np.zeros((most, layout.arity), dtype=np.uint64)
    theirs = np.zeros((most, layout.arity), dtype=np.uint64)
    for t in range(low, high):
        if groups.group[t] < 0 or groups.head[groups.group[t]] == t:
            continue
        count = list_vectors(t, layout, names, digits, mine)
        if list_vectors(groups.head[groups.group[t]], layout, names, digits, theirs) != count:
            return t
        for x in range(count):
            for j in range(layout.arity):
                if mine[x, j] != theirs[x, j]:
                    return t
    return -1
