"""What is unusual about an own model: randomness, identity leaks, means, low precision.

A model that sees nothing but the graph gives the same features, up to rounding, for every order of
the edges and every numbering of the vertices; more runs test that. Stars test how it aggregates:
with a mean (or attention), a centre cannot distinguish one leaf from two equal leaves; with
a maximum, it cannot distinguish {a, b} from {a, a, b} either.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import BLURRED, deviation
from wlkg.gnn.against_wl.rounding import least_noise
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.own_run import OwnRun

#: Features on the stars are equal up to this distance; rounding there is negligible.
_SAME = 1e-5


@dataclass(frozen=True)
class Diagnosis:
    """How much features differ between runs that should give the same."""

    #: On the same input.
    repeated: float
    #: With the edges in another order.
    reordered: float
    #: With the vertices renumbered.
    renumbered: float
    #: The vertex whose features change most under a new numbering.
    most_changed: int
    #: "mean" or "max" if the stars show it.
    aggregation: str | None
    dtype: torch.dtype

    @property
    def tolerance(self) -> float:
        """More than rounding ever causes."""
        return math.sqrt(torch.finfo(self.dtype).eps)

    @property
    def is_random(self) -> bool:
        """Whether runs on the same input differ by more than a GPU's order of additions causes."""
        return self.repeated > BLURRED * least_noise(self.dtype)

    @property
    def leaks_identity(self) -> bool:
        """Whether features depend on the numbers of vertices."""
        return not self.is_random and self.renumbered > self.tolerance

    @property
    def depends_on_order(self) -> bool:
        """Whether features depend on the order of edges."""
        return not self.is_random and self.reordered > self.tolerance

    @property
    def sees_graph_only(self) -> bool:
        """Whether features are a function of the graph, however it is arranged."""
        return not (self.is_random or self.leaks_identity or self.depends_on_order)

    @property
    def noise(self) -> float:
        """The rounding, as far as the runs show it."""
        if not self.sees_graph_only:
            return least_noise(self.dtype)
        return max(self.repeated, self.reordered, self.renumbered, least_noise(self.dtype))


def diagnose(run: OwnRun, layers: list[FloatArray], seed: int) -> Diagnosis:
    """Run a model three more times and compare the features with those of its first run."""
    arcs = run.setting.arcs
    given, shuffled = Arrangement.as_given(arcs), Arrangement.random(arcs, seed)
    repeated, reordered, renumbered = (
        run(arrangement)
        for arrangement in (
            given,
            Arrangement(given.vertices, shuffled.arcs),
            Arrangement(shuffled.vertices, given.arcs),
        )
    )
    changes = np.stack([_changes(a, b) for a, b in zip(layers, renumbered, strict=True)])
    return Diagnosis(
        repeated=_largest_deviation(layers, repeated),
        reordered=_largest_deviation(layers, reordered),
        renumbered=_largest_deviation(layers, renumbered),
        most_changed=int(changes.max(axis=0).argmax()),
        aggregation=aggregation_of(run.model, run.setting.features.width, run.setting.dtype),
        dtype=run.output_dtype,
    )


def _largest_deviation(layers: list[FloatArray], others: list[FloatArray]) -> float:
    return max(deviation(a, b) for a, b in zip(layers, others, strict=True))


def _changes(rows: FloatArray, others: FloatArray) -> FloatArray:
    """The largest change in each row."""
    changes: FloatArray = np.abs(rows - others).max(axis=1)
    return changes


def aggregation_of(model: OwnModel, width: int, dtype: torch.dtype) -> str | None:
    """Whether the model aggregates by mean or max; None if the stars show neither."""
    # Centres with the leaves a; a, a; a, b; a, a, b; and none. All centres have one kind of
    # features, the leaves a and b have two others.
    stars = ["a", "aa", "ab", "aab", ""]
    kinds, sources, targets = ["centre"] * len(stars), [], []
    for centre, leaves in enumerate(stars):
        for leaf in leaves:
            sources.append(len(kinds))
            targets.append(centre)
            kinds.append(leaf)
    rows = np.random.default_rng(0).uniform(0.5, 1.5, (3, width))
    x = torch.from_numpy(rows[[["centre", "a", "b"].index(kind) for kind in kinds]]).to(dtype)
    edge_index = torch.tensor([sources, targets])
    try:
        out = model(x, edge_index, torch.zeros(len(sources), dtype=torch.long))[-1]
    except InputError:
        return None  # the model works on one graph only
    one, two, mixed, more, alone = (row[None].double().numpy() for row in out[: len(stars)])
    if deviation(one, alone) < _SAME or deviation(one, two) > _SAME:
        return None
    return "max" if deviation(mixed, more) < _SAME else "mean"
