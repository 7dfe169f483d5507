"""How far a model sees, measured: the depth of a model that returns its last features only.

A model runs on a `probe` and on the probe with its copies swapped. Let d be the distance that a
change travels along a path:

| model | features travel | a leaf travels | WL sees as much at round |
|---|---|---|---|
| L layers of message passing | L | L - 1 | L |
| the same, messages divided by degrees (GCN) | L | L | L + 1 |
| degrees or random walks of k steps as input | L | up to L + k | up to L + k + 1 |
| layers until nothing changes | no limit | no limit | when it is stable |
| nothing but its own features | 0 | not at all | 0 |

The depth is the distance that features travel. A model that ignores them has the depth that the
leaf shows. The round is the one that sees as much: max(d of features, d of the leaf + 1).

What is measured is at most the depth of the model, and less only by chance: weights are drawn
several times, and features of two sizes travel along paths of several kinds, so that no ReLU hides
a change everywhere. A change that fades until it drowns in rounding has no limit that could be
known; neither has one that reaches the end of the path. Eigenvectors are not measured: they depend
on the whole graph, and copies of a path make them ambiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import InputError
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.probe import (
    FEATURES,
    HOPS,
    LEAF,
    NOTHING,
    Probe,
)

#: Changes in the control larger than this are no rounding.
_ROUNDING = 2.0**-12
#: Changes count from this multiple of the noise on, and of the precision of the numbers.
_NOISE, _PRECISION = 2.0**10, 64
#: The last change of a path must be larger than this, or its end is not known.
_FAINT = 2.0**-36

#: Features of this size may travel where others fade. They would drown others in one graph.
_LARGE = 1e4
#: A distance without limit.
NO_LIMIT = HOPS


@dataclass(frozen=True)
class LayerReach:
    """How far the features after a layer see: -1 is nowhere, `NO_LIMIT` is everywhere."""

    #: The distance that a change of features travels.
    features: int
    #: The distance that a change of arcs travels.
    arcs: int

    @property
    def limited(self) -> bool:
        return max(self.features, self.arcs) < NO_LIMIT

    @property
    def depth(self) -> int:
        """The number of layers of message passing that see as far; 0 if neighbours are ignored."""
        return self.features if self.features >= 0 else self.arcs + 1

    @property
    def round(self) -> int:
        """The round of WL that sees as far."""
        return max(self.features, self.arcs + 1)

    def joined(self, other: LayerReach) -> LayerReach:
        """What either of two draws shows."""
        return LayerReach(max(self.features, other.features), max(self.arcs, other.arcs))


@dataclass(frozen=True)
class Reach:
    """How far a model sees after each layer that it returns."""

    layers: tuple[LayerReach, ...]
    #: Whether a change in one component shows in another.
    whole_graph: bool

    @property
    def no_limit(self) -> int:
        """The distance that stands for no limit."""
        return NO_LIMIT

    @property
    def last(self) -> LayerReach:
        return self.layers[-1]

    def joined(self, other: Reach) -> Reach:
        """What either of two draws shows."""
        pairs = zip(self.layers, other.layers, strict=True)
        return Reach(
            tuple(one.joined(two) for one, two in pairs), self.whole_graph or other.whole_graph
        )


@dataclass(frozen=True, eq=False)
class Subject:
    """A model that is measured."""

    model: OwnModel
    #: The same model made for another number of vertices.
    remade: Callable[[int], OwnModel]
    relations: int
    #: The rows of its usual features.
    rows: FloatArray
    device: torch.device
    seed: int


def reach_of(subject: Subject, *, thorough: bool = True) -> Reach | None:
    """How far a model sees; None if it does not run on other graphs or gives no clear answer."""
    width = subject.rows.shape[1]
    usual = Probe(max(subject.relations, 1), subject.seed, None, width)
    for probe in (usual, replace(usual, rows=subject.rows)):
        for remake in (False, True):
            try:
                model = subject.remade(probe.num_vertices) if remake else subject.model
                return _measured(model, probe, subject.device, thorough)
            except InputError:
                continue
    return None


def _measured(model: OwnModel, probe: Probe, device: torch.device, thorough: bool) -> Reach | None:
    usual = _reach(model, probe, device)
    if usual is None or probe.rows is not None or not thorough:
        return usual
    try:
        large = _reach(model, replace(probe, size=_LARGE), device)
    except InputError:  # an overflow, for instance
        return usual
    return usual if large is None else usual.joined(large)


def _reach(model: OwnModel, probe: Probe, device: torch.device) -> Reach | None:
    def run(*, swapped: bool = False, far: bool = False) -> list[FloatArray]:
        x, edge_index, edge_type = probe.graph(swapped=swapped, far=far)
        out = model(x.to(device, model.dtype), edge_index.to(device), edge_type.to(device))
        return [rows.cpu().to(torch.float64).numpy() for rows in out]

    precision = _PRECISION * torch.finfo(model.dtype).eps
    layers, whole_graph = [], False
    for one, two, three in zip(run(), run(swapped=True), run(far=True), strict=True):
        changes, elsewhere = _changes(one, two), _changes(one, three)
        noise = max(_of(NOTHING, probe, changes))
        if noise > _ROUNDING:
            return None
        least = max(_NOISE * noise, precision)
        layers.append(_layer(probe, changes, least))
        apart = (change for kind in (FEATURES, LEAF) for change in _of(kind, probe, elsewhere))
        whole_graph |= max(apart) > least
    return Reach(tuple(layers), whole_graph)


def _of(change: str, probe: Probe, changes: FloatArray) -> list[float]:
    """The largest change in each pair of a kind."""
    return [float(changes[pair.vertices].max()) for pair in probe.pairs if pair.change == change]


def _layer(probe: Probe, changes: FloatArray, least: float) -> LayerReach:
    features, arcs = (
        _distance([changes[pair.path] for pair in probe.pairs if pair.change == kind], least)
        for kind in (FEATURES, LEAF)
    )
    return LayerReach(features, arcs)


def _distance(paths: Sequence[FloatArray], least: float) -> int:
    """The distance up to which some path has changed; no limit if the change is faint there."""
    largest = np.max(np.stack(paths), axis=0)
    changed = np.flatnonzero(largest > least)
    if not len(changed):
        return -1
    distance = int(changed[-1])
    return NO_LIMIT if distance > 0 and largest[distance] < max(_FAINT, least) else distance


def _changes(rows: FloatArray, others: FloatArray) -> FloatArray:
    """For each row, its largest change relative to its largest entry."""
    size = np.maximum(np.abs(rows), np.abs(others)).max(axis=1)
    change = np.abs(rows - others).max(axis=1)
    relative: FloatArray = np.divide(change, size, out=np.zeros_like(change), where=size > 0)
    return relative
