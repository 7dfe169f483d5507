"""The compiled inner loops of `equitable_check`: neighbourhoods compared without hashing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.shell_sort import shell_sort


@Kernel
def mark_neighbours(marked: Array, arcs: ArcArrays, touched: Array) -> None:
    """Mark as touched all vertices to which an arc of a marked vertex leads."""
    for u in range(len(marked)):
        if marked[u]:
            for arc in range(arcs.offsets[u], arcs.offsets[u + 1]):
                touched[arcs.neighbour[arc]] = True


@Kernel
def have_equal_degrees(v: Any, w: Any, arcs: ArcArrays, num_relations: int) -> Any:
    """Whether two vertices have the same number of arcs in each relation."""
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
    """Divide the counts of the colours under a relation by their greatest common divisor.

    The row of ``seen`` is sorted by relation and colour; returns its new length. Two rows become
    equal exactly if each colour has the same share of each relation.
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
    """Write what a vertex sees, sorted, to a row of ``seen``; return the length of the list."""
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
    vertices: Array,
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
    """A vertex that does not see the same as the first vertex of its group (its head), or -1.

    Each group is contiguous in ``vertices[low:high]``. Two vertices see the same if their arcs have
    the same relations and equal sorted lists of colours, or of pairs of relation and colour. If
    only ``shares`` count, the lists must be equal after division (see `keep_shares`). Only touched
    vertices are compared: the neighbours of the others kept their colours in the round before, so
    the check of that round covers them.
    """
    seen = np.zeros((2, longest), dtype=np.int64)  # a row for the head, a row for another member
    head = vertices[low] if low < high else 0
    length: Any = -1  # of the head's list, once it is written
    for p in range(low, high):
        v = vertices[p]
        if group[v] != group[head]:
            head = v
            length = -1
        if touched[v] != touched[head]:
            return v
        if v == head or not touched[v]:
            continue
        if not shares:
            if not have_equal_degrees(v, head, arcs, num_relations):
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
