"""The compiled inner loops of colour refinement: signatures are summed, and classes split by them.

A signature is the sum over arcs (i, u) of ``mixed(class of u, salt of i)``, modulo 2^64, in two
lanes with different salts. Sums can be updated; different sums mean different multisets. If arcs
have weights (see `shares`), each summand is multiplied by the weight of its arc.
Everything here is plain Python on NumPy arrays (see `wlkg.refinement.compiled.kernel`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.mixing import GOLDEN, ONE, SHIFT_3, ZERO, mixed, mixed_again


class Sums(NamedTuple):
    """The signatures of the vertices, or by how much they changed, and the salts behind them."""

    #: Two sums per vertex, side by side because they are always used together.
    lanes: Array
    #: Two random numbers per relation, one for each lane.
    salts: Array
    #: The bits of a summand that are kept: all of them, except where tests provoke collisions.
    mask: Any


class Classes(NamedTuple):
    """The partition and its split tree: class c is ``vertices[start[c]:end[c]]``."""

    class_of: Array
    #: All vertices, listed class by class, and the place of each vertex in that list.
    vertices: Array
    place: Array
    start: Array
    end: Array
    #: See `wlkg.partition.History`.
    parent: Array
    birth: Array
    #: Three numbers that change as the run goes on; the constants below are their indices.
    counts: Array


#: Indices into ``counts``: the number of classes, the round, and the first class born in it.
CLASSES = 0
ROUND = 1
FRESH = 2


class Scratch(NamedTuple):
    """Working memory: a hash table, groups of equal signatures, and what a round has touched."""

    table: Array
    group_of: Array
    group_size: Array
    group_head: Array
    members: Array
    touched: Array
    is_touched: Array
    touched_in: Array
    touched_classes: Array


#: The colours at the ends of at most this many arcs are fetched together.
_ARCS_TOGETHER = 2048


@Kernel
def add_degrees(low: int, high: int, arcs: ArcArrays, sums: Sums) -> None:
    """Add the degrees in each relation to the signatures of the vertices ``low:high``."""
    for v in range(low, high):
        for arc in range(arcs.offsets[v], arcs.offsets[v + 1]):
            i = arcs.relation[arc]
            value = mixed(i, sums.salts[1, i])
            sums.lanes[v, 0] += value & sums.mask
            sums.lanes[v, 1] += mixed_again(value, sums.salts[0, i]) & sums.mask


@Kernel
def block_end(low: Any, high: Any, arcs: ArcArrays) -> Any:
    """The end of a block of vertices that begins at ``low`` and has at most `_ARCS_TOGETHER` arcs.

    A block has at least one vertex, even if that has more arcs.
    """
    stop = low + 1
    while stop < high and arcs.offsets[stop + 1] - arcs.offsets[low] <= _ARCS_TOGETHER:
        stop += 1
    return stop


@Kernel
def pull(low: int, high: int, arcs: ArcArrays, sums: Sums, classes: Classes) -> None:
    """Sum the signatures of the vertices ``low:high`` that share their class with others.

    The colours of the neighbours are fetched first, for a block of vertices at a time: the
    processor overlaps loads in a loop that does nothing else, which halves the time on large
    graphs.
    """
    salts, mask, class_of = sums.salts, sums.mask, classes.class_of
    offsets, lanes = arcs.offsets, sums.lanes
    is_weighted = len(arcs.weight) > 0
    is_single = classes.counts[CLASSES] == 1  # all neighbours have colour 0, no need to fetch
    colours = np.zeros(_ARCS_TOGETHER, dtype=np.int32)
    while low < high:
        stop = block_end(low, high, arcs)
        begin = offsets[low]
        fits = offsets[stop] - begin <= _ARCS_TOGETHER
        if fits and not is_single:
            for v in range(low, stop):
                c = class_of[v]
                if classes.end[c] - classes.start[c] > 1:
                    for arc in range(offsets[v], offsets[v + 1]):
                        colours[arc - begin] = class_of[arcs.neighbour[arc]]
        for v in range(low, stop):
            c = class_of[v]
            if classes.end[c] - classes.start[c] < 2:
                continue
            one = lanes[v, 0]
            two = lanes[v, 1]
            for arc in range(offsets[v], offsets[v + 1]):
                colour = colours[arc - begin] if fits else class_of[arcs.neighbour[arc]]
                i = arcs.relation[arc]
                weight = arcs.weight[arc] if is_weighted else ONE
                value = mixed(colour, salts[0, i])
                one += (value & mask) * weight
                two += (mixed_again(value, salts[1, i]) & mask) * weight
            lanes[v, 0] = one
            lanes[v, 1] = two
        low = stop


@Kernel
def group_members(begin: int, finish: int, sums: Sums, classes: Classes, scratch: Scratch) -> Any:
    """Group the vertices of ``vertices[begin:finish]`` by signature, side by side.

    Returns the number of groups; ``group_size`` has their sizes. The hash table holds group
    numbers, and entries are compared by their full signatures.
    """
    lanes, vertices = sums.lanes, classes.vertices
    one, two = lanes[vertices[begin], 0], lanes[vertices[begin], 1]
    scratch.group_size[0] = finish - begin
    p = begin + 1
    while p < finish and lanes[vertices[p], 0] == one and lanes[vertices[p], 1] == two:
        p += 1
    if p == finish:
        return 1
    size = 4
    while size < 2 * (finish - begin):
        size *= 2
    for slot in range(size):
        scratch.table[slot] = -1
    groups: Any = 0
    for p in range(begin, finish):
        v = vertices[p]
        x = lanes[v, 0] ^ (lanes[v, 1] * GOLDEN)
        place: Any = np.int64((x ^ (x >> SHIFT_3)) & np.uint64(size - 1))
        while True:
            g = scratch.table[place]
            if g < 0:
                g = groups
                groups += 1
                scratch.table[place] = g
                scratch.group_head[g] = v
                scratch.group_size[g] = 0
                break
            other = scratch.group_head[g]
            if lanes[other, 0] == lanes[v, 0] and lanes[other, 1] == lanes[v, 1]:
                break
            place = (place + 1) & (size - 1)
        scratch.group_of[p - begin] = g
        scratch.group_size[g] += 1
    position = 0
    for g in range(groups):
        scratch.group_head[g] = position
        position += scratch.group_size[g]
    for p in range(finish - begin):
        g = scratch.group_of[p]
        scratch.members[scratch.group_head[g]] = vertices[begin + p]
        scratch.group_head[g] += 1
    for p in range(finish - begin):
        v = scratch.members[p]
        vertices[begin + p] = v
        classes.place[v] = begin + p
    return groups


@Kernel
def split_class(c: Any, touched: Any, sums: Sums, classes: Classes, scratch: Scratch) -> None:
    """Split class c by the signatures of its last ``touched`` members; those before have none.

    The largest part keeps the number of the class, the others become classes of their own.
    """
    begin = classes.end[c] - touched
    untouched = begin - classes.start[c]
    groups = group_members(begin, classes.end[c], sums, classes, scratch)
    if groups == 1 and untouched == 0:
        return
    largest = -1  # the untouched part
    most = untouched
    for g in range(groups):
        if scratch.group_size[g] > most:
            most = scratch.group_size[g]
            largest = g
    low = classes.start[c]
    for g in range(-1, groups):
        high = begin if g < 0 else low + scratch.group_size[g]
        if g == largest:
            classes.start[c] = low
            classes.end[c] = high
        elif low < high:
            fresh = classes.counts[CLASSES]
            classes.counts[CLASSES] += 1
            classes.start[fresh] = low
            classes.end[fresh] = high
            classes.parent[fresh] = c
            classes.birth[fresh] = classes.counts[ROUND]
            for p in range(low, high):
                classes.class_of[classes.vertices[p]] = fresh
        low = high


@Kernel
def split_all(sums: Sums, classes: Classes, scratch: Scratch) -> None:
    """Split every class by the signatures of all its members."""
    counts = classes.counts
    counts[FRESH] = counts[CLASSES]
    for c in range(counts[FRESH]):
        size = classes.end[c] - classes.start[c]
        if size > 1:
            split_class(c, size, sums, classes, scratch)


@Kernel
def push_changes(arcs: ArcArrays, sums: Sums, classes: Classes, scratch: Scratch) -> Any:
    """Add the changes of the classes born last to the signatures of the vertices that see them.

    Returns the number of vertices touched. ``arcs`` are the reversed arcs: those of u lead to the
    vertices that have u as a neighbour. Their relations may be numbered differently, since changes
    are only ever compared with changes.
    """
    lanes, salts, mask = sums
    is_weighted = len(arcs.weight) > 0
    num_touched = 0
    for c in range(classes.counts[FRESH], classes.counts[CLASSES]):
        old = classes.parent[c]
        for p in range(classes.start[c], classes.end[c]):
            u = classes.vertices[p]
            for arc in range(arcs.offsets[u], arcs.offsets[u + 1]):
                v = arcs.neighbour[arc]
                d = classes.class_of[v]
                if classes.end[d] - classes.start[d] < 2:
                    continue
                i = arcs.relation[arc]
                weight = arcs.weight[arc] if is_weighted else ONE
                value, before = mixed(c, salts[0, i]), mixed(old, salts[0, i])
                lanes[v, 0] += ((value & mask) - (before & mask)) * weight
                value, before = mixed_again(value, salts[1, i]), mixed_again(before, salts[1, i])
                lanes[v, 1] += ((value & mask) - (before & mask)) * weight
                if not scratch.is_touched[v]:
                    scratch.is_touched[v] = True
                    scratch.touched[num_touched] = v
                    num_touched += 1
    return num_touched


@Kernel
def split_touched(num_touched: Any, sums: Sums, classes: Classes, scratch: Scratch) -> None:
    """Split the classes of the touched vertices, and reset what the round has touched."""
    vertices, place = classes.vertices, classes.place
    num_classes = 0
    for k in range(num_touched):
        v = scratch.touched[k]
        scratch.is_touched[v] = False
        if sums.lanes[v, 0] == ZERO and sums.lanes[v, 1] == ZERO:
            continue  # its changes cancel out
        d = classes.class_of[v]
        if scratch.touched_in[d] == 0:
            scratch.touched_classes[num_classes] = d
            num_classes += 1
        scratch.touched_in[d] += 1
        last = classes.end[d] - scratch.touched_in[d]
        w = vertices[last]
        vertices[place[v]] = w
        place[w] = place[v]
        vertices[last] = v
        place[v] = last
    classes.counts[FRESH] = classes.counts[CLASSES]
    for k in range(num_classes):
        d = scratch.touched_classes[k]
        split_class(d, scratch.touched_in[d], sums, classes, scratch)
        scratch.touched_in[d] = 0
    for k in range(num_touched):
        sums.lanes[scratch.touched[k], 0] = ZERO
        sums.lanes[scratch.touched[k], 1] = ZERO


@Kernel
def push_rounds(
    last_round: int,
    most_arcs: int,
    most_arcs_per_round: int,
    arcs: ArcArrays,
    sums: Sums,
    classes: Classes,
    scratch: Scratch,
) -> Any:
    """Run rounds by pushing; True if nothing changes any more.

    False if the next round is too large for pushing, the last round is reached, or this call has
    pushed ``most_arcs`` arcs.
    """
    counts = classes.counts
    spent = 0
    while counts[FRESH] < counts[CLASSES]:
        waiting = 0
        for c in range(counts[FRESH], counts[CLASSES]):
            for p in range(classes.start[c], classes.end[c]):
                u = classes.vertices[p]
                waiting += arcs.offsets[u + 1] - arcs.offsets[u]
        spent += waiting + counts[CLASSES] - counts[FRESH]
        if counts[ROUND] >= last_round or waiting > most_arcs_per_round or spent > most_arcs:
            return False
        counts[ROUND] += 1
        split_touched(push_changes(arcs, sums, classes, scratch), sums, classes, scratch)
    return True
