"""What a vertex, or a pair of vertices, is before anything is refined: labels, loops, relations.

The atomic type of a single vertex v consists of its label and of the relations i with v in N_i(v),
its loops. All tests that the paper defines on K-tuples start with atomic types.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import BoolArray, IntArray
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition


def labels_of(graph: RelationalGraph) -> Partition:
    """The partition of the vertices by their labels."""
    if graph.labels is None:
        return Partition.trivial(graph.num_vertices)
    return Partition.of(graph.labels)


def vertex_types(labels: Partition, arcs: Arcs) -> Partition:
    """The partition of the vertices by their atomic types; the arcs say what counts as a loop."""
    is_loop = arcs.source == arcs.neighbour
    if not is_loop.any():
        return labels
    vertices, _, sets = relation_sets(arcs, is_loop)
    loops = np.zeros(arcs.num_vertices, dtype=np.int64)
    loops[vertices] = sets
    return labels.meet(Partition.of(loops))


def relation_sets(arcs: Arcs, chosen: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
    """The pairs (v, u) with a chosen arc from v to u, sorted, and a number for their relations.

    Pairs have the same number exactly if the same relations lead from v to u. Numbers begin with 1:
    0 stands for no arc at all.
    """
    source, neighbour = arcs.source[chosen], arcs.neighbour[chosen].astype(np.int64)
    relation = arcs.relation[chosen].astype(np.int64)
    permutation = np.lexsort([relation, neighbour, source])
    source, neighbour = source[permutation], neighbour[permutation]
    relation = relation[permutation]
    fresh = np.ones(len(source), dtype=bool)
    fresh[1:] = (source[1:] != source[:-1]) | (neighbour[1:] != neighbour[:-1])
    start = np.flatnonzero(fresh)
    length = np.diff(np.append(start, len(source)))
    sets = Partition.of(length)
    for position in range(int(length.max(initial=0))):
        member = np.full(len(start), -1, dtype=np.int64)
        long_enough = length > position
        member[long_enough] = relation[start[long_enough] + position]
        sets = sets.meet(Partition.of(member))
    return source[start], neighbour[start], sets.colours.astype(np.int64) + 1
