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
from wlkg.refinement.compiled.mixing import GOLDEN, SHIFT_3, ZERO
from wlkg.refinement.vertices.run_state import (
    CLASSES,
    END,
    FRESH,
    ROUND,
    START,
    TOUCHED,
    Classes,
    Scratch,
    Sums,
)
from wlkg.refinement.vertices.sum_kernels import push_changes


@Kernel
def gather_touched(
    num_touched: Any,
    lanes: Array,
    class_of: Array,
    vertices: Array,
    place: Array,
    segments: Array,
    touched: Array,
    touched_classes: Array,
) -> Any:
    """Move the touched members of each class to its end; return the number of such classes."""
    num_classes = 0
    for k in range(num_touched):
        v = touched[k]
        here = ~place[v]
        place[v] = here
        if lanes[v, 0] == ZERO and lanes[v, 1] == ZERO:
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
        # The place of w is complemented if w waits for its turn, and must stay so.
        place[w] = here if place[w] >= 0 else ~here
        place[v] = last
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
    lanes: Array,
    vertices: Array,
    place: Array,
    table: Array,
    group_of: Array,
    group_size: Array,
    group_head: Array,
    members: Array,
) -> Any:
    """Group the vertices of ``vertices[begin:finish]`` by signature, side by side.

    Returns the number of groups; ``group_size`` has their sizes. The hash table holds group
    numbers, and entries are compared by their full signatures.
    """
    one, two = lanes[vertices[begin], 0], lanes[vertices[begin], 1]
    group_size[0] = finish - begin
    p = begin + 1
    while p < finish and lanes[vertices[p], 0] == one and lanes[vertices[p], 1] == two:
        p += 1
    if p == finish:
        return 1
    size = 4
    while size < 2 * (finish - begin):
        size *= 2
    for entry in range(size):
        table[entry] = -1
    groups: Any = 0
    for p in range(begin, finish):
        v = vertices[p]
        x = lanes[v, 0] ^ (lanes[v, 1] * GOLDEN)
        slot: Any = np.int64((x ^ (x >> SHIFT_3)) & np.uint64(size - 1))
        while True:
            g = table[slot]
            if g < 0:
                g = groups
                groups += 1
                table[slot] = g
                group_head[g] = v
                group_size[g] = 0
                break
            other = group_head[g]
            if lanes[other, 0] == lanes[v, 0] and lanes[other, 1] == lanes[v, 1]:
                break
            slot = (slot + 1) & (size - 1)
        group_of[p - begin] = g
        group_size[g] += 1
    position = 0
    for g in range(groups):
        group_head[g] = position
        position += group_size[g]
    for p in range(finish - begin):
        g = group_of[p]
        members[group_head[g]] = vertices[begin + p]
        group_head[g] += 1
    for p in range(finish - begin):
        v = members[p]
        vertices[begin + p] = v
        place[v] = begin + p
    return groups


@Kernel
def name_parts(
    c: Any,
    groups: Any,
    counts: Array,
    class_of: Array,
    vertices: Array,
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
        low = high


@Kernel
def run_rounds(
    split_all: bool,
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
    pushed ``most_arcs`` arcs. If ``split_all``, all signatures have been summed for the present
    round, so every class is split by them first.

    The arrays are taken out of their structures once, here: taking them out in an inner loop, or
    passing structures on, would take longer than the work on a class of two vertices.
    """
    offsets, neighbour, relation, weights = arcs
    lanes, salts, mask = sums
    class_of, vertices, place, segments, parent, birth, counts = classes
    table, group_of, group_size, group_head, members, touched, touched_classes = scratch
    spent = 0
    while split_all or counts[FRESH] < counts[CLASSES]:
        num_touched = 0
        if split_all:
            num_classes = touch_all(counts[CLASSES], segments, touched_classes)
        else:
            waiting = 0
            for c in range(counts[FRESH], counts[CLASSES]):
                for p in range(segments[c, START], segments[c, END]):
                    waiting += offsets[vertices[p] + 1] - offsets[vertices[p]]
            spent += waiting + counts[CLASSES] - counts[FRESH]
            if counts[ROUND] >= last_round or waiting > most_arcs_per_round or spent > most_arcs:
                return False
            counts[ROUND] += 1
            num_touched = push_changes(
                counts[FRESH],
                counts[CLASSES],
                offsets,
                neighbour,
                relation,
                weights,
                lanes,
                salts,
                mask,
                class_of,
                vertices,
                place,
                segments,
                parent,
                touched,
            )
            num_classes = gather_touched(
                num_touched, lanes, class_of, vertices, place, segments, touched, touched_classes
            )
        counts[FRESH] = counts[CLASSES]
        for k in range(num_classes):
            d = touched_classes[k]
            groups = group_members(
                segments[d, END] - segments[d, TOUCHED],
                segments[d, END],
                lanes,
                vertices,
                place,
                table,
                group_of,
                group_size,
                group_head,
                members,
            )
            name_parts(d, groups, counts, class_of, vertices, segments, parent, birth, group_size)
        for k in range(num_touched):
            lanes[touched[k], 0] = ZERO
            lanes[touched[k], 1] = ZERO
        if split_all:
            split_all = False
            for v in range(len(lanes)):
                lanes[v, 0] = ZERO
                lanes[v, 1] = ZERO
    return True
