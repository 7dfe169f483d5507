"""The triples that a model of links is trained on, as examples: a query and its answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import Int64Array
from wlkg.gnn.links.questions import Questions
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import link_queries


@dataclass(frozen=True, eq=False)
class Examples:
    """Two examples for each triple: t asks for its tail, and t + T for its head."""

    questions: Questions
    query: Int64Array
    answer: Int64Array

    @classmethod
    def of(cls, graph: RelationalGraph) -> Examples:
        """All triples of a graph; what is known to be true is the graph itself."""
        queries = link_queries(graph, graph)
        count = len(graph.relation_names)
        head, relation, tail = (
            column.astype(np.int64) for column in (graph.head, graph.relation, graph.tail)
        )
        keys = (queries.source.astype(np.int64) * count + queries.relation) * 2
        keys += ~queries.asks_tail
        asked = np.concatenate([(head * count + relation) * 2, (tail * count + relation) * 2 + 1])
        return cls(
            questions=Questions.of(queries, count),
            query=np.searchsorted(keys, asked),
            answer=np.concatenate([tail, head]),
        )

    @property
    def num_triples(self) -> int:
        return len(self.query) // 2
