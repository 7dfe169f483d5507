"""The compiled inner loops of `code_check`: what tuples see, compared without hashing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import ONE, ZERO
from wlkg.refinement.compiled.shell_sort import shell_sort

_SIX = np.uint64(6)
_LOW_SIX = np.uint64(63)

#: Codes that are looked up together.
_BATCH = 512


class Layout(NamedTuple):
    """Where blocks begin: block b has the tuples ``first_tuple[b]:first_tuple[b + 1]``."""

    arity: int
    first_tuple: Array
    #: The number of vertices of each block, and its first vertex.
    sizes: Array
    first_vertex: Array
    #: The pair types of all blocks (see `tuple_problem`), and where those of each block begin.
    types: Array
    first_type: Array


class Groups(NamedTuple):
    """Groups of tuples with equal codes: tuple t is in group ``group[t]``, or alone (-1)."""

    group: Array
    #: One tuple of each group, with which the others are compared.
    head: Array


class SharedCodes(NamedTuple):
    """The codes that several tuples have, sorted, and two tables for looking up a code."""

    codes: Array
    #: For each prefix of a code, the place of the first shared code with this or a later prefix.
    starts: Array
    shift: Any
    #: A bitmap of longer prefixes, which rejects most codes that are not shared.
    bits: Array
    bit_shift: Any


@Kernel
def collect_shared(sorted_codes: Array) -> Any:
    """Move each code that occurs more than once to the front, once; return the number of them.

    Branch-free: the branch would be mispredicted.
    """
    count = 0
    last = ZERO
    was_repeated = False
    for t in range(len(sorted_codes)):
        code = sorted_codes[t]
        is_repeated = t > 0 and code == last
        sorted_codes[count] = code if is_repeated else sorted_codes[count]
        count += is_repeated and not was_repeated
        was_repeated = is_repeated
        last = code
    return count


@Kernel
def mark_bits(codes: Array, shift: Any, bits: Array) -> None:
    """Set the bits of the prefixes of codes."""
    for k in range(len(codes)):
        x = codes[k] >> shift
        bits[np.int64(x >> _SIX)] |= ONE << (x & _LOW_SIX)


@Kernel
def find_groups(low: int, high: int, codes: Array, shared: SharedCodes, groups: Groups) -> None:
    """Find the groups of the tuples ``low:high``: the places of their codes among shared codes.

    Any tuple may become the head of its group, so ranges can be processed in parallel. Each step of
    the lookup is done for a whole batch of codes: the processor overlaps loads in a loop that does
    nothing else.
    """
    group, head = groups.group, groups.head
    likely = np.zeros(_BATCH, dtype=np.int64)
    place = np.zeros(_BATCH, dtype=np.int64)
    while low < high:
        stop = min(low + _BATCH, high)
        count: Any = 0
        for t in range(low, stop):
            x = codes[t] >> shared.bit_shift
            group[t] = -1
            likely[count] = t
            count += np.int64((shared.bits[np.int64(x >> _SIX)] >> (x & _LOW_SIX)) & ONE)
        for k in range(count):
            place[k] = shared.starts[np.int64(codes[likely[k]] >> shared.shift)]
        for k in range(count):
            t = likely[k]
            p = place[k]
            while p < len(shared.codes) and shared.codes[p] < codes[t]:
                p += 1
            if p < len(shared.codes) and shared.codes[p] == codes[t]:
                group[t] = p
                head[p] = t
        low = stop


@Kernel
def read_tuple(t: Any, layout: Layout, digits: Array) -> Any:
    """Write the vertices of a tuple, numbered within its block, to ``digits``; return the block."""
    block = 0
    while t >= layout.first_tuple[block + 1]:
        block += 1
    n = layout.sizes[block]
    rest = t - layout.first_tuple[block]
    for j in range(layout.arity - 1, -1, -1):
        digits[j] = rest % n
        rest //= n
    return block


@Kernel
def type_of_pair(t: Any, layout: Layout) -> Any:
    """The type of tuple t, for K = 2 or 1: pair types are in the order of the tuples."""
    block = 0
    while t >= layout.first_tuple[block + 1]:
        block += 1
    return layout.types[layout.first_type[block] + t - layout.first_tuple[block]]


@Kernel
def same_type(layout: Layout, b: Any, mine: Array, c: Any, theirs: Array) -> Any:
    """Whether two tuples of the blocks b and c have the same atomic type."""
    for p in range(layout.arity):
        for q in range(p + 1, layout.arity):
            one = layout.types[layout.first_type[b] + mine[p] * layout.sizes[b] + mine[q]]
            two = layout.types[layout.first_type[c] + theirs[p] * layout.sizes[c] + theirs[q]]
            if one != two:
                return False
    return True


@Kernel
def differ_in_type(low: int, high: int, groups: Groups, layout: Layout) -> Any:
    """A tuple of ``low:high`` whose atomic type differs from that of its group's head, or -1."""
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
def differ_in_code(low: int, high: int, groups: Groups, _layout: Layout, codes: Array) -> Any:
    """A tuple of ``low:high`` whose code differs from that of its group's head, or -1."""
    for t in range(low, high):
        if groups.group[t] >= 0 and codes[t] != codes[groups.head[groups.group[t]]]:
            return t
    return -1


