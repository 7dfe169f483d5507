"""Decide exactly, within a time limit, whether two graphs are isomorphic, and say why.

1-RWL colours both graphs together; if the histograms differ, the graphs are not isomorphic. What
the colours leave open is split into blocks (`wlkg.analysis.symmetry.decomposition`), and the blocks
of both graphs are counted by type. Only cores, blocks that split no further, need a library: BLISS
gives canonical forms, so that "no" is as certain as "yes". A map that is found is checked arc by
arc. Without BLISS, dejavu's "no" is only likely and left open; without any library, an own search
decides, which takes long on cores that are highly regular.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.symmetry.arc_check import is_isomorphism
from wlkg.analysis.symmetry.canonical import block_types
from wlkg.analysis.symmetry.core_types import types_by
from wlkg.analysis.symmetry.deadline import Deadline, OutOfTimeError
from wlkg.analysis.symmetry.decomposition import decompose
from wlkg.analysis.symmetry.libraries import Dejavu, find_library
from wlkg.analysis.symmetry.remainder import remainder
from wlkg.analysis.symmetry.worker import WorkerError
from wlkg.arrays import IntArray
from wlkg.catalogue import Direction
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph

CHECKED_MAP = "a map, checked arc by arc"


@dataclass(frozen=True, eq=False)
class IsomorphismVerdict:
    """Whether two graphs are isomorphic; None if this was not decided."""

    isomorphic: bool | None
    #: What the answer rests on, or why there is none.
    rests_on: str
    #: The image in the second graph of each vertex of the first.
    mapping: IntArray | None = None


def isomorphic(
    one: RelationalGraph,
    two: RelationalGraph,
    direction: Direction | None = None,
    *,
    seconds: float = 10.0,
) -> bool | None:
    """Whether some bijection preserves labels and arcs; None if this was not decided in time.

    Relations and labels are matched by name.
    """
    return find_isomorphism(one, two, direction, seconds=seconds).isomorphic


def find_isomorphism(
    one: RelationalGraph,
    two: RelationalGraph,
    direction: Direction | None = None,
    *,
    seconds: float = 10.0,
) -> IsomorphismVerdict:
    """As `isomorphic`, with the map and what the answer rests on."""
    require_graphs(one, two)
    one, two = one.with_direction(direction), two.with_direction(direction)
    return decide_isomorphism(SideBySide((one, two)), seconds=seconds)


def decide_isomorphism(pair: SideBySide, *, seconds: float) -> IsomorphismVerdict:
    """Whether two graphs are isomorphic, and why."""
    size, other_size = pair.sizes
    if size != other_size:
        return IsomorphismVerdict(False, "different numbers of vertices")
    try:
        return _decide(pair, Deadline.after(seconds))
    except OutOfTimeError:
        return IsomorphismVerdict(None, f"not decided within {seconds:g} s")
    except WorkerError as error:
        return IsomorphismVerdict(None, f"not decided: {error}")


def _decide(pair: SideBySide, deadline: Deadline) -> IsomorphismVerdict:
    deadline.seconds_left()
    left = remainder(pair.union, pair.sizes)
    if left is None:
        return IsomorphismVerdict(False, "different numbers of 1-rwl colours")
    tree = decompose(left)
    library = find_library()
    cores = types_by(library, deadline)
    blocks = block_types(tree, cores)
    half = pair.sizes[0]
    if not half or blocks.types[0] == blocks.types[1]:
        image = np.empty(half, dtype=np.int64)
        if half:
            image[blocks.orders[0]] = blocks.orders[1] - half
        return _checked(pair, image)
    if not cores.compared:
        return IsomorphismVerdict(False, "different parts that 1-rwl colours leave")
    if isinstance(library, Dejavu):
        return IsomorphismVerdict(None, f"probably not isomorphic: {library.name}")
    by = "an exhaustive search" if library is None else library.name
    return IsomorphismVerdict(False, f"different parts that 1-rwl colours leave: {by}")


def _checked(pair: SideBySide, image: IntArray) -> IsomorphismVerdict:
    if is_isomorphism(pair.union, image):
        return IsomorphismVerdict(True, CHECKED_MAP, image)
    return IsomorphismVerdict(None, "not decided: the map that was found is wrong")
