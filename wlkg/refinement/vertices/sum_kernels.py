"""The compiled inner loops that sum signatures: all of them (`pull`), or changes (`push_changes`).

A signature is the sum over arcs (i, u) of ``mixed(class of u, salt of i)``, modulo 2^64, in two
lanes with different salts. Sums can be updated; different sums mean different multisets. If arcs
have weights (see `shares`), each summand is multiplied by the weight of its arc.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import ONE, ZERO, mixed, mixed_again
from wlkg.refinement.vertices.run_state import CLASSES, END, START, Classes, Sums

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
def block_end(low: Any, high: Any, offsets: Array) -> Any:
    """The end of a block of vertices that begins at ``low`` and has at most `_ARCS_TOGETHER` arcs.

    A block has at least one vertex, even if that has more arcs.
    """
    stop = low + 1
    while stop < high and offsets[stop + 1] - offsets[low] <= _ARCS_TOGETHER:
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
    offsets, lanes, segments = arcs.offsets, sums.lanes, classes.segments
    neighbour, relation, weights = arcs.neighbour, arcs.relation, arcs.weight
    is_weighted = len(weights) > 0
    is_single = classes.counts[CLASSES] == 1  # all neighbours have colour 0, no need to fetch
    colours = np.zeros(_ARCS_TOGETHER, dtype=np.int32)
    while low < high:
        stop = block_end(low, high, offsets)
        begin = offsets[low]
        fits = offsets[stop] - begin <= _ARCS_TOGETHER
        if fits and not is_single:
            for v in range(low, stop):
                c = class_of[v]
                if segments[c, END] - segments[c, START] > 1:
                    for arc in range(offsets[v], offsets[v + 1]):
                        colours[arc - begin] = class_of[neighbour[arc]]
        for v in range(low, stop):
            c = class_of[v]
            if segments[c, END] - segments[c, START] < 2:
                continue
            one = lanes[v, 0]
            two = lanes[v, 1]
            for arc in range(offsets[v], offsets[v + 1]):
                colour = colours[arc - begin] if fits else class_of[neighbour[arc]]
                i = relation[arc]
                weight = weights[arc] if is_weighted else ONE
                value = mixed(colour, salts[0, i])
                one += (value & mask) * weight
                two += (mixed_again(value, salts[1, i]) & mask) * weight
            lanes[v, 0] = one
            lanes[v, 1] = two
        low = stop


@Kernel
def push_changes(
    fresh: Any,
    num_classes: Any,
    offsets: Array,
    neighbour: Array,
    relation: Array,
    weights: Array,
    lanes: Array,
    salts: Array,
    mask: Any,
    class_of: Array,
    vertices: Array,
    place: Array,
    segments: Array,
    parent: Array,
    touched: Array,
) -> Any:
    """Add the changes of the classes born last to the signatures of the vertices that see them.

    Returns the number of vertices touched; their places are complemented, which marks them. The
    arcs are the reversed arcs: those of u lead to the vertices that have u as a neighbour. Their
    relations may be numbered differently, since changes are only ever compared with changes.
    """
    is_weighted = len(weights) > 0
    num_touched = 0
    for c in range(fresh, num_classes):
        one = two = ZERO  # what an arc of relation ``known`` adds to the two lanes
        known = -1
        for p in range(segments[c, START], segments[c, END]):
            u = vertices[p]
            for arc in range(offsets[u], offsets[u + 1]):
                v = neighbour[arc]
                d = class_of[v]
                if segments[d, END] - segments[d, START] < 2:
                    continue
                i = relation[arc]
                if i != known:
                    known = i
                    value, before = mixed(c, salts[0, i]), mixed(parent[c], salts[0, i])
                    one = (value & mask) - (before & mask)
                    value = mixed_again(value, salts[1, i])
                    before = mixed_again(before, salts[1, i])
                    two = (value & mask) - (before & mask)
                weight = weights[arc] if is_weighted else ONE
                lanes[v, 0] += one * weight
                lanes[v, 1] += two * weight
                if place[v] >= 0:
                    place[v] = ~place[v]
                    touched[num_touched] = v
                    num_touched += 1
    return num_touched
