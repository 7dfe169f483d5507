"""The compiled inner loops of the check: neighbourhoods compared without hashing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.shell_sort import shell_sort


@Kernel
def mark_neighbours(marked: Array, arcs: ArcArrays, touched: Array) -> None:
    """Mark as touched all vertices to which the arcs of marked ones lead."""
    for u in range(len(marked)):
        if marked[u]:
            for arc in range(arcs.offsets[u], arcs.offsets[u + 1]):
                touched[arcs.neighbour[arc]] = True


@Kernel
def have_like_arcs(v: Any, w: Any, arcs: ArcArrays, num_relations: int) -> Any:
    """Whether two vertices have equally many arcs in each relation."""
    offsets, relation = arcs.offsets, arcs.relation
    if offsets[v + 1] - offsets[v] != offsets[w + 1] - offsets[w]:
        return False
    if num_relations > 1:
        shift = offsets[v] - offsets[w]
        for arc in range(offsets[w], offsets[w + 1]):
            if relation[arc] != relation[arc + shift]:
                return False
    return True


@Kernel
def keep_shares(length: Any, num_colours: Any, seen: Array, row: int) -> Any:
    """Divide how often each colour is seen under a relation by the common divisor of these numbers.

    A row of ``seen`` is sorted, relation after relation; returns how long it is then. Two lists
    become equal if each colour has the same share of each relation.
    """
    low, kept = 0, 0
    while low < length:
        relation = seen[row, low] // num_colours
        high, divisor = low, 0
        while high < length and seen[row, high] // num_colours == relation:
            begin = high
            while high < length and seen[row, high] == seen[row, begin]:
                high += 1
            divisor = math.gcd(divisor, high - begin)
        for k in range(low, high, divisor):
            seen[row, kept] = seen[row, k]
            kept += 1
        low = high
    return kept


@Kernel
def list_seen(
    v: Any,
    colour: Array,
    num_colours: Any,
    arcs: ArcArrays,
    by_relation: bool,
    shares: bool,
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
    return keep_shares(length, num_colours, seen, row) if shares else length


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
    shares: bool,
    touched: Array,
    longest: int,
) -> Any:
    """Compare neighbourhoods without hashing: -1 if each group sees the same, else who differs.

    Groups are runs of ``order[low:high]``. Two vertices see the same if their arcs have the same
    relations and equal sorted lists of colours, or of pairs of relation and colour; where only
    ``shares`` count, if these lists are equal up to multiples (see `keep_shares`). Only touched
    vertices are looked at: the neighbours of the others kept their colours, and with them what was
    found one round earlier.
    """
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
        if not shares:
            if not have_like_arcs(v, head, arcs, num_relations):
                return v
            if num_colours == 1:
                continue
        if length < 0:
            length = list_seen(head, colour, num_colours, arcs, by_relation, shares, seen, 0)
        if list_seen(v, colour, num_colours, arcs, by_relation, shares, seen, 1) != length:
            return v
        for k in range(length):
            if seen[0, k] != seen[1, k]:
                return v
    return -1
