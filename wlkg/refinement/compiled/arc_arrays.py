"""Arcs as a tuple of arrays, the form that compiled code accepts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.arrays import frozen
from wlkg.graph.arcs import Arcs

#: An array inside a kernel, where numba infers the type of its elements.
Array = Any


class ArcArrays(NamedTuple):
    """Vertex v has the arcs ``offsets[v]:offsets[v + 1]`` of the other arrays."""

    offsets: Array
    neighbour: Array
    relation: Array
    #: Empty if all arcs weigh the same.
    weight: Array = frozen(np.zeros(0, dtype=np.uint64))

    @classmethod
    def of(cls, arcs: Arcs) -> ArcArrays:
        """The arrays of arcs that all weigh the same."""
        return cls(arcs.offsets, arcs.neighbour, arcs.relation)