@Kernel
def differ_locally(
    low: int,
    high: int,
    groups: Groups,
    layout: Layout,
    codes: Array,
    arcs: ArcArrays,
    fixed: int,
    relation_lists: Array,
    arc_lists: Array,
    longest: int,
) -> Any:
    """A tuple of ``low:high`` whose neighbours have other codes than its head's, or -1.

    The first ``fixed`` vertices of a tuple have no neighbours that it sees.
    ``relation_lists`` numbers vertices by the relations of their arcs, ``arc_lists`` by relations
    and neighbours. Two vertices with the same list of arcs see the same in a position if the tuples
    agree in all others.
    """
    offsets, neighbour, relation = arcs.offsets, arcs.neighbour, arcs.relation
    mine = np.zeros(layout.arity, dtype=np.int64)
    theirs = np.zeros(layout.arity, dtype=np.int64)
    seen = np.zeros((2, longest), dtype=np.uint64)
    for t in range(low, high):
        if groups.group[t] < 0 or groups.head[groups.group[t]] == t:
            continue
        head = groups.head[groups.group[t]]
        b = read_tuple(t, layout, mine)
        c = read_tuple(head, layout, theirs)
        stride = 1
        head_stride = 1
        for j in range(layout.arity - 1, fixed - 1, -1):
            v = layout.first_vertex[b] + mine[j]
            w = layout.first_vertex[c] + theirs[j]
            if relation_lists[v] != relation_lists[w]:
                return t
            if arc_lists[v] == arc_lists[w] and t - mine[j] * stride == head - theirs[j] * stride:
                stride *= layout.sizes[b]
                head_stride *= layout.sizes[c]
                continue
            begin, other = offsets[v], offsets[w]
            length = offsets[v + 1] - begin
            same = True
            for k in range(length):
                seen[0, k] = codes[t + (neighbour[begin + k] - v) * stride]
                seen[1, k] = codes[head + (neighbour[other + k] - w) * head_stride]
                same &= seen[0, k] == seen[1, k]
            # Arcs are sorted by relation, so codes only need to be sorted within each relation.
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
    low: int, high: int, groups: Groups, layout: Layout, numbers: Array, base: Array, first: int
) -> Any:
    """A tuple of ``low:high`` with a line whose number differs from that of its head, or -1.

    ``numbers[j, base[b]:]`` are the numbers of the lines of block b along position j. Lines along
    positions before the ``first`` are not looked at.
    """
    for t in range(low, high):
        if groups.group[t] < 0 or groups.head[groups.group[t]] == t:
            continue
        for j in range(first, layout.arity):
            if line_of(t, j, layout, numbers, base) != line_of(
                groups.head[groups.group[t]], j, layout, numbers, base
            ):
                return t
    return -1


@Kernel
def line_of(t: Any, j: Any, layout: Layout, numbers: Array, base: Array) -> Any:
    """The number of the line along position j that contains a tuple."""
    block = 0
    while t >= layout.first_tuple[block + 1]:
        block += 1
    n = layout.sizes[block]
    stride = 1
    for _ in range(layout.arity - 1 - j):
        stride *= n
    place = t - layout.first_tuple[block]
    return numbers[j, base[block] + (place // (stride * n)) * stride + place % stride]
