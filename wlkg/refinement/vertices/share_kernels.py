"""The compiled inner loops of `equitable_check` for tests that see shares instead of counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.shell_sort import shell_sort
from wlkg.refinement.vertices.neighbourhood_kernels import colours_told_apart


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
def list_shares(
    v: Any,
    colours: Any,
    begin: Any,
    seen: Array,
    class_of: Array,
    parent: Array,
    offsets: Array,
    neighbour: Array,
    relation: Array,
) -> Any:
    """Write to ``seen[begin:]`` which share of each relation of v has which colour.

    Only the first ``colours`` classes are told apart: the others count as their ancestors. The list
    has pairs of relation and colour, sorted and divided; returns its end.
    """
    end = begin
    for arc in range(offsets[v], offsets[v + 1]):
        c = class_of[neighbour[arc]]
        while c >= colours:
            c = parent[c]
        seen[end] = np.int64(colours) * relation[arc] + c
        end += 1
    shell_sort(seen, begin, end)
    return keep_shares(begin, end, colours, seen)


@Kernel
def find_other_shares(
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
    longest: int,
) -> Any:
    """The first of ``vertices[low:high]`` that does not see the shares of the next, or -1.

    Consecutive vertices are compared; see `colours_told_apart`.
    """
    seen = np.empty(2 * longest, dtype=np.int64)  # the lists of two vertices
    ends = np.zeros(2, dtype=np.int64)
    for place in range(low, high):
        a, b = class_of[vertices[place]], class_of[vertices[place + 1]]
        colours = colours_told_apart(a, b, parent, birth, classes_at, last_classes)
        if colours == 0:
            continue
        for side in range(2):
            ends[side] = list_shares(
                vertices[place + side],
                colours,
                side * longest,
                seen,
                class_of,
                parent,
                offsets,
                neighbour,
                relation,
            )
        differs = ends[0] + longest != ends[1]
        for k in range(ends[0]):
            differs |= seen[k] != seen[longest + k]
        if differs:
            return vertices[place]
    return -1
