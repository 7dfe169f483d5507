"""The compiled inner loops of `equitable_check`: neighbourhoods compared without hashing."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.kernel import Kernel
from wlkg.refinement.compiled.shell_sort import shell_sort


@Kernel
def round_of_parting(a: Any, b: Any, parent: Array, birth: Array) -> Any:
    """The round at which two different classes parted: 0 if they never were one.

    Classes are numbered in order of birth, so the one with the larger number is climbed.
    """
    parted: Any = -1
    while a != b and parted != 0:
        if a < b:
            a, b = b, a
        parted = birth[a]
        a = parent[a]
    return parted


@Kernel
def have_equal_degrees(v: Any, w: Any, offsets: Array, relation: Array, num_relations: int) -> Any:
    """Whether two vertices have the same number of arcs in each relation."""
    if offsets[v + 1] - offsets[v] != offsets[w + 1] - offsets[w]:
        return False
    if num_relations > 1:
        shift = offsets[v] - offsets[w]
        for arc in range(offsets[w], offsets[w + 1]):
            if relation[arc] != relation[arc + shift]:
                return False
    return True


@Kernel
def keep_shares(low: Any, high: Any, num_colours: Any, seen: Array) -> Any:
    """Divide the counts of the colours under a relation by their greatest common divisor.

    ``seen[low:high]`` is sorted by relation and colour; returns the end of what is kept. Two lists
    become equal exactly if each colour has the same share of each relation.
    """
    kept = low
    while low < high:
        relation = seen[low] // num_colours
        end, divisor = low, 0
        while end < high and seen[end] // num_colours == relation:
            begin = end
            while end < high and seen[end] == seen[begin]:
                end += 1
            count = end - begin
            while count:
                divisor, count = count, divisor % count
        for k in range(low, end, divisor):
            seen[kept] = seen[k]
            kept += 1
        low = end
    return kept


@Kernel
def find_difference(
    low: int,
    high: int,
    vertices: Array,
    class_of: Array,
    parent: Array,
    birth: Array,
    classes_at: Array,
    last_classes: int,
    offsets: Array,
    neighbour: Array,
    relation: Array,
    num_relations: int,
    by_relation: bool,
    shares: bool,
    longest: int,
) -> Any:
    """The first of ``vertices[low:high]`` that is not like the next in the list, or -1.

    Two vertices that part at round s must see the same colours of round s - 2: those are the first
    ``classes_at[s - 2]`` classes, and the ancestors among them of all others. Vertices that never
    part must see the same of the first ``last_classes`` classes. Two vertices see the same if their
    arcs have the same relations and equal sorted lists of colours, or of pairs of relation and
    colour. If only ``shares`` count, the lists must be equal after division (see `keep_shares`).
    """
    seen = np.empty(2 * longest, dtype=np.int64)  # the lists of two vertices
    ends = np.zeros(2, dtype=np.int64)
    listed: Any = -1  # the vertex whose list is kept from the comparison before,
    listed_colours: Any = -1  # the number of colours that were told apart in it,
    side = 0  # and which half of ``seen`` holds it
    for place in range(low, high):
        v, w = vertices[place], vertices[place + 1]
        num_colours: Any = last_classes
        if class_of[v] != class_of[w]:
            parted = round_of_parting(class_of[v], class_of[w], parent, birth)
            if parted < 2:
                continue
            num_colours = classes_at[parted - 2]
        if not shares:
            if not have_equal_degrees(v, w, offsets, relation, num_relations):
                return v
            if num_colours == 1:
                continue
        if listed != v or listed_colours != num_colours:
            u = v
        else:
            u = w
            side = 1 - side
        while True:
            begin = side * longest
            start = offsets[u]
            length = offsets[u + 1] - start
            for k in range(length):
                c = class_of[neighbour[start + k]]
                while c >= num_colours:
                    c = parent[c]
                value = np.int64(c)
                if by_relation:
                    value += np.int64(num_colours) * relation[start + k]
                seen[begin + k] = value
            shell_sort(seen, begin, begin + length)
            ends[side] = length
            if shares:
                ends[side] = keep_shares(begin, begin + length, num_colours, seen) - begin
            if u == w:
                break
            u = w
            side = 1 - side
        listed, listed_colours = w, num_colours
        if ends[0] != ends[1]:
            return v
        for k in range(ends[0]):
            if seen[k] != seen[longest + k]:
                return v
    return -1
