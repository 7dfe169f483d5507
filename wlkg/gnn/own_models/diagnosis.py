"""What is unusual about a user's model: randomness, identity leakage, means, coarse numbers.

A model that only sees the graph gives the same features whatever the order of edges and the numbers
of vertices, up to rounding. That is tried. How it aggregates is tried on stars: with a mean (or
attention) one leaf and two like leaves are the same to the centre, with a maximum {a, b} and
{a, a, b} are the same too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import BLURRED, deviation
from wlkg.gnn.against_wl.judging import least_noise
from wlkg.gnn.against_wl.runs import Order
from wlkg.gnn.own_models.own_model import UserModel
from wlkg.gnn.own_models.own_run import UserRun
from wlkg.graph.arcs import Arcs

#: Distances up to this are equal features on the stars, where rounding is next to nothing.
_SAME = 1e-5


@dataclass(frozen=True)
class Diagnosis:
    """By how much features differ between runs that ought to be the same; 0 at the least."""

    #: On the same input, with edges in another order, and with vertices renumbered.
    repeated: float
    reordered: float
    renumbered: float
    #: The vertex whose features a new numbering changes the most.
    most_changed: int
    #: "mean" or "max" if the stars show it.
    aggregation: str | None
    dtype: torch.dtype

    @property
    def tolerance(self) -> float:
        """More than rounding ever does."""
        return math.sqrt(torch.finfo(self.dtype).eps)

    @property
    def is_random(self) -> bool:
        """Whether runs on the same input differ, and not by the order of additions on a GPU."""
        return self.repeated > BLURRED * least_noise(self.dtype)

    @property
    def leaks_identity(self) -> bool:
        """Whether numbers of vertices are looked at."""
        return not self.is_random and self.renumbered > self.tolerance

    @property
    def depends_on_order(self) -> bool:
        """Whether the order of edges is looked at."""
        return not self.is_random and self.reordered > self.tolerance

    @property
    def sees_graph_only(self) -> bool:
        """Whether features are a function of the graph, whatever the order it comes in."""
        return not (self.is_random or self.leaks_identity or self.depends_on_order)

    @property
    def noise(self) -> float:
        """What rounding does, as far as it can be told."""
        if not self.sees_graph_only:
            return least_noise(self.dtype)
        return max(self.repeated, self.reordered, self.renumbered, least_noise(self.dtype))


def diagnose(run: UserRun, arcs: Arcs, features: list[FloatArray], seed: int) -> Diagnosis:
    """Run a model a few times more and compare with the features that it gave first."""
    given, shuffled = Order.given(arcs), Order.random(arcs, seed)
    repeated, reordered, renumbered = (
        run(order)
        for order in (
            given,
            Order(given.vertices, shuffled.arcs),
            Order(shuffled.vertices, given.arcs),
        )
    )
    changes = np.stack([_changes(a, b) for a, b in zip(features, renumbered, strict=True)])
    return Diagnosis(
        _most(features, repeated),
        _most(features, reordered),
        _most(features, renumbered),
        int(changes.max(axis=0).argmax()),
        aggregation_of(run.model, run.width, run.dtype),
        run.found_dtype,
    )


def _most(features: list[FloatArray], others: list[FloatArray]) -> float:
    return max(deviation(a, b) for a, b in zip(features, others, strict=True))


def _changes(rows: FloatArray, others: FloatArray) -> FloatArray:
    found: FloatArray = np.abs(rows - others).max(axis=1)
    return found


def aggregation_of(model: UserModel, width: int, dtype: torch.dtype) -> str | None:
    """How the model aggregates, mean or max, if stars show it; None if it tells them apart."""
    # Centres with leaves a; a, a; a, b; a, a, b; none. A centre is of one kind, leaves of two.
    leaves = ["a", "aa", "ab", "aab", ""]
    kinds, sources, targets = ["centre"] * len(leaves), [], []
    for centre, row in enumerate(leaves):
        for leaf in row:
            sources.append(len(kinds))
            targets.append(centre)
            kinds.append(leaf)
    rows = np.random.default_rng(0).uniform(0.5, 1.5, (3, width))
    x = torch.from_numpy(rows[[["centre", "a", "b"].index(kind) for kind in kinds]]).to(dtype)
    edge_index = torch.tensor([sources, targets])
    try:
        out = model(x, edge_index, torch.zeros(len(sources), dtype=torch.long))[-1]
    except InputError:
        return None  # made for one graph only
    one, two, mixed, more, alone = (row[None].double().numpy() for row in out[: len(leaves)])
    if deviation(one, alone) < _SAME or deviation(one, two) > _SAME:
        return None
    return "max" if deviation(mixed, more) < _SAME else "mean"
