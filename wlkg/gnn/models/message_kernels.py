"""Compiled loops that add up messages along arcs, without keeping a message for each arc.

A message is made entry by entry of the features of the neighbour and the vector of the relation:
their product, their sum, or the ReLU of their sum. Features have an axis for vertices, one for
sources and one for their entries; vectors one for relations, one for sources, which has length 1
if all sources share the vectors, and one for entries.
"""

from __future__ import annotations

from typing import Any

from wlkg.compiled.kernel import Kernel

#: How a message is made.
PRODUCT, SUM, RECTIFIED = 0, 1, 2


@Kernel
def add_messages(
    kind: int, offsets: Any, neighbour: Any, relation: Any, rows: Any, vectors: Any, out: Any
) -> None:
    """Add to ``out`` the messages to each vertex."""
    sources, width = rows.shape[1], rows.shape[2]
    own = 1 if vectors.shape[1] > 1 else 0
    for v in range(len(offsets) - 1):
        for arc in range(offsets[v], offsets[v + 1]):
            w, r = neighbour[arc], relation[arc]
            for s in range(sources):
                if kind == PRODUCT:
                    for k in range(width):
                        out[v, s, k] += rows[w, s, k] * vectors[r, s * own, k]
                elif kind == SUM:
                    for k in range(width):
                        out[v, s, k] += rows[w, s, k] + vectors[r, s * own, k]
                else:
                    for k in range(width):
                        total = rows[w, s, k] + vectors[r, s * own, k]
                        if total > 0:
                            out[v, s, k] += total


@Kernel
def add_gradients(
    kind: int,
    offsets: Any,
    neighbour: Any,
    relation: Any,
    rows: Any,
    vectors: Any,
    gradient: Any,
    by_rows: Any,
    by_vectors: Any,
) -> None:
    """Add to ``by_rows`` and ``by_vectors`` the gradients, given that of the sums."""
    sources, width = rows.shape[1], rows.shape[2]
    own = 1 if vectors.shape[1] > 1 else 0
    for v in range(len(offsets) - 1):
        for arc in range(offsets[v], offsets[v + 1]):
            w, r = neighbour[arc], relation[arc]
            for s in range(sources):
                z = s * own
                if kind == PRODUCT:
                    for k in range(width):
                        by_rows[w, s, k] += gradient[v, s, k] * vectors[r, z, k]
                        by_vectors[r, z, k] += gradient[v, s, k] * rows[w, s, k]
                elif kind == SUM:
                    for k in range(width):
                        by_rows[w, s, k] += gradient[v, s, k]
                        by_vectors[r, z, k] += gradient[v, s, k]
                else:
                    for k in range(width):
                        if rows[w, s, k] + vectors[r, z, k] > 0:
                            by_rows[w, s, k] += gradient[v, s, k]
                            by_vectors[r, z, k] += gradient[v, s, k]
