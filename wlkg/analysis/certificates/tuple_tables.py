"""Evidence for the tuple tests: the classes of all tuples, or how large they are at each round."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from wlkg.analysis.certificates.certificate import name_order
from wlkg.analysis.side_by_side import SideBySide
from wlkg.arrays import IntArray
from wlkg.partition import Partition
from wlkg.refinement.results import Refinement


def stable_tuples(pair: SideBySide, refinement: Refinement) -> dict[str, Any]:
    """The class of each tuple of both graphs, in the order of certificates, and the sizes."""
    colours = _in_name_order(pair, refinement)
    partition = Partition.of(np.concatenate(colours))
    split = len(colours[0])
    return {
        "sizes": [int(count) // 2 for count in partition.sizes],
        "colours": [partition.colours[:split].tolist(), partition.colours[split:].tolist()],
    }


def _in_name_order(pair: SideBySide, refinement: Refinement) -> list[IntArray]:
    """The colours of the tuples of each graph, in lexicographic order of its sorted vertices."""
    colours, first, tables = refinement.partition.colours, 0, []
    for graph, count in zip(pair.graphs, refinement.items_per_block, strict=True):
        table = colours[first : first + count].reshape((graph.num_vertices,) * refinement.arity)
        order = name_order(graph)
        for axis in range(refinement.arity):
            table = table.take(order, axis=axis)
        tables.append(table.reshape(-1))
        first += count
    return tables


def class_sizes(refinement: Refinement, last_round: int) -> dict[str, Any]:
    """For the rounds 0 .. ``last_round`` how many classes have n and m tuples: [n, m, classes]."""
    first = refinement.items_per_block[0]
    rounds = []
    for number in range(last_round + 1):
        partition = refinement.history.partition(number)
        counts = [
            np.bincount(part, minlength=partition.num_classes).tolist()
            for part in (partition.colours[:first], partition.colours[first:])
        ]
        kinds = Counter(zip(*counts, strict=True))
        rounds.append(sorted([n, m, classes] for (n, m), classes in kinds.items()))
    return {"rounds": rounds}
