"""A digest of a graph: equal graphs have equal digests, whatever file they were read from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph


def graph_digest(graph: RelationalGraph) -> str:
    """SHA-256 of names, triples, labels and direction; names are in their canonical order.

    >>> import wlkg
    >>> graph_digest(wlkg.read("example:c6")) == graph_digest(wlkg.read("example:cycle,n=6"))
    True
    """
    digest = hashlib.sha256(graph.direction.encode())
    for names in (graph.vertex_names, graph.relation_names, graph.label_names):
        _add_names(digest, names)
    labels = np.empty(0) if graph.labels is None else graph.labels
    for array in (graph.head, graph.relation, graph.tail, labels):
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return digest.hexdigest()


def _add_names(digest: hashlib._Hash, names: Sequence[str]) -> None:
    """Add the lengths first, so that names cannot run into each other."""
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    digest.update(np.array([len(encoded), *map(len, encoded)], dtype=np.int64).tobytes())
    digest.update(b"".join(encoded))
