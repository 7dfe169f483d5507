"""The compiled inner loops that sum signatures: all of them (`pull`), or changes (`push_changes`).

A signature is the sum over arcs (i, u) of ``mixed(class of u, salt of i)``, modulo 2^64. Sums can
be updated; different sums mean different multisets. If arcs have weights (see `shares`), each
summand is multiplied by the weight of its arc. If there is only one relation, the arrays of
relations are empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import ONE, ZERO, mixed
from wlkg.refinement.vertices.run_state import (
    CLASSES,
    END,
    MARK,
    START,
    Classes,
    Sums,
)

#: The colours at the ends of at most this many arcs are fetched together.
_ARCS_TOGETHER = 2048


@Kernel
def add_degrees(
    low: int, high: int, offsets: Array, relation: Array, salts: Array, sums: Sums, place: Array
) -> None:
    """Add the degrees in each relation to the signatures of the vertices ``low:high``."""
    for v in range(low, high):
        if place[v] >= 0:
            for arc in range(offsets[v], offsets[v + 1]):
                i = relation[arc]
                sums.signature[place[v]] += mixed(i, salts[i]) & sums.mask


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
    graphs. Signatures are written to the places of their vertices: stores at random places do not
    hold up the processor, and what reads the signatures of a class finds them side by side.
    """
    offsets, neighbour, relation, weights = arcs
    signature, salts, mask = sums.signature, sums.salts, sums.mask
    class_of, place = classes.class_of, classes.place
    has_relations, is_weighted = len(relation) > 0, len(weights) > 0
    is_single = classes.counts[CLASSES] == 1  # all neighbours have colour 0, no need to fetch
    colours = np.zeros(_ARCS_TOGETHER, dtype=np.int32)
    while low < high:
        stop = block_end(low, high, offsets)
        begin = offsets[low]
        fits = offsets[stop] - begin <= _ARCS_TOGETHER
        if fits and not is_single:
            for v in range(low, stop):
                if place[v] >= 0:
                    for arc in range(offsets[v], offsets[v + 1]):
                        colours[arc - begin] = class_of[neighbour[arc]]
        for v in range(low, stop):
            if place[v] < 0:
                continue
            total = ZERO
            for arc in range(offsets[v], offsets[v + 1]):
                colour = colours[arc - begin] if fits else class_of[neighbour[arc]]
                i = relation[arc] if has_relations else 0
                weight = weights[arc] if is_weighted else ONE
                total += (mixed(colour, salts[i]) & mask) * weight
            signature[place[v]] = total
        low = stop


@Kernel
def push_changes(
    fresh: Any,
    num_classes: Any,
    offsets: Array,
    neighbour: Array,
    relation: Array,
    weights: Array,
    change: Array,
    salts: Array,
    mask: Any,
    vertices: Array,
    place: Array,
    segments: Array,
    parent: Array,
    touched: Array,
) -> Any:
    """Add the changes of the classes born last to the signatures of the vertices that see them.

    Returns the number of vertices touched, and marks their places. The arcs are the reversed arcs:
    those of u lead to the vertices that have u as a neighbour. Their relations may be numbered
    differently, since changes are only ever compared with changes.

    Branch-free: whether a vertex is marked already could not be predicted. What is added to the
    change of a vertex that is alone in its class is never used.
    """
    has_relations, is_weighted = len(relation) > 0, len(weights) > 0
    num_touched = 0
    for c in range(fresh, num_classes):
        step = ZERO  # what an arc of relation ``known`` adds
        known = -1
        for p in range(segments[c, START], segments[c, END]):
            u = vertices[p]
            for arc in range(offsets[u], offsets[u + 1]):
                v = neighbour[arc]
                i = relation[arc] if has_relations else 0
                if i != known:
                    known = i
                    step = (mixed(c, salts[i]) & mask) - (mixed(parent[c], salts[i]) & mask)
                change[v] += step * (weights[arc] if is_weighted else ONE)
                here = place[v]
                touched[num_touched] = v
                num_touched += here >= 0
                place[v] = here | MARK
    return num_touched
