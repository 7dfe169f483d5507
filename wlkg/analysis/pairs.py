"""Which pairs of vertices one test separates and another does not, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from wlkg.arrays import IntArray
from wlkg.partition import Partition
from wlkg.refinement.results import Refinement


@dataclass(frozen=True)
class SeparatedPairs:
    """How many pairs there are, and the first of them as (v, w, round) with v < w."""

    count: int
    pairs: tuple[tuple[int, int, int], ...]


def separated_pairs(
    by: Refinement,
    not_by: Refinement | None = None,
    *,
    among: IntArray | None = None,
    limit: int | None = None,
) -> SeparatedPairs:
    """The pairs of vertices that ``by`` separates and ``not_by`` does not.

    They come in the order of their ids. Counting takes a sort; listing visits only classes that
    hold a pair, and stops at the limit.
    """
    vertices = np.arange(by.vertices.num_items) if among is None else np.unique(among)
    fine = by.vertices.partition().restricted(vertices)
    alike = Partition.trivial(len(vertices))
    if not_by is not None:
        alike = not_by.vertices.partition().restricted(vertices)
    count = alike.indistinguishable_pairs - alike.meet(fine).indistinguishable_pairs
    found = islice(_listed(alike, fine), limit)
    pairs = ((int(vertices[v]), int(vertices[w])) for v, w in found)
    return SeparatedPairs(count, tuple((v, w, _round(by, v, w)) for v, w in pairs))


def _round(by: Refinement, v: int, w: int) -> int:
    found = by.vertices.separated_at(v, w)
    assert found is not None
    return found


def _listed(alike: Partition, fine: Partition) -> Iterator[tuple[int, int]]:
    """Pairs (v, w), v < w, of equal colour in one partition and different colours in the other."""
    mixed = np.zeros(alike.num_classes, dtype=bool)
    first = np.full(alike.num_classes, -1, dtype=np.int64)
    first[alike.colours[::-1]] = fine.colours[::-1]
    mixed[alike.colours[fine.colours != first[alike.colours]]] = True
    for v in np.flatnonzero(mixed[alike.colours]).tolist():
        members = alike.members(int(alike.colours[v]))
        later = members[np.searchsorted(members, v, side="right") :]
        for w in later[fine.colours[later] != fine.colours[v]].tolist():
            yield v, w
