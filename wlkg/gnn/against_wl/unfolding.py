"""Which items the features of given items depend on, layer by layer, with equal ones counted once.

The exact features of an item after layer t depend on its unfolding: its neighbours, theirs, and so
on, t times. Items of one colour have equal features in exact arithmetic: that is what the theorems
prove, whatever floating-point numbers show. So one item per colour stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.arrays import IntArray
from wlkg.gnn.against_wl.exact_table import Budget
from wlkg.graph.arcs import Arcs

#: From items and a layer to classes of items with equal features after that layer; 0: the input.
Classes = Callable[[IntArray, int], IntArray]


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of a layer: row ``target`` sees row ``source`` through ``slot``, several times.

    A slot is a relation; for tuples a position and a relation.
    """

    #: For each target, the row of the previous layer that holds its own features.
    own: IntArray
    target: IntArray
    slot: IntArray
    source: IntArray
    count: IntArray
    #: How many neighbours the target has in this slot.
    degree: IntArray
    #: How many vertices have the neighbour in this slot.
    seen: IntArray


@dataclass(frozen=True, eq=False)
class Unfolding:
    """The messages of all layers."""

    #: An item for each row of the input.
    start: IntArray
    steps: list[Messages]
    #: For each layer with targets, the row of each target.
    rows: dict[int, IntArray]


@dataclass(frozen=True, eq=False)
class Items:
    """Vertices, or k-tuples of vertices in lexicographic order, and what they see."""

    arcs: Arcs
    k: int = 1
    #: For each arc, how many vertices have its neighbour in its relation.
    seen: IntArray | None = None

    def num_messages(self, items: IntArray) -> IntArray:
        """For each item, how many messages it receives."""
        degrees = np.diff(self.arcs.offsets)
        counts: IntArray = sum(
            (degrees[vertex] for vertex, _ in self._positions(items)), np.zeros(len(items), int)
        )
        return counts

    def _positions(self, items: IntArray) -> list[tuple[IntArray, int]]:
        """For each position the vertex of each item there, and the weight of its digit."""
        n = self.arcs.num_vertices
        weights = [n ** (self.k - 1 - j) for j in range(self.k)]
        return [(items // weight % n, weight) for weight in weights]

    def seen_by(self, items: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """For all messages to the items: the place of the item, slot, sender and `seen`."""
        arcs = self.arcs
        parts = []
        for position, (vertex, weight) in enumerate(self._positions(items)):
            degrees = np.diff(arcs.offsets)[vertex]
            place = np.repeat(np.arange(len(items)), degrees)
            shift = np.arange(len(place)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
            arc = arcs.offsets[:-1][vertex][place] + shift
            sender = items[place] + (arcs.neighbour[arc].astype(np.int64) - vertex[place]) * weight
            slot = position * arcs.num_relations + arcs.relation[arc].astype(np.int64)
            seen = np.ones(len(arc), np.int64) if self.seen is None else self.seen[arc]
            parts.append((place, slot, sender, seen))
        place, slot, sender, seen = (np.concatenate(each) for each in zip(*parts, strict=True))
        return place, slot, sender, seen


def unfold(
    items: Items,
    targets: Mapping[int, IntArray],
    classes: Classes,
    budget: Budget,
    work: Sequence[int],
) -> Unfolding:
    """What the features of the targets of each layer depend on.

    ``work[t - 1]`` is the least that a row of layer t costs later. An unfolding whose rows will
    exceed the budget is given up at once: otherwise most of the time goes into finding rows that
    are then too many.
    """
    depth = max(targets)
    nothing = np.zeros(0, dtype=np.int64)
    needed, steps, rows = nothing, list[Messages](), dict[int, IntArray]()
    for layer in range(depth, -1, -1):
        wanted = np.concatenate([needed, targets.get(layer, nothing)]).astype(np.int64)
        _, first, place = np.unique(classes(wanted, layer), return_index=True, return_inverse=True)
        present, place = wanted[first], place.reshape(-1)
        if steps:
            steps[-1] = _with_rows(steps[-1], place[: len(needed)])
        rows[layer] = place[len(needed) :]
        if not layer:
            break
        budget.reserve(len(present) * work[layer - 1])
        budget.spend(int(items.num_messages(present).sum()) / 4)
        target, slot, sender, seen = items.seen_by(present)
        steps.append(_messages(present, target, slot, sender, seen))
        needed = np.concatenate([present, sender])
    return Unfolding(present, steps[::-1], rows)


def _messages(
    present: IntArray, target: IntArray, slot: IntArray, sender: IntArray, seen: IntArray
) -> Messages:
    """Messages whose senders are places among those that the layer needs, not yet rows."""
    degree = np.zeros(0, dtype=np.int64)
    if len(target):
        keys = target * (int(slot.max()) + 1) + slot
        _, pair, counts = np.unique(keys, return_inverse=True, return_counts=True)
        degree = counts[pair.reshape(-1)]
    return Messages(
        own=np.arange(len(present)),
        target=target,
        slot=slot,
        source=len(present) + np.arange(len(sender)),
        count=np.ones(len(sender), dtype=np.int64),
        degree=degree,
        seen=seen,
    )


def _with_rows(messages: Messages, row: IntArray) -> Messages:
    """The messages with the rows of their senders; equal messages are counted once."""
    source = row[messages.source]
    columns = (messages.target, messages.slot, source, messages.seen)
    order = np.lexsort(columns[::-1])
    changes = np.zeros(len(order), dtype=bool)
    changes[:1] = True
    for column in columns:
        changes[1:] |= np.diff(column[order]) != 0
    places = np.flatnonzero(changes)
    first, counts = order[places], np.diff(np.r_[places, len(order)])
    return Messages(
        own=row[messages.own],
        target=messages.target[first],
        slot=messages.slot[first],
        source=source[first],
        count=counts,
        degree=messages.degree[first],
        seen=messages.seen[first],
    )
