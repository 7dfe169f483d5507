"""What is unusual about an own model: randomness, identity leaks, means, low precision.

A model that sees nothing but the graph gives the same features, up to rounding, for every order of
the edges and every numbering of the vertices; more runs test that. How large rounding is, is not
known from the type of the output: a model may compute in single precision inside. So it is
measured: by other orders of the edges, and by a second model in single precision, where rounding is
2**29 times larger. What a new numbering changes beyond that is no rounding, however small.

Stars test how a model aggregates: with a mean (or attention), a centre cannot distinguish one leaf
from two equal leaves; with a maximum, it cannot distinguish {a, b} from {a, a, b} either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import BLURRED, deviation
from wlkg.gnn.against_wl.rounding import least_noise
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.own_models.calls import DROPOUT, EIGENVECTORS, NOISE, POOLING, RANDOM_WALKS, Calls
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.own_run import OwnRun, SingleRun

#: Features on the stars are equal up to this distance; rounding there is negligible.
_SAME = 1e-5
#: More than rounding ever causes, even if the model computes in single precision inside.
BEYOND_ROUNDING = 2.0**-12
#: A new numbering may change features by this multiple of the rounding that was measured.
_LEAK = 32
#: How much finer double precision is than single precision.
FINER = 2.0**-29
#: Orders of the edges, and numberings of the vertices.
_ARRANGEMENTS = 2


@dataclass(frozen=True)
class Diagnosis:
    """How much features differ between runs that should give the same."""

    #: On the same input.
    repeated: float
    #: With the edges in another order.
    reordered: float
    #: With the vertices renumbered.
    renumbered: float
    #: The same in single precision; None if the model does not run in it.
    single: float | None
    #: The vertex whose features change most under a new numbering.
    most_changed: int
    #: The functions that were called in a run, as far as they explain what is unusual.
    calls: frozenset[str]
    #: "mean" or "max" if the stars show it.
    aggregation: str | None
    #: The coarsest type of the features, or the type that they were rounded to.
    dtype: torch.dtype

    @property
    def uses_eigenvectors(self) -> bool:
        """Whether it computes eigenvectors or the like, whose sign and basis are arbitrary."""
        return bool(self.calls & EIGENVECTORS)

    @property
    def walks(self) -> bool:
        """Whether it computes return probabilities of random walks with PyG."""
        return bool(self.calls & RANDOM_WALKS)

    @property
    def pools(self) -> bool:
        """Whether it computes something from all vertices with a known function."""
        return bool(self.calls & POOLING)

    @property
    def drops(self) -> bool:
        """Whether it calls dropout, and nothing else that is random."""
        return bool(self.calls & DROPOUT) and not self.calls & NOISE

    @property
    def rounding(self) -> float:
        """The rounding, as far as runs with the same numbering of vertices show it."""
        scaled = 0.0 if self.single is None else self.single * FINER
        return max(self.repeated, self.reordered, scaled, least_noise(self.dtype))

    @property
    def is_random(self) -> bool:
        """Whether runs on the same input differ by more than a GPU's order of additions causes."""
        return self.repeated > BLURRED * least_noise(self.dtype)

    @property
    def leaks_identity(self) -> bool:
        """Whether features depend on the numbers of vertices."""
        return not self.is_random and self.renumbered > _LEAK * self.rounding

    @property
    def depends_on_order(self) -> bool:
        """Whether features depend on the order of edges."""
        return not self.is_random and self.reordered > BEYOND_ROUNDING

    @property
    def sees_graph_only(self) -> bool:
        """Whether features are a function of the graph, however it is arranged."""
        return not (self.is_random or self.leaks_identity or self.depends_on_order)

    @property
    def can_be_measured(self) -> bool:
        """Whether it makes sense to ask how far a change travels.

        Without a limit if features depend on more than the graph, or on its eigenvectors.
        """
        return self.sees_graph_only and not self.uses_eigenvectors

    @property
    def noise(self) -> float:
        """The rounding, as far as the runs show it."""
        if not self.sees_graph_only:
            return least_noise(self.dtype)
        return max(self.repeated, self.reordered, self.renumbered, least_noise(self.dtype))


def diagnose(
    run: OwnRun, layers: list[FloatArray], single: SingleRun | None, seed: int
) -> Diagnosis:
    """Run a model several more times and compare the features with those of its first run.

    ``single`` is the same model in single precision.
    """
    arcs = run.setting.arcs
    given = Arrangement.as_given(arcs)
    shuffled = [Arrangement.random(arcs, seed + number) for number in range(_ARRANGEMENTS)]
    renumberings = [Arrangement(each.vertices, given.arcs) for each in shuffled]
    calls = Calls()
    with calls:
        repeated = run(given)
    reordered = [run(Arrangement(given.vertices, each.arcs)) for each in shuffled]
    renumbered = [run(each) for each in renumberings]
    changes = np.stack(
        [_changes(a, b) for each in renumbered for a, b in zip(layers, each, strict=True)]
    )
    change = _largest_deviation(layers, *renumbered)
    order = _largest_deviation(layers, *reordered)
    return Diagnosis(
        repeated=_largest_deviation(layers, repeated),
        reordered=order,
        renumbered=change,
        single=None if single is None else _deviation_in_single(single, shuffled[0]),
        most_changed=int(changes.max(axis=0).argmax()),
        calls=frozenset(calls.names),
        aggregation=aggregation_of(run.model, run.setting.features.width, run.model.dtype),
        dtype=_true_dtype(run.dtype, layers) if max(change, order) > 0 else run.dtype,
    )


def _true_dtype(dtype: torch.dtype, layers: Sequence[FloatArray]) -> torch.dtype:
    """Single precision if all features fit into it: then they were rounded to it on the way."""
    fits = all((rows == rows.astype(np.float32)).all() for rows in layers)
    return torch.float32 if fits and dtype == torch.float64 else dtype


def _deviation_in_single(single: SingleRun, arrangement: Arrangement) -> float:
    return _largest_deviation(single.layers, single.run(arrangement))


def _largest_deviation(layers: list[FloatArray], *others: list[FloatArray]) -> float:
    return max(deviation(a, b) for each in others for a, b in zip(layers, each, strict=True))


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
