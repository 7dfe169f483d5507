"""Connected components of a graph that is given by its edges."""

from __future__ import annotations

import numpy as np

from wlkg.arrays import IntArray


def connected_components(count: int, one: IntArray, two: IntArray) -> IntArray:
    """For each of ``count`` vertices, the smallest vertex that the edges connect it to.

    In every round each component hooks itself to its smallest neighbour, and all paths to the roots
    are shortened; long paths take few rounds.
    """
    root = np.arange(count, dtype=np.int64)
    while True:
        here, there = root[one], root[two]
        apart = here != there
        if not apart.any():
            return root
        one, two, here, there = one[apart], two[apart], here[apart], there[apart]
        np.minimum.at(root, np.maximum(here, there), np.minimum(here, there))
        while not np.array_equal(root, root[root]):
            root = root[root]
