"""Rows of features compared pair by pair, and what verdicts must say about them."""

from __future__ import annotations

import numpy as np

from wlkg.arrays import FloatArray
from wlkg.gnn.against_wl.verdicts import LayerVerdict
from wlkg.partition import Partition

#: The rounding errors in the rows of `near_one`.
NOISE = 1e-12
#: Rows of features at most this far apart count as equal.
EQUAL = 1e-10
#: Whether the bound holds, and whether the model sees all -> the relation.
RELATION = {
    (True, True): "equal",
    (True, False): "coarser",
    (False, True): "finer",
    (False, False): "incomparable",
}


def distance(one: FloatArray, two: FloatArray) -> float:
    """The largest difference of entries, divided by the largest entry of either."""
    size = max(float(np.abs(one).max()), float(np.abs(two).max()))
    return float(np.abs(one - two).max()) / size if size else 0.0


def near_one(*entries: float) -> FloatArray:
    """Rows of one number close to 1; the entries count multiples of the noise."""
    return 1 + NOISE * np.array(entries)[:, None]


def classes_of(rows: FloatArray) -> Partition:
    """Each row in the class of the first row that it equals."""
    classes: list[int] = []
    for i, row in enumerate(rows):
        classes.append(next((classes[j] for j in range(i) if distance(row, rows[j]) <= EQUAL), i))
    return Partition.of(classes)


def assert_agrees(verdict: LayerVerdict, rows: FloatArray, colours: Partition) -> None:
    """A verdict agrees with a comparison of all pairs of rows."""
    classes = classes_of(rows)
    assert verdict.wl_classes == colours.num_classes
    assert verdict.model_classes == classes.num_classes
    bounded, sees_all = colours.refines(classes), classes.refines(colours)
    assert verdict.relation == RELATION[bounded, sees_all]
    assert verdict.bound_holds is bounded
    assert (verdict.split is None) == bounded
    assert (verdict.merged is None) == sees_all
    assert verdict.unclear is None
    pairs = ((verdict.split, colours, classes), (verdict.merged, classes, colours))
    for pair, equal, different in pairs:
        if pair is not None:
            one, two = pair
            assert equal.colours[one] == equal.colours[two]
            assert different.colours[one] != different.colours[two]
