"""The compiled inner loops of colour refinement: classes are split by the signatures of members.

`run_rounds` is the only kernel that is called from outside: compiling it compiles each of the
others once. Everything here is plain Python on NumPy arrays (see
`wlkg.compiled.kernel`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import ZERO
from wlkg.refinement.vertices.run_state import (
    CLASSES,
    END,
    FRESH,
    LIMIT,
    MARK,
    ROUND,
    START,
    TOUCHED,
    UNMARKED,
    Classes,
    Scratch,
    Sums,
)
from wlkg.refinement.vertices.sum_kernels import push_changes

#: How a call of `run_rounds` ends: nothing changes any more; the next round is too large for
#: pushing; or there is more to do, but not in this call.
STABLE = 0
TOO_LARGE = 1
PAUSED = 2


@Kernel
def gather_touched(
    num_touched: Any,
    change: Array,
    signature: Array,
    class_of: Array,
    vertices: Array,
    place: Array,
    segments: Array,
    touched: Array,
    touched_classes: Array,
) -> Any:
    """Move the touched members of each class to its end, and their changes to the same places.

    Returns the number of such classes.
    """
    num_classes = 0
    for k in range(num_touched):
        v = touched[k]
        here = place[v] & UNMARKED
        total = change[v]
        change[v] = ZERO
        if total == ZERO:
            place[v] = here
            continue  # its changes cancel out
        d = class_of[v]
        if segments[d, TOUCHED] == 0:
            touched_classes[num_classes] = d
            num_classes += 1
        segments[d, TOUCHED] += 1
        last = segments[d, END] - segments[d, TOUCHED]
        w = vertices[last]
        vertices[here] = w
        vertices[last] = v
        place[w] = here | (place[w] & MARK)  # w may wait for its turn
        place[v] = last
        signature[last] = total
    return num_classes


@Kernel
def touch_all(num_classes: Any, segments: Array, touched_classes: Array) -> Any:
    """Treat all members of shared classes as touched; return the number of such classes."""
    num_shared = 0
    for c in range(num_classes):
        size = segments[c, END] - segments[c, START]
        if size > 1:
            segments[c, TOUCHED] = size
            touched_classes[num_shared] = c
            num_shared += 1
    return num_shared


@Kernel
def group_members(
    begin: Any,
    finish: Any,
    signature: Array,
    vertices: Array,
    place: Array,
    table: Array,
    group_of: Array,
    group_size: Array,
    group_place: Array,
    members: Array,
) -> Any:
    """Group the vertices of ``vertices[begin:finish]`` by signature, side by side.

    Returns the number of groups; ``group_size`` has their sizes. The hash table holds group
    numbers, and entries are compared by their full signatures.
    """
    size = finish - begin
    group_size[0] = size
    first = signature[begin]
    p = begin + 1
    while p < finish and signature[p] == first:
        p += 1
    if p == finish:
        return 1
    if size == 2:
        group_size[0] = 1
        group_size[1] = 1
        return 2
    last_slot = 3
    while last_slot + 1 < 2 * size:
        last_slot = 2 * last_slot + 1
    for slot in range(last_slot + 1):
        table[slot] = -1
    groups: Any = 0
    for p in range(begin, finish):
        slot: Any = np.int64(signature[p] & np.uint64(last_slot))
        g = table[slot]
        while g >= 0 and signature[group_place[g]] != signature[p]:
            slot = (slot + 1) & last_slot
            g = table[slot]
        if g < 0:
            g = groups
            groups += 1
            table[slot] = g
            group_place[g] = p
            group_size[g] = 0
        group_of[p - begin] = g
        group_size[g] += 1
    position = begin
    for g in range(groups):
        group_place[g] = position
        position += group_size[g]
    for k in range(size):
        members[k] = vertices[begin + k]
    for k in range(size):
        g = group_of[k]
        v = members[k]
        vertices[group_place[g]] = v
        place[v] = group_place[g]
        group_place[g] += 1
    return groups


@Kernel
def name_parts(
    c: Any,
    groups: Any,
    counts: Array,
    class_of: Array,
    vertices: Array,
    place: Array,
    segments: Array,
    parent: Array,
    birth: Array,
    group_size: Array,
) -> None:
    """Make classes of the parts of class c: its untouched members, and groups of touched ones.

    The largest part keeps the number of the class, the others become classes of their own.
    """
    begin = segments[c, END] - segments[c, TOUCHED]
    segments[c, TOUCHED] = 0
    untouched = begin - segments[c, START]
    if groups == 1 and untouched == 0:
        return
    largest = -1  # the untouched part
    most = untouched
    for g in range(groups):
        if group_size[g] > most:
            most = group_size[g]
            largest = g
    low = segments[c, START]
    for g in range(-1, groups):
        high = begin if g < 0 else low + group_size[g]
        if g == largest:
            segments[c, START] = low
            segments[c, END] = high
        elif low < high:
            fresh = counts[CLASSES]
            counts[CLASSES] += 1
            segments[fresh, START] = low
            segments[fresh, END] = high
            parent[fresh] = c
            birth[fresh] = counts[ROUND]
            for p in range(low, high):
                class_of[vertices[p]] = fresh
        if high - low == 1:
            place[vertices[low]] |= MARK
        low = high


@Kernel
def push_limit(share: Any, offsets: Array, place: Array) -> Any:
    """Most arcs a push round may touch: a share of the arcs of vertices in shared classes."""
    arcs = 0
    for v in range(len(place)):
        if place[v] >= 0:
            arcs += offsets[v + 1] - offsets[v]
    return np.int64(arcs * share) + 64


@Kernel
def run_rounds(
    split_all: bool,
    last_round: int,
    most_arcs: int,
    share: float,
    arcs: ArcArrays,
    sums: Sums,
    classes: Classes,
    scratch: Scratch,
) -> Any:
    """Run rounds by pushing; return why they ended.

    A round that would push more than a ``share`` of all arcs that count is too large; a call pauses
    after ``most_arcs`` arcs or at the last round. If ``split_all``, all signatures have been summed
    for the present round, so every class is split by them first.

    The arrays are taken out of their structures once, here: taking them out in an inner loop, or
    passing structures on, would take longer than the work on a class of two vertices.
    """
    offsets, neighbour, relation, weights = arcs
    change, signature, salts, mask = sums
    class_of, vertices, place, segments, parent, birth, counts = classes
    table, group_of, group_size, group_place, members, touched, touched_classes = scratch
    spent = 0
    while split_all or counts[FRESH] < counts[CLASSES]:
        if split_all:
            num_classes = touch_all(counts[CLASSES], segments, touched_classes)
        else:
            waiting = 0
            for c in range(counts[FRESH], counts[CLASSES]):
                for p in range(segments[c, START], segments[c, END]):
                    waiting += offsets[vertices[p] + 1] - offsets[vertices[p]]
            spent += waiting + counts[CLASSES] - counts[FRESH]
            if waiting > counts[LIMIT]:
                return TOO_LARGE
            if counts[ROUND] >= last_round or spent > most_arcs:
                return PAUSED
            counts[ROUND] += 1
            num_touched = push_changes(
                counts[FRESH],
                counts[CLASSES],
                offsets,
                neighbour,
                relation,
                weights,
                change,
                salts,
                mask,
                vertices,
                place,
                segments,
                parent,
                touched,
            )
            num_classes = gather_touched(
                num_touched,
                change,
                signature,
                class_of,
                vertices,
                place,
                segments,
                touched,
                touched_classes,
            )
        counts[FRESH] = counts[CLASSES]
        for k in range(num_classes):
            d = touched_classes[k]
            groups = group_members(
                segments[d, END] - segments[d, TOUCHED],
                segments[d, END],
                signature,
                vertices,
                place,
                table,
                group_of,
                group_size,
                group_place,
                members,
            )
            name_parts(
                d,
                groups,
                counts,
                class_of,
                vertices,
                place,
                segments,
                parent,
                birth,
                group_size,
            )
        if split_all:
            split_all = False
            counts[LIMIT] = push_limit(share, offsets, place)
    return STABLE
