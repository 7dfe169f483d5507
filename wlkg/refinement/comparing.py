"""The compiled inner loops of the check: neighbourhoods compared without hashing."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.refinement.compiling import Kernel
from wlkg.refinement.kernels import ArcArrays, Array


@Kernel
def mark_neighbours(marked: Array, arcs: ArcArrays, touched: Array) -> None:
    """Mark as touched all vertices to which the arcs of marked ones lead."""
    for u in range(len(marked)):
        if marked[u]:
            for arc in range(arcs.offsets[u], arcs.offsets[u + 1]):
                touched[arcs.neighbour[arc]] = True


@Kernel
def shell_sort(values: Array, low: Any, high: Any) -> None:
    """Sort a part of an array: short lists are the rule, and this compiles in no time."""
    gap = 1
    while gap < (high - low) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(low + gap, high):
            value = values[k]
            place = k
            while place >= low + gap and values[place - gap] > value:
                values[place] = values[place - gap]
                place -= gap
            values[place] = value
        gap //= 3


@Kernel
def list_seen(
    v: Any,
    colour: Array,
    num_colours: Any,
    arcs: ArcArrays,
    by_relation: bool,
    seen: Array,
    row: int,
) -> Any:
    """Write down what a vertex sees, sorted, in a row of ``seen``; return how much it is."""
    start = arcs.offsets[v]
    length = arcs.offsets[v + 1] - start
    for k in range(length):
        value = np.int64(colour[arcs.neighbour[start + k]])
        if by_relation:
            value += num_colours * arcs.relation[start + k]
        seen[row, k] = value
    shell_sort(seen[row], 0, length)
    return length


@Kernel
def find_difference(
    low: int,
    high: int,
    order: Array,
    group: Array,
    colour: Array,
    num_colours: int,
    arcs: ArcArrays,
    num_relations: int,
    by_relation: bool,
    touched: Array,
    longest: int,
) -> Any:
    """Compare neighbourhoods without hashing: -1 if each group sees the same, else who differs.

    Groups are runs of ``order[low:high]``. Two vertices see the same if their arcs have the same
    relations and equal sorted lists of colours, or of pairs of relation and colour. Only touched
    vertices are looked at: the neighbours of the others kept their colours, and with them what was
    found one round earlier.
    """
    offsets, relation = arcs.offsets, arcs.relation
    seen = np.zeros((2, longest), dtype=np.int64)  # what the head of a group sees, and another
    head = order[low] if low < high else 0
    length: Any = -1  # of the head's list, once it is written down
    for p in range(low, high):
        v = order[p]
        if group[v] != group[head]:
            head = v
            length = -1
        if touched[v] != touched[head]:
            return v
        if v == head or not touched[v]:
            continue
        if offsets[v + 1] - offsets[v] != offsets[head + 1] - offsets[head]:
            return v
        shift = offsets[v] - offsets[head]
        if num_relations > 1:
            for arc in range(offsets[head], offsets[head + 1]):
                if relation[arc] != relation[arc + shift]:
                    return v
        if num_colours == 1:
            continue
        if length < 0:
            length = list_seen(head, colour, num_colours, arcs, by_relation, seen, 0)
        list_seen(v, colour, num_colours, arcs, by_relation, seen, 1)
        for k in range(length):
            if seen[0, k] != seen[1, k]:
                return v
    return -1
