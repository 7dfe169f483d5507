"""Compiled inner loops of `code_check`: multisets of codes compared by counting.

A multiset is given by its places: it holds the n vectors whose component j is the code at
``bases[j] + x * strides[j]``, for x = 0 .. n - 1. The vectors of the head of a group are entered
into a hash table once. Then every other member of the group looks its vectors up and counts them.
Vectors are compared in full, so the table only saves time: nothing rests on hashing. Both multisets
have n vectors, so they are equal exactly if no vector occurs too often.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.mixing import GOLDEN, ZERO
from wlkg.refinement.tuples.code_check_kernels import Groups, Layout, read_tuple

_HALF = np.uint64(32)
#: Slots of the table per vector, a power of two.
_SLOTS_PER_VECTOR = 8


class Places(NamedTuple):
    """Where the codes of a multiset are."""

    bases: Array
    strides: Array


class Tally(NamedTuple):
    """A hash table of the vectors of the head, and how often its group has had them so far."""

    #: The vector in each slot.
    vectors: Array
    #: How often the head has the vector; 0 in free slots.
    wanted: Array
    #: How often all other members so far have had it.
    counted: Array
    #: The vectors of the multiset that is being entered or compared, and a key for each: it says
    #: where in the table a vector is looked for first.
    seen: Array
    keys: Array


@Kernel
def new_tally(largest: int, length: int) -> Tally:
    """An empty table for at most ``largest`` vectors of this length."""
    slots = _SLOTS_PER_VECTOR
    while slots < _SLOTS_PER_VECTOR * largest:
        slots *= 2
    return Tally(
        np.zeros((slots, length), dtype=np.uint64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros((largest, length), dtype=np.uint64),
        np.zeros(largest, dtype=np.uint64),
    )


@Kernel
def gather(n: Any, places: Places, codes: Array, tally: Tally) -> None:
    """Copy the vectors of a multiset side by side, and compute a key for each."""
    seen, keys = tally.seen, tally.keys
    for x in range(n):
        keys[x] = ZERO
    for j in range(len(places.bases)):
        base, stride = places.bases[j], places.strides[j]
        for x in range(n):
            seen[x, j] = codes[base + x * stride]
            keys[x] = (keys[x] + seen[x, j]) * GOLDEN


@Kernel
def count_vectors(n: Any, turn: Any, tally: Tally) -> Any:
    """Enter the vectors of a head (``turn`` is 0), or compare those of another member with them.

    Returns whether no vector of the member number ``turn`` after the head occurs too often, given
    that this held for those before it: counts go on from member to member, so they need not be
    cleared. A vector that the head does not have is wanted 0 times.

    All in one loop over local arrays: numba counts references to the arrays in a tuple whenever it
    passes the tuple on, which would cost more than the loop itself.
    """
    vectors, wanted, counted, seen, keys = tally
    last = len(wanted) - 1
    if turn == 0:
        for place in range(len(wanted)):
            wanted[place] = 0
            counted[place] = 0
    length = seen.shape[1]
    for x in range(n):
        slot = np.int64(keys[x] >> _HALF) & last
        while wanted[slot] > 0:
            same = True
            for j in range(length):
                same &= vectors[slot, j] == seen[x, j]
            if same:
                break
            slot = (slot + 1) & last
        if turn > 0:
            counted[slot] += 1
            if counted[slot] > turn * wanted[slot]:
                return False
        else:
            wanted[slot] += 1
            for j in range(length):
                vectors[slot, j] = seen[x, j]
    return True


@Kernel
def list_members(groups: Groups, next_place: Array, members: Array) -> None:
    """List the tuples that are not alone, group by group; ``next_place`` has where they begin."""
    for t in range(len(groups.group)):
        g = groups.group[t]
        if g >= 0:
            members[next_place[g]] = t
            next_place[g] += 1


@Kernel
def place_vectors(t: Any, layout: Layout, digits: Array, places: Places) -> Any:
    """Where the vectors of codes that tuple t sees are, and how many there are.

    For each vertex x there is one: the codes of the tuples with x in each position.
    """
    n = layout.sizes[read_tuple(t, layout, digits)]
    stride = 1
    for j in range(layout.arity - 1, -1, -1):
        places.bases[j] = t - digits[j] * stride
        places.strides[j] = stride
        stride *= n
    return n


@Kernel
def place_line(line: Any, layout: Layout, base: Array, places: Places) -> Any:
    """Where the codes of a line are, and how many there are.

    ``base`` has the first line of each block along position 0, and the number of lines along any
    one position. Lines along position 1 follow, and so on.
    """
    j = line // base[-1]
    line %= base[-1]
    block = 0
    while line >= base[block + 1]:
        block += 1
    n = layout.sizes[block]
    stride = 1
    for _ in range(layout.arity - 1 - j):
        stride *= n
    within = line - base[block]
    start = (within // stride) * stride * n + within % stride
    places.bases[0] = layout.first_tuple[block] + start
    places.strides[0] = stride
    return n


@Kernel
def differ_from_head(
    low: int,
    high: int,
    groups: Groups,
    layout: Layout,
    members: Array,
    codes: Array,
    largest: int,
    base: Array,
) -> Any:
    """An item of ``members[low:high]`` with another multiset than the head of its group, or -1.

    Members of a group are side by side. They are lines if ``base`` says where the lines of each
    block begin, and tuples if it is empty.
    """
    are_lines = len(base) > 0
    length = 1 if are_lines else layout.arity
    places = Places(np.zeros(length, dtype=np.int64), np.zeros(length, dtype=np.int64))
    digits = np.zeros(layout.arity, dtype=np.int64)
    tally = new_tally(largest, length)
    entered = -1  # the group whose head is in the table
    turn = count = 0
    for p in range(low, high):
        item = members[p]
        head = groups.head[groups.group[item]]
        if item == head:
            continue
        is_fresh = entered != groups.group[item]
        entered = groups.group[item]
        for step in range(0 if is_fresh else 1, 2):
            which = head if step == 0 else item
            if are_lines:
                n = place_line(which, layout, base, places)
            else:
                n = place_vectors(which, layout, digits, places)
            if step == 0:
                turn, count = 0, n
            elif n == count:
                turn += 1
            else:
                return item
            gather(n, places, codes, tally)
            if not count_vectors(n, turn, tally):
                return item
    return -1
