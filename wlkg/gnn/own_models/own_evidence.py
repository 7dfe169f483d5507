"""Whether close features of an own model are equal: there is no exact arithmetic, only evidence.

Two vertices of different colours whose features are close count as merged if all of this holds:

- the numbers are clear: no other features are slightly further apart (`clusters`);
- their distance is rounding: in single precision it grows as rounding does, or their bits are
  equal. A true difference of 1e-13 stays as small as it is;
- differences have not faded away on the way: the smallest one in the layers before, divided by the
  largest degree, is far above rounding. On a complete graph with n vertices it shrinks n-fold in
  every layer;
- the layer shows differences at all: with random input features the two come out far apart. They
  would not if the model adds a huge constant.

Rows of zeros need no more evidence: rounding does not make them. Otherwise it stays undecided.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from wlkg.arrays import BoolArray, FloatArray, IntArray
from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import BLURRED, CLEAR, Clusters, spreads_of
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.verdicts import Settled
from wlkg.gnn.own_models.diagnosis import FINER
from wlkg.gnn.own_models.own_run import OwnRun
from wlkg.partition import Partition

#: Rounding in double precision is at most this multiple of what single precision predicts.
_PREDICTED = 8
#: Random input features must come out further apart than this multiple of what is clear.
_SENSITIVE = 32
_EPS = float(np.finfo(np.float64).eps)
_SINGLE_EPS = float(np.finfo(np.float32).eps)


class OwnEvidence:
    """What is known about close features of one own model, with one choice of weights."""

    def __init__(
        self,
        run: OwnRun,
        layers: Sequence[FloatArray],
        single: Sequence[FloatArray] | None,
        clusters: Sequence[Clusters],
    ) -> None:
        """``single`` has the features of the model in single precision, if it runs in it."""
        self._layers, self._clusters = layers, clusters
        self._per_layer = bool(run.model.per_layer)
        degrees = np.diff(run.setting.arcs.offsets)
        self._degree = max(int(degrees.max(initial=0)), 2)
        self._single = single
        self._probes = _random_rows(run)

    def __call__(self, layer: int, clusters: Clusters, colours: Partition) -> Settled:
        """Which vertices of different colours are merged."""
        number = layer - 1 if self._per_layer else len(self._layers) - 1
        rows = self._layers[number]
        pairs = _pairs(clusters.possibly, colours)
        accepted = (rows[pairs] == 0).all(axis=(1, 2))
        if clusters.clear and self._smallest(layer) / self._degree > CLEAR * clusters.noise:
            is_rounding = self._is_rounding(number, clusters)[
                clusters.possibly.colours[pairs[:, 0]]
            ]
            accepted |= is_rounding & self._is_sensitive(number, pairs, clusters)
        chosen = pairs[accepted]
        merged = (int(chosen[0, 0]), int(chosen[0, 1])) if len(chosen) else None
        return Settled(merged, clusters.surely)

    def _smallest(self, layer: int) -> float:
        """The smallest difference before a layer, as far as it is known."""
        if not self._per_layer:
            return float(self._degree) ** (1 - layer)
        before = self._clusters[: layer - 1]
        if not all(each.surely == each.possibly for each in before):
            return 0.0
        return min([1.0, *(each.min_gap for each in before if each.min_gap is not None)])

    def _is_rounding(self, number: int, clusters: Clusters) -> BoolArray:
        """For each class of close rows, whether their distances are rounding."""
        spread = _spreads(self._layers[number], clusters.possibly)
        if self._single is None:
            equal: BoolArray = spread == 0
            return equal
        single = _spreads(self._single[number], clusters.possibly)
        predicted = _PREDICTED * FINER * np.maximum(single, _SINGLE_EPS)
        small: BoolArray = spread <= np.maximum(predicted, 4 * _EPS)
        return small

    def _is_sensitive(self, number: int, pairs: IntArray, clusters: Clusters) -> BoolArray:
        """For each pair, whether random input features come out clearly different."""
        least = _SENSITIVE * CLEAR * clusters.noise
        if not self._probes:
            gap = clusters.min_gap or 0.0
            return np.full(len(pairs), gap > least * self._degree / BLURRED)
        apart = np.zeros(len(pairs), dtype=bool)
        for layers in self._probes:
            one, two = (layers[number][pairs[:, place]] for place in (0, 1))
            size = np.maximum(np.abs(one), np.abs(two)).max(axis=1)
            apart |= np.abs(one - two).max(axis=1) > least * size
        return apart


def _pairs(near: Partition, colours: Partition) -> IntArray:
    """In each class of near rows, its first row with the first row of each other colour."""
    both = near.meet(colours)
    first = np.sort(np.unique(both.colours, return_index=True)[1])
    start = np.unique(near.colours, return_index=True)[1][near.colours[first]]
    pairs: IntArray = np.stack([start, first], axis=1)[start != first]
    return pairs


def _spreads(rows: FloatArray, classes: Partition) -> FloatArray:
    return spreads_of(rows, np.abs(rows).max(axis=1, initial=0.0), classes)


def _random_rows(run: OwnRun) -> list[list[FloatArray]]:
    """The features for positive and for mixed random input; none if the model refuses them."""
    setting, random = run.setting, np.random.default_rng(0)
    shape = (setting.graph.num_vertices, setting.features.width)
    inputs = [random.uniform(0.5, 1.5, shape), random.normal(size=shape)]
    given = Arrangement.as_given(setting.arcs)
    try:
        return [run(given, torch.from_numpy(rows)) for rows in inputs]
    except InputError:
        return []
