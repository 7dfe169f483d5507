"""Lifts of tiny graphs: 1-RWL cannot tell two lifts apart, so all is left to swaps and cores."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from wlkg.catalogue import DIRECTIONS
from wlkg.graph.relational_graph import RelationalGraph

#: Numbers of vertices of the base and of copies of each, at most six vertices in all.
_SIZES = ((1, 4), (1, 5), (1, 6), (2, 2), (2, 3), (3, 2))

_CYCLES = {2: [[2]], 3: [[3]], 4: [[4], [2, 2]], 5: [[5], [3, 2]], 6: [[6], [3, 3], [4, 2]]}


@st.composite
def cycles(draw: st.DrawFn, size: int) -> list[int]:
    """A permutation without fixed points."""
    order = draw(st.permutations(range(size)))
    image = [0] * size
    for length in draw(st.sampled_from(_CYCLES[size])):
        cycle, order = order[:length], order[length:]
        for v, w in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            image[v] = w
    return image


@st.composite
def lifts(draw: st.DrawFn, count: int = 1) -> tuple[RelationalGraph, ...]:
    """Lifts of one base graph: vertex v becomes (v, 0), (v, 1), ..., and each arc a matching.

    Loops become cycles without loops, because loops would tell lifts apart at once.
    """
    base, copies = draw(st.sampled_from(_SIZES))
    vertex, relation = st.integers(0, base - 1), st.integers(0, 1)
    triple = st.tuples(vertex, relation, vertex)
    triples = draw(st.lists(triple, min_size=1, max_size=base + 1, unique=True))
    direction = draw(st.sampled_from(DIRECTIONS))
    matching = st.permutations(range(copies))
    graphs = []
    for _ in range(count):
        rows = {
            (h * copies + i, r, t * copies + j)
            for h, r, t in triples
            for i, j in enumerate(draw(cycles(copies) if h == t else matching))
        }
        columns = np.array(sorted(rows), dtype=np.int64).T
        graphs.append(
            RelationalGraph.from_arrays(
                *columns,
                num_vertices=base * copies,
                relation_names=["a", "b"],
                direction=direction,
            )
        )
    return tuple(graphs)
