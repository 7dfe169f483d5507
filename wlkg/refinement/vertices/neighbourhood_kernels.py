"""The compiled inner loops of `equitable_check`: neighbourhoods compared without hashing."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import Array
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
def list_seen(
    v: Any,
    num_colours: Any,
    begin: Any,
    seen: Array,
    class_of: Array,
    parent: Array,
    offsets: Array,
    neighbour: Array,
    relation: Array,
    shares: bool,
) -> Any:
    """Write to ``seen[begin:]`` the colours that v sees, arc by arc; return the end of the list.

    Only the first ``num_colours`` classes are told apart: the others count as their ancestors. If
    only ``shares`` count, the list has pairs of relation and colour, sorted and divided.
    """
    start = offsets[v]
    length = offsets[v + 1] - start
    for k in range(length):
        c = class_of[neighbour[start + k]]
        while c >= num_colours:
            c = parent[c]
        seen[begin + k] = c
    if not shares:
        return begin + length
    for k in range(length):
        seen[begin + k] += np.int64(num_colours) * relation[start + k]
    shell_sort(seen, begin, begin + length)
    return keep_shares(begin, begin + length, num_colours, seen)


@Kernel
def are_equal_lists(length: Any, other: Any, seen: Array) -> Any:
    """Whether ``seen[:length]`` equals the list of the same length at ``other``."""
    k: Any = 0
    while k < length and seen[k] == seen[other + k]:
        k += 1
    return k == length


@Kernel
def are_equal_multisets(
    length: Any,
    other: Any,
    seen: Array,
    start: Any,
    relation: Array,
    by_relation: bool,
    count: Array,
) -> Any:
    """Whether ``seen[:length]`` has equally many of each colour as the list at ``other``.

    Both belong to arcs with the same relations in the same order; ``start`` is the first of them.
    If ``by_relation``, only colours behind the same relation are compared. ``count`` is all zero
    before and, if the multisets are equal, afterwards.
    """
    low: Any = 0
    while low < length:
        high = length
        if by_relation:
            high = low + 1
            while high < length and relation[start + high] == relation[start + low]:
                high += 1
        for k in range(low, high):
            count[seen[k]] += 1
        lack: Any = 0
        for k in range(low, high):
            c = seen[other + k]
            count[c] -= 1
            lack |= count[c]  # negative from the first negative count on
        if lack < 0:
            return False
        low = high
    return True


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
    arcs have the same relations and equally many of each colour (behind each relation, if
    ``by_relation``). If only ``shares`` count, see `keep_shares`.
    """
    seen = np.empty(2 * longest, dtype=np.int64)  # the colours that two vertices see
    ends = np.zeros(2, dtype=np.int64)
    count = np.zeros(len(parent), dtype=np.int64)
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
        u = v
        if listed == v and listed_colours == num_colours:
            u = w
            side = 1 - side
        while True:
            begin = side * longest
            ends[side] = list_seen(
                u,
                num_colours,
                begin,
                seen,
                class_of,
                parent,
                offsets,
                neighbour,
                relation,
                shares,
            )
            if u == w:
                break
            u = w
            side = 1 - side
        listed, listed_colours = w, num_colours
        if shares:
            if ends[0] + longest != ends[1] or not are_equal_lists(ends[0], longest, seen):
                return v
        elif not are_equal_multisets(
            ends[0], longest, seen, offsets[v], relation, by_relation, count
        ):
            return v
    return -1
