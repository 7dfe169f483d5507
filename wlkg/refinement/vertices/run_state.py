"""The arrays of a run of `worklist`: signatures, classes and working memory.

They are tuples of arrays, the form that compiled code accepts (see `split_kernels`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.refinement.compiled.arc_arrays import Array


class Sums(NamedTuple):
    """The signatures of the vertices, or by how much they changed, and the salts behind them."""

    #: By how much the signature of each vertex has changed in the present round.
    change: Array
    #: What a class is split by, for the vertex at each place of the list of vertices: changes, or
    #: whole signatures.
    signature: Array
    #: A random number per relation.
    salts: Array
    #: The bits of a summand that are kept: all of them, except where tests provoke collisions.
    mask: Any


class Classes(NamedTuple):
    """The partition and its split tree."""

    class_of: Array
    #: All vertices, listed class by class, and the place of each vertex in that list. The place of
    #: a vertex that must not be touched (again) has the sign bit `MARK`: of one that is alone in
    #: its class, for good; of one that is touched, until its class is split.
    vertices: Array
    place: Array
    #: For each class three numbers, side by side because they are used together: where its members
    #: start and end in ``vertices``, and how many of them the present round has touched.
    segments: Array
    #: See `wlkg.partition.History`.
    parent: Array
    birth: Array
    #: Four numbers that change as the run goes on; the constants below are their indices.
    counts: Array


#: The sign bit of a place, and all its other bits.
MARK = np.int32(-(2**31))
UNMARKED = np.int32(2**31 - 1)

#: Indices into a row of ``segments``.
START = 0
END = 1
TOUCHED = 2

#: Indices into ``counts``: the number of classes, the round, the first class born in it, and the
#: most arcs that a round may push.
CLASSES = 0
ROUND = 1
FRESH = 2
LIMIT = 3


class Scratch(NamedTuple):
    """Working memory: a hash table, groups of equal signatures, and what a round has touched."""

    table: Array
    group_of: Array
    group_size: Array
    #: A place of each group: of one member, and then of the next member to be put there.
    group_place: Array
    members: Array
    touched: Array
    touched_classes: Array


#: What a push uses of a vertex, in one line of the cache: with large graphs, each line that is not
#: there yet costs more than all the arithmetic on it.
_ROW = np.dtype([("change", np.uint64), ("place", np.int32), ("spare", np.int32)])


def change_and_place(places: Array) -> tuple[Array, Array]:
    """Arrays of changes, all zero, and of these places, side by side in memory."""
    rows = np.zeros(len(places), dtype=_ROW)
    rows["place"] = places
    return rows["change"], rows["place"]
