"""The compiled inner loops of `equitable_check`: neighbourhoods compared without hashing."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import Array

#: The colours at the ends of at most this many arcs are fetched together, unless two vertices have
#: more, and those that at most this many vertices see.
_ARCS_TOGETHER = 4096
_VERTICES_TOGETHER = 512


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
def colours_told_apart(
    a: Any, b: Any, parent: Array, birth: Array, classes_at: Array, last_classes: Any
) -> Any:
    """How many colours two vertices of the classes a and b must not see differently; 0 for none.

    If they part at round s, they must see the same of round s - 2: of the first
    ``classes_at[s - 2]`` classes, and the ancestors among them of all others. If they never part,
    of the first ``last_classes`` classes.
    """
    if a == b:
        return last_classes
    parted = round_of_parting(a, b, parent, birth)
    return classes_at[parted - 2] if parted > 1 else 0


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
def fetch_colours(
    place: Any,
    stop: Any,
    vertices: Array,
    told: Array,
    seen: Array,
    class_of: Array,
    parent: Array,
    offsets: Array,
    neighbour: Array,
) -> Any:
    """Write to ``seen``, arc by arc, the colours that ``vertices[place:stop]`` see.

    ``told`` has, for the vertex before each and for each, how many colours are told apart between
    it and the next: other colours are replaced by ancestors as far as both comparisons allow.
    Vertices that are not compared are left out. Returns how many of the vertices fitted in.
    """
    begin: Any = 0
    fitted: Any = 0
    for p in range(place, stop):
        v = vertices[p]
        length = offsets[v + 1] - offsets[v]
        if begin + length > len(seen):
            break
        if max(told[fitted], told[fitted + 1]) > 1:
            for arc in range(offsets[v], offsets[v + 1]):
                seen[begin] = class_of[neighbour[arc]]
                begin += 1
        fitted += 1
    begin = 0
    for k in range(fitted):
        v = vertices[place + k]
        colours = max(told[k], told[k + 1])
        if colours > 1:
            for _ in range(offsets[v], offsets[v + 1]):
                c = seen[begin]
                while c >= colours:
                    c = parent[c]
                seen[begin] = c
                begin += 1
    return fitted


@Kernel
def are_equal_multisets(
    one: Any,
    other: Any,
    length: Any,
    seen: Array,
    colours: Any,
    parent: Array,
    start: Any,
    relation: Array,
    by_relation: bool,
    count: Array,
) -> Any:
    """Whether two lists of that length, in ``seen``, have equally many of each colour.

    Both belong to arcs with the same relations in the same order; ``start`` is the first of them.
    If ``by_relation``, only colours behind the same relation are compared. Colours from ``colours``
    on count as their ancestors. ``count`` is all zero before and, if the lists are equal, after.
    """
    low: Any = 0
    while low < length:
        high = length
        if by_relation:
            high = low + 1
            while high < length and relation[start + high] == relation[start + low]:
                high += 1
        for k in range(low, high):
            c = seen[one + k]
            while c >= colours:
                c = parent[c]
            count[c] += 1
        lack: Any = 0
        for k in range(low, high):
            c = seen[other + k]
            while c >= colours:
                c = parent[c]
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
    longest: int,
    by_relation: bool,
) -> Any:
    """The first of ``vertices[low:high]`` that is not like the next in the list, or -1.

    Two vertices see the same if their arcs have the same relations and equally many of each colour
    (behind each relation, if ``by_relation``); see `colours_told_apart`. What many vertices see is
    fetched together, because the processor overlaps loads in a loop that does little else.
    """
    seen = np.empty(max(_ARCS_TOGETHER, 2 * longest), dtype=np.int32)
    told = np.zeros(_VERTICES_TOGETHER + 1, dtype=np.int64)
    count = np.zeros(len(parent), dtype=np.int32)
    place = low
    while place < high:
        stop = min(place + _VERTICES_TOGETHER, high + 1)
        told[0] = 0
        told[stop - place] = 0
        for p in range(place, stop - 1):
            a, b = class_of[vertices[p]], class_of[vertices[p + 1]]
            told[p + 1 - place] = colours_told_apart(a, b, parent, birth, classes_at, last_classes)
        fitted = fetch_colours(
            place, stop, vertices, told, seen, class_of, parent, offsets, neighbour
        )
        here: Any = 0
        for k in range(fitted - 1):
            v, w = vertices[place + k], vertices[place + k + 1]
            length = offsets[v + 1] - offsets[v]
            colours = told[k + 1]
            there = here + (length if max(told[k], colours) > 1 else 0)
            if colours > 0:
                if not have_equal_degrees(v, w, offsets, relation, num_relations):
                    return v
                if colours > 1 and not are_equal_multisets(
                    here,
                    there,
                    length,
                    seen,
                    colours,
                    parent,
                    offsets[v],
                    relation,
                    by_relation,
                    count,
                ):
                    return v
            here = there
        place += fitted - 1
    return -1
