"""Proof on tensors, without hashing, that a run missed no split in any round.

Every split is right, so a run is exact if vertices that share a class at round t see the same
colours of round t - 1, for every t > 0. Two kinds of comparisons prove that:

1. All members of a class of the last round T see the same under the colours of round T (or of
   round T - 1, if the run was stopped there).
2. For every class born at a round b > 1, its representative and that of its parent see the same
   under the colours of round b - 2: they were still together at round b - 1.

Let v and w share a class at round t. Both are linked to the representative of that class: by (1) to
that of their own last class, and by (2) from class to parent, over classes that were born after
round t, so under colours of round t - 1 or finer. Hence v and w see the same at round t - 1.

A comparison is between a vertex and the one before it in a list. What a vertex sees is the sorted
list of its (relation, colour) with their counts; for mean-rwl, counts are compared as shares, by
cross-multiplication. There is at most one comparison of kind 2 per class.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from wlkg.catalogue import VertexTest
from wlkg.refinement.engines.torch_engine.arcs import TensorArcs, arcs_of, ranges

#: Arcs that are compared at a time, unless two neighbouring vertices have more.
_ARCS_TOGETHER = 1 << 21
_LARGEST = 2**63 - 1


@dataclass(frozen=True, eq=False)
class _Views:
    """Vertices, each seen at a round; those that ``follow`` must see what the one before sees."""

    vertex: Tensor
    round: Tensor
    follows: Tensor


@dataclass(frozen=True, eq=False)
class TensorCheck:
    """The split tree of a run, and the arcs that it must agree with."""

    arcs: TensorArcs
    test: VertexTest
    class_of: Tensor
    parent: Tensor
    birth: Tensor
    rounds: int

    def holds(self, *, stable: bool) -> bool:
        """Whether no split was missed in any round, nor after the last if it is called stable."""
        return all(
            self._agree(low, high, views)
            for views in (self._members(stable=stable), self._births())
            for low, high in self._blocks(views)
        )

    def _members(self, *, stable: bool) -> _Views:
        """The members of the classes of the last round, class by class."""
        shared = torch.bincount(self.class_of).index_select(0, self.class_of) > 1
        if not stable and self.rounds == 0:
            shared.zero_()  # round 0 is given, and nothing was seen yet
        vertices = torch.nonzero(shared).flatten()
        classes, order = torch.sort(self.class_of.index_select(0, vertices), stable=True)
        follows = torch.zeros_like(shared[: len(classes)])
        follows[1:] = classes[1:] == classes[:-1]
        seen_at = self.rounds if stable else self.rounds - 1
        return _Views(vertices[order], torch.full_like(classes, seen_at), follows)

    def _births(self) -> _Views:
        """The representatives of each class born after round 1 and of its parent, in pairs."""
        representative = torch.zeros_like(self.parent)
        vertices = torch.arange(len(self.class_of), device=self.class_of.device)
        representative[self.class_of] = vertices
        born = torch.nonzero(self.birth > 1).flatten()
        pairs = torch.stack([born, self.parent[born]], 1).flatten()
        follows = torch.zeros_like(pairs, dtype=torch.bool)
        follows[1::2] = True
        seen_at = torch.repeat_interleave(self.birth[born] - 2, 2)
        return _Views(representative[pairs], seen_at, follows)

    def _blocks(self, views: _Views) -> list[tuple[int, int]]:
        """Ranges of views, each beginning with the last view of the range before."""
        running = torch.diff(self.arcs.offsets)[views.vertex].cumsum(0)
        return [(max(low - 1, 0), high) for low, high in ranges(running, _ARCS_TOGETHER)]

    def _agree(self, low: int, high: int, views: _Views) -> bool:
        """Whether the views of a range see the same as those before them where they have to."""
        vertex, seen_at = views.vertex[low:high], views.round[low:high]
        arc, view = arcs_of(self.arcs.offsets, vertex)
        relation = self.arcs.relation.index_select(0, arc).long()
        neighbour = self.arcs.neighbour.index_select(0, arc)
        colour = self._colours(neighbour, seen_at.index_select(0, view))
        follows = views.follows[low:high].clone()
        follows[0] = False
        columns = [colour] if not self.test.sees_relations else [relation, colour]
        if self.test.sees_degrees and not _alike(view, [relation], follows):
            return False
        return _alike(view, columns, follows, shares=self.test.sees_shares)

    def _colours(self, vertex: Tensor, seen_at: Tensor) -> Tensor:
        """The classes of vertices at rounds; a class born later lay within its parent."""
        classes = self.class_of.index_select(0, vertex)
        late = torch.nonzero(self.birth.index_select(0, classes) > seen_at).flatten()
        while len(late):
            earlier = self.parent.index_select(0, classes.index_select(0, late))
            classes[late] = earlier
            still = self.birth.index_select(0, earlier) > seen_at.index_select(0, late)
            late = late[still]
        return classes


def _alike(view: Tensor, columns: list[Tensor], follows: Tensor, *, shares: bool = False) -> bool:
    """Whether following views see the values of the columns as often as the view before.

    With ``shares``, the first column is the relation, and what counts is how often a value is seen
    in relation to how often its relation is.
    """
    count = len(follows)
    key = view
    for column in columns:
        key = _joined(key, column)
    in_order, order = torch.sort(key)
    counts = torch.unique_consecutive(in_order, return_counts=True)[1]
    first = counts.cumsum(0) - counts
    of_run = order.index_select(0, first)
    of_view = view.index_select(0, of_run)
    runs_of_view = torch.bincount(of_view, minlength=count)
    following = torch.nonzero(follows).flatten()
    if bool((runs_of_view[following] != runs_of_view[following - 1]).any()):
        return False
    mine = torch.nonzero(follows.index_select(0, of_view)).flatten()
    owner = of_view.index_select(0, mine)
    other = mine - runs_of_view.index_select(0, owner)  # as many runs as in the view before
    for column in columns:
        values = column.index_select(0, of_run)
        if bool((values.index_select(0, mine) != values.index_select(0, other)).any()):
            return False
    if not shares:
        return bool((counts[mine] == counts[other]).all())
    group = torch.unique_consecutive(_joined(view, columns[0])[of_run], return_inverse=True)[1]
    totals = torch.zeros_like(counts).index_add_(0, group, counts)[group]
    return bool((counts[mine] * totals[other] == counts[other] * totals[mine]).all())


def _joined(one: Tensor, two: Tensor) -> Tensor:
    """A number for each pair, in their lexicographic order; ranks, if products are too large."""
    if not len(one):
        return one
    width = int(two.max()) + 1
    if (int(one.max()) + 1) * width > _LARGEST:
        one = torch.unique(one, return_inverse=True)[1]
        distinct, two = torch.unique(two, return_inverse=True)
        width = len(distinct)
    return one * width + two
