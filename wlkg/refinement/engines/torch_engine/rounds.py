"""Colour refinement by whole rounds on int64 tensors of one device.

The name of a class c is a random-looking number a_c. The signature of a vertex is the sum over its
arcs (i, u) of ``a_c · b_i``, modulo 2^64 and in two lanes, where c is the class of u and b_i an odd
random number of the relation; for tests that do not see relations, b_i = 1. As in
`wlkg.refinement.vertices.worklist`, the largest part of a split class keeps its name, and vertices
of a class are compared by how much their sums *changed*. So after round 1 only arcs to vertices
with a new class count, and arcs of vertices that are alone in their class are forgotten.

==================  ================================================================================
sums by vertex      arcs are listed vertex by vertex, so a sum is a difference of two running sums:
                    exact modulo 2^64, and the same on every device
equal (class, sums) one sort by a fingerprint of the three numbers; neighbours in the sorted order
                    are compared in full, and should two fingerprints collide, three stable sorts
                    decide instead
==================  ================================================================================

A round costs O(arcs + n log n), so this engine suits graphs with few rounds; a path has n / 2.
Every split is right, because different sums mean different multisets. `torch_engine.check` proves
that none was missed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.torch_engine.arcs import TensorArcs, arcs_of, ranges
from wlkg.refinement.vertices.shares import arc_weights
from wlkg.refinement.vertices.vertex_problem import VertexProblem

#: Arcs whose summands are in memory at the same time, unless a single vertex has more.
_ARCS_TOGETHER = 1 << 20
#: Select arcs to changed vertices if at most this share of the arcs leads there.
_SELECTED_SHARE = 0.25
#: Forget arcs of lone vertices once they are this share of all.
_FORGOTTEN_SHARE = 0.3
_ALL_BITS = -1


class TensorRounds:
    """The state of one run; ``mask`` weakens the names of classes, for tests."""

    def __init__(
        self, problem: VertexProblem, seed: int, device: torch.device, mask: int = _ALL_BITS
    ) -> None:
        self._test, self._device, self._mask = problem.test, device, mask
        arcs = TensorArcs.of(problem.arcs, device)
        self._weights: Tensor | None = None
        if problem.test.sees_shares:
            weights = arc_weights(problem.arcs, problem.arcs.source).view(np.int64)
            self._weights = torch.tensor(weights, device=device)
        self._neighbour, self._relation, self._offsets = arcs.neighbour, arcs.relation, arcs.offsets
        self._owners = torch.arange(problem.num_vertices, device=device)
        draw = np.random.default_rng(seed)
        count = (max(problem.arcs.num_relations, 1), 2)
        salts = draw.integers(-(2**63), 2**63, size=(3, *count), dtype=np.int64)
        self._factors = torch.tensor(salts[0] | 1, device=device)
        self._degree_names = torch.tensor(salts[1] & mask, device=device)
        self._salts = torch.tensor(salts[2, :1], device=device)
        self.class_of = torch.tensor(problem.start.colours, device=device).long()
        start = torch.arange(problem.start.num_classes, device=device)
        self._parents, self._births = [start], [torch.zeros_like(start)]
        self.num_classes = problem.start.num_classes
        self.rounds = 0

    def run(self, last_round: int, progress: Progress = SILENT) -> bool:
        """Refine until nothing changes (True) or ``last_round`` is reached (False)."""
        steps = self._names(self.class_of)
        changed: Tensor | None = None
        while self.rounds < last_round:
            split = self._split(self._sums(steps, changed))
            if split is None:
                return True
            if changed is None:
                steps.zero_()
            else:
                steps[changed] = 0
            changed, before = split
            after = self.class_of.index_select(0, changed)
            steps[changed] = self._names(after) - self._names(before)
            self.rounds += 1
            progress.done(self.rounds)
            progress.count(self.num_classes, "classes")
        return False

    def history(self) -> History:
        """The split tree so far."""
        return History(
            class_of=self.class_of.cpu().numpy(),
            parent=torch.cat(self._parents).cpu().numpy(),
            birth=torch.cat(self._births).cpu().numpy(),
            rounds=self.rounds,
        )

    def tree(self) -> tuple[Tensor, Tensor]:
        """The parent and the birth of each class."""
        return torch.cat(self._parents), torch.cat(self._births)

    def _names(self, classes: Tensor) -> Tensor:
        """Two random-looking numbers for each class in the list."""
        return _mixed(classes[:, None] * _GOLDEN + self._salts) & self._mask

    def _sums(self, steps: Tensor, changed: Tensor | None) -> Tensor:
        """By how much the sums of the owners change if each neighbour adds its steps.

        The steps of vertices that are not ``changed`` are 0; None if all are.
        """
        if changed is not None:
            is_changed = torch.zeros(len(steps), dtype=torch.bool, device=self._device)
            is_changed[changed] = True
            arriving = is_changed.index_select(0, self._neighbour)
            if int(torch.count_nonzero(arriving)) <= _SELECTED_SHARE * len(arriving):
                return self._sums_of(torch.nonzero(arriving).flatten(), steps)
        result = torch.zeros((len(self._owners), 2), dtype=torch.int64, device=self._device)
        for low, high in ranges(self._offsets[1:], _ARCS_TOGETHER):
            first, last = int(self._offsets[low]), int(self._offsets[high])
            running = self._summands(slice(first, last), steps).cumsum(0)
            result[low:high] = _differences(running, self._offsets[low : high + 1] - first)
        return result

    def _sums_of(self, chosen: Tensor, steps: Tensor) -> Tensor:
        """The same if only the chosen arcs add something."""
        running = self._summands(chosen, steps).cumsum(0)
        return _differences(running, torch.searchsorted(chosen, self._offsets))

    def _summands(self, chosen: slice | Tensor, steps: Tensor) -> Tensor:
        relation = self._relation[chosen]
        if self.rounds == 0 and self.num_classes == 1:
            values = steps[:1].repeat(len(relation), 1)  # all neighbours are alike: do not look
        else:
            values = steps.index_select(0, self._neighbour[chosen])
        if self._test.sees_relations and len(self._factors) > 1:
            values *= self._factors.index_select(0, relation)
        if self._weights is not None:
            values *= self._weights[chosen, None]
        if self._test.sees_degrees and self.rounds == 0:
            values += self._degree_names.index_select(0, relation)
        return values

    def _split(self, sums: Tensor) -> tuple[Tensor, Tensor] | None:
        """Split classes by the changes of sums: vertices with a new class, and their old classes.

        None if no class is split.
        """
        touched = torch.nonzero((sums[:, 0] != 0) | (sums[:, 1] != 0)).flatten()
        hit = torch.zeros(self.num_classes, dtype=torch.bool, device=self._device)
        owner_class = self.class_of.index_select(0, self._owners)
        hit[owner_class.index_select(0, touched)] = True
        rows = torch.nonzero(hit.index_select(0, owner_class)).flatten()
        groups = _grouped(owner_class.index_select(0, rows), sums.index_select(0, rows))
        # The largest part of each class comes first, and keeps the number.
        n = len(self.class_of)
        by_size = torch.argsort(groups.classes * (n + 1) + (n - groups.sizes), stable=True)
        parents = groups.classes.index_select(0, by_size)
        is_new = torch.zeros_like(parents, dtype=torch.bool)
        is_new[1:] = parents[1:] == parents[:-1]
        born = parents[is_new]
        if not len(born):
            return None
        numbers = torch.full_like(parents, -1)
        numbers[by_size[is_new]] = self.num_classes + torch.arange(len(born), device=self._device)
        of_row = torch.repeat_interleave(numbers, groups.sizes)
        moving = torch.nonzero(of_row >= 0).flatten()
        vertices = self._owners.index_select(0, rows.index_select(0, groups.order[moving]))
        before = self.class_of.index_select(0, vertices)
        self.class_of[vertices] = of_row.index_select(0, moving)
        self._parents.append(born)
        self._births.append(torch.full_like(born, self.rounds + 1))
        self.num_classes += len(born)
        self._forget_lone_vertices()
        return vertices, before

    def _forget_lone_vertices(self) -> None:
        """Drop the arcs of vertices that are alone in their class, if there are many."""
        classes = self.class_of.index_select(0, self._owners)
        sizes = torch.bincount(classes, minlength=self.num_classes)
        shared = torch.nonzero(sizes.index_select(0, classes) > 1).flatten()
        degrees = torch.diff(self._offsets).index_select(0, shared)
        if int(degrees.sum()) > (1 - _FORGOTTEN_SHARE) * len(self._neighbour):
            return
        kept, _ = arcs_of(self._offsets, shared)
        self._neighbour = self._neighbour.index_select(0, kept)
        self._relation = self._relation.index_select(0, kept)
        if self._weights is not None:
            self._weights = self._weights.index_select(0, kept)
        self._owners = self._owners.index_select(0, shared)
        self._offsets = torch.zeros(len(shared) + 1, dtype=torch.int64, device=self._device)
        torch.cumsum(degrees, 0, out=self._offsets[1:])


def _differences(running: Tensor, ends: Tensor) -> Tensor:
    """The sums of adjacent segments, given running sums and where the segments begin and end."""
    padded = torch.cat([running.new_zeros((1, 2)), running])
    return torch.diff(padded.index_select(0, ends), dim=0)


class _Groups(NamedTuple):
    """Rows in an order in which equal ones are adjacent; the class and size of each group."""

    order: Tensor
    classes: Tensor
    sizes: Tensor


def _grouped(classes: Tensor, changes: Tensor) -> _Groups:
    """Group rows with equal (class, change)."""
    prints = _mixed(classes * _GOLDEN + changes[:, 0] + changes[:, 1] * _MIX_1)
    sorted_prints, order = torch.sort(prints)
    begins = _begins(classes, changes, order)
    if bool((begins[1:] & (sorted_prints[1:] == sorted_prints[:-1])).any()):
        order = torch.argsort(changes[:, 1], stable=True)
        for column in (changes[:, 0], classes):
            order = order[torch.argsort(column[order], stable=True)]
        begins = _begins(classes, changes, order)
    starts = torch.nonzero(begins).flatten()
    sizes = torch.diff(starts, append=starts.new_full((1,), len(order)))
    return _Groups(order, classes.index_select(0, order.index_select(0, starts)), sizes)


def _begins(classes: Tensor, changes: Tensor, order: Tensor) -> Tensor:
    """Where, in the order, a row differs from the row before it."""
    result = torch.ones_like(order, dtype=torch.bool)
    classes, changes = classes.index_select(0, order), changes.index_select(0, order)
    differ = changes[1:] != changes[:-1]
    result[1:] = (classes[1:] != classes[:-1]) | differ[:, 0] | differ[:, 1]
    return result


_GOLDEN = 0x9E3779B97F4A7C15 - 2**64
_MIX_1 = 0xBF58476D1CE4E5B9 - 2**64
_MIX_2 = 0x94D049BB133111EB - 2**64


def _mixed(x: Tensor) -> Tensor:
    """A random-looking bijection on 64-bit numbers; a shift of signed numbers repeats the sign."""
    x = (x ^ ((x >> 30) & (2**34 - 1))) * _MIX_1
    x = (x ^ ((x >> 27) & (2**37 - 1))) * _MIX_2
    return x ^ ((x >> 31) & (2**33 - 1))
