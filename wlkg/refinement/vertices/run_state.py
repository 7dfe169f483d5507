"""The arrays of a run of `worklist`: signatures, classes and working memory.

They are tuples of arrays, the form that compiled code accepts (see `split_kernels`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wlkg.refinement.compiled.arc_arrays import Array


class Sums(NamedTuple):
    """The signatures of the vertices, or by how much they changed, and the salts behind them."""

    #: Two sums per vertex, side by side because they are always used together.
    lanes: Array
    #: Two random numbers per relation, one for each lane.
    salts: Array
    #: The bits of a summand that are kept: all of them, except where tests provoke collisions.
    mask: Any


class Classes(NamedTuple):
    """The partition and its split tree."""

    class_of: Array
    #: All vertices, listed class by class, and the place of each vertex in that list.
    vertices: Array
    place: Array
    #: For each class three numbers, side by side because they are used together: where its members
    #: start and end in ``vertices``, and how many of them the present round has touched.
    segments: Array
    #: See `wlkg.partition.History`.
    parent: Array
    birth: Array
    #: Three numbers that change as the run goes on; the constants below are their indices.
    counts: Array


#: Indices into a row of ``segments``.
START = 0
END = 1
TOUCHED = 2

#: Indices into ``counts``: the number of classes, the round, and the first class born in it.
CLASSES = 0
ROUND = 1
FRESH = 2


class Scratch(NamedTuple):
    """Working memory: a hash table, groups of equal signatures, and what a round has touched."""

    table: Array
    group_of: Array
    group_size: Array
    group_head: Array
    members: Array
    touched: Array
    touched_classes: Array
