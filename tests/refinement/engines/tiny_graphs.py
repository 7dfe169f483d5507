"""Many tiny graphs side by side: what one slow start of an engine can be compared on at once."""

from __future__ import annotations

import numpy as np

from wlkg.graph.relational_graph import RelationalGraph

#: The most vertices and triples of one of the graphs, and the number of relations.
_VERTICES, _TRIPLES, _RELATIONS = 6, 9, 3


def many_tiny_graphs(count: int, seed: int, *, labels: bool) -> RelationalGraph:
    """The disjoint union of random graphs with loops, parallel relations and isolated vertices.

    Few triples on few vertices: many of the graphs look alike to a test, or nearly so. With
    ``labels``, the vertices of half of the graphs have random labels, those of the others the same.
    """
    draw = np.random.default_rng(seed)
    rows, first, labelled = [], 0, 0
    for number in range(count):
        n = int(draw.integers(1, _VERTICES + 1))
        m = int(draw.integers(0, _TRIPLES + 1))
        relations = int(draw.integers(1, _RELATIONS + 1))
        ends = first + draw.integers(0, n, (2, m))
        rows.append(np.stack([ends[0], draw.integers(0, relations, m), ends[1]]))
        first += n
        labelled = first if 2 * number < count else labelled
    head, relation, tail = np.concatenate(rows, axis=1)
    return RelationalGraph.from_arrays(
        head,
        relation,
        tail,
        num_vertices=first,
        relation_names=[f"r{i}" for i in range(_RELATIONS)],
        labels=draw.integers(0, 2, first) * (np.arange(first) < labelled) if labels else None,
        label_names=["red", "green"] if labels else None,
    )
