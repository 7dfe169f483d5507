"""A graph as lines of N-Triples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wlkg.graph.terms import relation_iri, vertex_term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wlkg.graph.relational_graph import RelationalGraph


def ntriples_lines(graph: RelationalGraph) -> Iterator[str]:
    """One line per triple, in id order; names that are not RDF terms become IRIs."""
    # A literal cannot be a subject, and a vertex must be the same term as subject and as object.
    is_head = np.zeros(graph.num_vertices, dtype=bool)
    is_head[graph.head] = True
    terms = [
        vertex_term(name, is_head=subject)
        for name, subject in zip(graph.vertex_names, is_head.tolist(), strict=True)
    ]
    relations = [relation_iri(name) for name in graph.relation_names]
    for h, r, t in zip(
        graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True
    ):
        yield f"{terms[h]} {relations[r]} {terms[t]} .\n"
