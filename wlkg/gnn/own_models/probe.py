"""Pairs of equal paths with a change at one end: a graph that shows how far a model sees.

A *pair* is two copies of a path v_0, ..., v_24. Both have the same relations and, except at v_0,
the same features. A change at v_0 tells the copies apart:

- other features, of the usual size or, in a graph of its own, much larger;
- a leaf that one copy has and the other has not.

WL sees the first at v_d from round d on, and the second from round d + 1 on. Swapping the two
copies gives the same graph up to isomorphism. So whatever a model computes from all vertices at
once (a readout, a virtual node, statistics of a normalisation) stays as it is, and what differs
between a vertex and itself in the swapped graph has travelled along the path.

Paths are of three kinds, because a model may heed some relations or one direction only: one
relation for each step, with arcs leading away from the change or both ways; and many relations in
parallel.
Other components are equal in both graphs: the *control*, where only rounding can differ, and the
*far* one, which is changed to see whether a model looks at all vertices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray, IntArray

#: Changes that travel further than this have no limit.
HOPS = 24
#: Vertices of one copy: the path and the leaf.
_SIZE = HOPS + 2
_LEAF = HOPS + 1
#: Relations in parallel, at most.
_PARALLEL = 8
_REPEATS = 2

FEATURES, LEAF, NOTHING, FAR = "features", "leaf", "nothing", "far"
AWAY, BOTH, PARALLEL = "away", "both", "parallel"


@dataclass(frozen=True)
class Pair:
    """Two copies of a path; the first has the numbers from ``start``."""

    start: int
    change: str
    kind: str

    @property
    def path(self) -> slice:
        """The path of the first copy."""
        return slice(self.start, self.start + HOPS + 1)

    @property
    def vertices(self) -> slice:
        """All vertices of both copies."""
        return slice(self.start, self.start + 2 * _SIZE)


@dataclass(frozen=True)
class Probe:
    """The graph; which features and relations it has is drawn with a seed."""

    relations: int
    seed: int
    #: The rows that features are drawn from; by default they are random, of this width.
    rows: FloatArray | None
    width: int
    #: How large the features are that make the difference.
    size: float = 1.0

    @property
    def pairs(self) -> tuple[Pair, ...]:
        kinds = [AWAY, BOTH] * _REPEATS + [PARALLEL]
        changes = [(change, kind) for change in (FEATURES, LEAF) for kind in kinds]
        changes += [(NOTHING, kind) for kind in (AWAY, BOTH, PARALLEL)] + [(FAR, BOTH)]
        return tuple(
            Pair(2 * _SIZE * place, change, kind) for place, (change, kind) in enumerate(changes)
        )

    @property
    def num_vertices(self) -> int:
        return 2 * _SIZE * len(self.pairs)

    def graph(self, *, swapped: bool = False, far: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """The features, the arcs and their relations; ``far`` changes the far component."""
        draw = np.random.default_rng(self.seed)
        features, sends, receives, relations = [], [], [], []
        for pair in self.pairs:
            x, arcs, kinds = self._pair(pair, draw, swapped=swapped, far=far)
            features.append(x)
            sends.append(arcs[:, 0] + pair.start)
            receives.append(arcs[:, 1] + pair.start)
            relations.append(kinds)
        edge_index = np.stack([np.concatenate(sends), np.concatenate(receives)])
        return (
            torch.from_numpy(np.concatenate(features)),
            torch.from_numpy(edge_index.astype(np.int64)),
            torch.from_numpy(np.concatenate(relations).astype(np.int64)),
        )

    def _pair(
        self, pair: Pair, draw: np.random.Generator, *, swapped: bool, far: bool
    ) -> tuple[FloatArray, IntArray, IntArray]:
        """Both copies: what is drawn does not depend on ``swapped`` and ``far``."""
        x = self._features(_SIZE, draw)
        ends = self._features(3, draw) * self.size
        steps, kinds = self._steps(pair.kind, draw)
        leaf_kinds = draw.integers(self.relations, size=2)
        first, second = x.copy(), x.copy()
        if pair.change == FEATURES:
            first[0], second[0] = ends[:2][::-1] if swapped else ends[:2]
        if pair.change == FAR and far:
            first[0] = second[0] = ends[2]
        # The leaf hangs on the first copy or on the second; in the far component it moves.
        holder = _SIZE if swapped and pair.change == LEAF else 0
        at = holder + (HOPS // 2 if pair.change == FAR and far else 0)
        leaf = np.array([[holder + _LEAF, at], [at, holder + _LEAF]])
        arcs = np.concatenate([steps, steps + _SIZE])
        types = np.concatenate([kinds, kinds])
        if pair.change in (LEAF, FAR):
            arcs, types = np.concatenate([arcs, leaf]), np.concatenate([types, leaf_kinds])
        return np.concatenate([first, second]), arcs, types

    def _steps(self, kind: str, draw: np.random.Generator) -> tuple[IntArray, IntArray]:
        """The arcs of one copy: from each vertex of the path to the next, and back."""
        here = np.arange(HOPS)
        away = np.stack([here, here + 1], axis=1)
        steps = away if kind == AWAY else np.concatenate([away, away[:, ::-1]])
        if kind != PARALLEL:
            return steps, draw.integers(self.relations, size=len(steps))
        count = min(self.relations, _PARALLEL)
        chosen = [draw.permutation(self.relations)[:count] for _ in steps]
        return np.repeat(steps, count, axis=0), np.concatenate(chosen)

    def _features(self, count: int, draw: np.random.Generator) -> FloatArray:
        if self.rows is None:
            return draw.uniform(0.5, 1.5, (count, self.width))
        chosen: FloatArray = self.rows[draw.integers(len(self.rows), size=count)]
        return chosen
