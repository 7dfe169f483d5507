"""Arcs as a tuple of arrays, the form in which compiled code takes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.arrays import frozen

Array = Any


class ArcArrays(NamedTuple):
    """Arcs of v are ``offsets[v]:offsets[v + 1]`` of the others."""

    offsets: Array
    neighbour: Array
    relation: Array
    #: Empty if all arcs weigh the same.
    weight: Array = frozen(np.zeros(0, dtype=np.uint64))
